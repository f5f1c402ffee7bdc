/**
 * A thread of the run: its share of the inputs of every kind, one after the
 * other. Before each it tells in shared memory what it is at, so that a hang
 * can be named from outside.
 */
import { parentPort, workerData } from "node:worker_threads";
import { damaged } from "./damage.js";
import { Broken, type Case, type Kind } from "./kind.js";
import { countOf, KINDS } from "./kinds.js";
import { rngOf } from "./seed.js";
import { NOW_WORDS, type ShardLine, type ShardOrder, type Tally } from "./shard-lines.js";
import { shown, shrunk } from "./shrink.js";
import { trial, type Verdict } from "./trial.js";

/** Of each kind so many different failures are shrunk and shown. */
const MOST_SHOWN = 4;
const INPUTS_PER_CASE = 48;
/** One input in so many is a whole one, cut. */
const CUT_SHARE = 5;

const send = (line: ShardLine): void => parentPort?.postMessage(line);
const order = workerData as ShardOrder;
const words = new Int32Array(order.now, 0, NOW_WORDS);
const bytes = new Uint8Array(order.now, NOW_WORDS * 4);

for (const [index, kind] of KINDS.entries()) {
  words[1] = index;
  send({ kind: kind.name, tally: await run(kind, countOf(kind, order.inputs)) });
}
send({ done: true });

async function run(kind: Kind, count: number): Promise<Tally> {
  const tally: Tally = {
    inputs: 0,
    parsed: 0,
    refused: 0,
    crash: 0,
    hang: 0,
    dropped: 0,
    changed: 0,
    polluted: 0,
    ms: 0,
  };
  const shownAlready = new Set<string>();
  const startedMs = performance.now();
  for await (const { made, input, at } of inputsOf(kind, count, tally)) {
    tell(input);
    const verdict = await trial(made, input);
    tally.inputs++;
    tally[verdict.is]++;
    if (!("why" in verdict)) continue;
    const sort = `${verdict.is}: ${verdict.why.replace(/[\d"].*/s, "")}`;
    if (shownAlready.has(sort) || shownAlready.size >= MOST_SHOWN) continue;
    shownAlready.add(sort);
    send({ failure: await told(kind, made, input, at, verdict) });
  }
  return { ...tally, ms: Math.round(performance.now() - startedMs) };
}

/** Whole inputs cut at every byte (in steps, where there is room for few), then damaged ones. */
async function* inputsOf(
  kind: Kind,
  count: number,
  tally: Tally,
): AsyncGenerator<{ made: Case; input: Uint8Array; at: string }> {
  const { seed, shard } = order;
  const cuts = Math.floor(count / CUT_SHARE);
  let done = 0;
  for (let n = 0; done < count; n++) {
    const at = `case ${shard}.${n}`;
    const made = await whole(kind, at, n, tally);
    if (made === undefined) return;
    yield { made, input: made.whole, at };
    done++;
    if (done < cuts) {
      const step = Math.max(1, Math.ceil(made.whole.length / cuts));
      for (let end = made.whole.length - 1; end >= 0 && done < cuts; end -= step, done++)
        yield { made, input: made.whole.subarray(0, end), at: `${at} cut at ${end}` };
      continue;
    }
    for (let d = 0; d < (kind.perCase ?? INPUTS_PER_CASE) && done < count; d++, done++)
      yield {
        made,
        input: damaged(made.whole, rngOf(seed, kind.name, shard, n, d)),
        at: `${at} damage ${d}`,
      };
  }
}

/** What is made is printed and read before any damage: where that breaks, there is nothing to damage. */
async function whole(kind: Kind, at: string, n: number, tally: Tally): Promise<Case | undefined> {
  try {
    return await kind.make(rngOf(order.seed, kind.name, order.shard, n));
  } catch (error) {
    const promise = error instanceof Broken ? error.promise : "crash";
    tally[promise]++;
    const reason = error instanceof Error ? error.message : String(error);
    send({
      failure: `${kind.name}, seed ${order.seed}, ${at}, undamaged: ${promise}: ${reason.slice(0, 400)}`,
    });
    return undefined;
  }
}

function tell(input: Uint8Array): void {
  words[2] = input.length;
  bytes.set(input.subarray(0, bytes.length));
  Atomics.add(words, 0, 1);
}

/** The failure in words, with the smallest input that fails so. */
async function told(
  kind: Kind,
  made: Case,
  input: Uint8Array,
  at: string,
  { is, why }: Extract<Verdict, { why: string }>,
): Promise<string> {
  const isSame = async (smaller: Uint8Array): Promise<boolean> => {
    tell(smaller);
    return (await trial(made, smaller)).is === is;
  };
  // Each step of shrinking a hang is one.
  const small = is === "hang" ? input : await shrunk(input, isSame);
  const again = await trial(made, small);
  const reason = "why" in again ? again.why : why;
  return `${kind.name}, seed ${order.seed}, ${at}: ${is}: ${reason.slice(0, 400)}\n  smallest: ${shown(small)}`;
}
