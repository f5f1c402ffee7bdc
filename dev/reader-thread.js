/** recall/index/sqlite/reader-thread from the sources. */
import { register } from "tsx/esm/api";

register();
await import("../src/recall/index/sqlite/reader-thread.ts");
