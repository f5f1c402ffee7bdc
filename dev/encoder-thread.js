/** recall/embedding/encoder-thread from the sources. */
import { register } from "tsx/esm/api";

register();
await import("../src/recall/embedding/encoder-thread.ts");
