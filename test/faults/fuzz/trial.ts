/**
 * One input on trial: what came of it, how long it took, and whether it left
 * its mark on a prototype that everything shares.
 */
import { Broken, type Case, type Outcome } from "./kind.js";

/** Generous: what takes longer holds up everything else that the process does. */
const BUDGET_MS = 250;

export type Verdict =
  { is: Outcome } | { is: "crash" | "dropped" | "changed" | "hang" | "polluted"; why: string };

export async function trial(made: Case, input: Uint8Array): Promise<Verdict> {
  const attempt: Case["try"] = (bytes) => made.try(bytes);
  const startedMs = performance.now();
  const verdict = await judged(attempt, input);
  if (performance.now() - startedMs <= BUDGET_MS || !(await isSlow(attempt, input))) return verdict;
  return { is: "hang", why: `more than ${BUDGET_MS} ms` };
}

/**
 * Slow each time, by the partition and by what the process used: a collection of
 * garbage, code compiled just then or other work on the processor is nobody's hang.
 */
async function isSlow(attempt: Case["try"], input: Uint8Array): Promise<boolean> {
  for (let time = 0; time < 3; time++) {
    const startedMs = performance.now();
    const used = process.cpuUsage();
    await judged(attempt, input);
    const { user, system } = process.cpuUsage(used);
    if (Math.min(performance.now() - startedMs, (user + system) / 1000) <= BUDGET_MS) return false;
  }
  return true;
}

async function judged(attempt: Case["try"], input: Uint8Array): Promise<Verdict> {
  let verdict: Verdict;
  try {
    verdict = { is: await attempt(input) };
  } catch (error) {
    if (error instanceof Broken) verdict = { is: error.promise, why: error.message };
    else verdict = { is: "crash", why: said(error) };
  }
  const mark = pollution();
  return mark === undefined ? verdict : { is: "polluted", why: mark };
}

function said(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${typeof error}`;
  const place = /at (.*\(?[^()\n]*:\d+:\d+)/.exec(error.stack ?? "")?.[1] ?? "";
  return `${error.name}: ${error.message.slice(0, 200)} (${place.replace(/\(?(?:file:\/\/)?\/\S*\//, "")})`;
}

const SHARED = [Object, Array, Function, String, Number, Boolean, Map, Set, Promise, RegExp, Date].map(
  ({ prototype }) => prototype as object,
);
const AT_START = SHARED.map((prototype) => Object.getOwnPropertyDescriptors(prototype));
const COUNTS = SHARED.map((prototype) => Reflect.ownKeys(prototype).length);
const VALUES = Object.entries(AT_START[0] as Record<string, PropertyDescriptor>);

/** What was added to a shared prototype, or changed in the one of all objects; undone again. */
function pollution(): string | undefined {
  const grown = SHARED.findIndex((prototype, index) => Reflect.ownKeys(prototype).length !== COUNTS[index]);
  const isSame = VALUES.every(
    ([name, { value }]) => Object.getOwnPropertyDescriptor(Object.prototype, name)?.value === value,
  );
  if (grown === -1 && isSame) return undefined;
  for (const [index, prototype] of SHARED.entries()) {
    const before = AT_START[index] as PropertyDescriptorMap;
    for (const name of Reflect.ownKeys(prototype))
      if (!Object.hasOwn(before, name)) Reflect.deleteProperty(prototype, name);
    Object.defineProperties(prototype, before);
  }
  return grown === -1 ? "a value of Object.prototype is another" : "a shared prototype has a new property";
}
