/** `bin/memd.js` on the sources, so that it can be bundled with a planted bug. */
import { main } from "../../../src/cli/main.js";

await main();
