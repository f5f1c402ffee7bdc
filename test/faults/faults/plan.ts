/**
 * Which faults are tried: in the long run every distinct operation of a life with
 * every kind that it can meet; in the slice some that stand for many, and a few
 * by chance.
 *
 * An operation is distinct by its call, its file and the call before it:
 * the same look at the same file in a later round is the same operation again.
 */
import { KINDS, type Asked, type Fault, type Kind } from "./kinds.js";

export interface Plan {
  faults: Fault[];
  /** How many operations there are, and how many of them are distinct. */
  operations: number;
  distinct: number;
}

export function wholePlan(asked: readonly Asked[]): Plan {
  const names = namesOf(asked);
  const faults = KINDS.flatMap((kind) => {
    const tried = new Set<string>();
    return asked.flatMap((one, index): Fault[] => {
      const name = names[index] ?? "";
      if (!kind.fits(one) || tried.has(name)) return [];
      tried.add(name);
      return [{ kind, at: one.n }];
    });
  });
  return { faults, operations: asked.length, distinct: new Set(names).size };
}

/** In each of these something once went wrong, or would at the next careless change. */
const TELLING: readonly [kind: string, call: RegExp, which?: "last"][] = [
  ["EIO", /^sync memory\/archive\/2026-01 after/],
  ["EIO", /^open memory\/2026-02-20\S* after unlink \.memd\/lock/],
  ["EIO", /^fstat \.memd\/displaced\/history/],
  ["EIO", /^close teller after/],
  ["EIO", /^open history\.json after/],
  ["ENOSPC", /^link inbox\.d/],
  ["read-only", /^link inbox\.d/],
  ["EROFS", /^write \.memd\/lock/],
  ["fsync lost", /^datasync journal/],
  ["fsync lost", /^sync \.history\.json/],
  ["short write", /^write memory\/\./],
  ["short write", /^writeFileAtomic teller\/prompt\.json/, "last"],
  ["short write, then full", /^write journal/],
  ["full", /^write logs\/usage/, "last"],
  ["full", /^open queue\/summaries/],
  ["dead", /^open memory\/summary\/\.2026-01-10/],
];
const BY_CHANCE = 1;

export function slicePlan(asked: readonly Asked[], random: () => number): Plan {
  const whole = wholePlan(asked);
  const names = namesOf(asked);
  const telling = TELLING.map(([name, call, which]): Fault => {
    const all = asked.filter((one, index) => call.test(names[index] ?? "") && kindNamed(name).fits(one));
    const found = all.at(which === "last" ? -1 : 0);
    if (found === undefined) throw new Error(`no operation is like ${String(call)}`);
    return { kind: kindNamed(name), at: found.n };
  });
  const chance = Array.from({ length: BY_CHANCE }, (): Fault => {
    return whole.faults[Math.floor(random() * whole.faults.length)] as Fault;
  });
  return { ...whole, faults: [...telling, ...chance] };
}

export function kindNamed(name: string): Kind {
  const kind = KINDS.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`no kind of fault is called ${name}`);
  return kind;
}

function namesOf(asked: readonly Asked[]): string[] {
  const plain = asked.map(({ call, file }) => `${call} ${plainName(file)}`);
  return plain.map((name, index) => `${name} after ${plain[index - 1]}`);
}

/** Without what is drawn by lot. */
export function plainName(file: string): string {
  return file.replace(
    /\.[0-9a-f]{16}\.[a-z0-9]{8}(?=\.|$)|\.[a-z0-9]{8}(?=\.tmp$)|-[a-z0-9]{8}(?=\.json)/g,
    ".*",
  );
}
