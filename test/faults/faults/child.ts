/** A process of the long run: its share of the faults comes by its input, its tally goes by its output. */
import { text } from "node:stream/consumers";
import { liveAll, parseFaults } from "./lives.js";

const faults = parseFaults(await text(process.stdin));
const tally = await liveAll(faults, (line) => void process.stderr.write(`${line}\n`));
process.stdout.write(JSON.stringify(tally));
