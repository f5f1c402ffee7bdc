/** What bin/memd.js does, out of the sources: the entry of a binary that may carry a planted bug. */
import { main } from "../../src/cli/main.js";

await main();
