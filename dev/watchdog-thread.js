/** platform/watchdog-thread from the sources. */
import { register } from "tsx/esm/api";

register();
await import("../src/platform/watchdog-thread.ts");
