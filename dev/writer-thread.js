/** recall/index/sqlite/writer-thread from the sources. */
import { register } from "tsx/esm/api";

register();
await import("../src/recall/index/sqlite/writer-thread.ts");
