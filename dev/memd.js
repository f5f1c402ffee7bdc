/** memd from the sources, with its workers and threads: `npm run dev -- start`. */
import { register } from "tsx/esm/api";

register();
// Those that this process starts read it in platform/package-root.ts.
process.env["MEMD_FROM_SOURCES"] = "1";
const { main } = await import("../src/cli/main.ts");
await main();
