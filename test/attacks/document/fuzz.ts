/** Asks a world for all that its document publishes, rightly and wrongly, and tells what may not be of the answers. */
import { performance } from "node:perf_hooks";
import type { Reader } from "../../../bench/walls/world.js";
import { entryOf } from "../../../src/model/collections.js";
import { randomOf } from "../../faults/random.js";
import type { Seat } from "../../../src/model/address.js";
import { askedWorld, type AskedWorld } from "./asked-world.js";
import { type Answered, Checks, type Fault } from "./checks.js";
import type { Sent } from "./drafts.js";
import { type Request, requestsOf } from "./requests.js";
import { Seen } from "./seen.js";

/** A world of its own for so many requests: those that forget leave less and less to be found. */
const WORLD_REQUESTS = 1000;
/** So many faults are told in words. */
const MOST_TOLD = 20;

export interface FuzzFigures extends Record<string, unknown> {
  requests: number;
  valid: number;
  mutated: number;
  byStatus: Record<string, number>;
  serverErrors: number;
  mismatches: number;
  /** Words that were given to somebody who may not read them, and to somebody who may. */
  foreign: number;
  own: number;
  faults: string[];
  p50_ms: number;
}

/** An answer as it comes to be looked at; a test has it be another. */
export type Through = (answered: Answered, asked: Request<Seat>) => Answered;

export async function fuzz(
  {
    requests,
    seed,
    users = 8,
    scopes = 4,
  }: { requests: number; seed: number; users?: number; scopes?: number },
  through: Through = (answered) => answered,
): Promise<FuzzFigures> {
  const taken: number[] = [];
  const random = randomOf(seed);
  const statuses = new Map<number, number>();
  const figures = { valid: 0, mutated: 0, serverErrors: 0, mismatches: 0, foreign: 0, own: 0 };
  const faults: string[] = [];
  for (let done = 0; done < requests; done += WORLD_REQUESTS) {
    const topics = (done / WORLD_REQUESTS) % 4 !== 3;
    const world = await askedWorld({ users, scopes, topics });
    const checks = new Map(
      [world.owner, ...world.viewers].map((asker) => [asker, new Checks(asker.published)] as const),
    );
    const seenBy = new Map<unknown, Seen>();
    const count = Math.min(WORLD_REQUESTS, requests - done);
    for (const asked of requestsOf(world.owner, world.viewers, count, seed + done)) {
      const { asker, mutation } = asked;
      const seen = entryOf(seenBy, asker, () => new Seen(random));
      const sent = seen.filled(asked.sent);
      figures[mutation === undefined ? "valid" : "mutated"]++;
      const began = performance.now();
      const { method, path, ...given } = await world.ask(asker.seat, sent);
      taken.push(performance.now() - began);
      const answered = through(given, asked);
      if (answered.status === 200) seen.learn(answered.text);
      statuses.set(answered.status, (statuses.get(answered.status) ?? 0) + 1);
      const found = checks.get(asker)?.faultsIn({ method, path }, answered) ?? [];
      const words = wordsFor(world, { ...asked, sent }, answered);
      figures.own += words.own;
      for (const fault of [...found, ...words.faults]) {
        figures[COUNTED[fault.is]]++;
        if (faults.length < MOST_TOLD) faults.push(`${fault.what} ← ${described({ ...asked, sent })}`);
      }
    }
    await world.close();
  }
  taken.sort((one, other) => one - other);
  const p50_ms = Math.round((taken[Math.floor(taken.length / 2)] ?? 0) * 100) / 100;
  const byStatus = Object.fromEntries([...statuses].sort().map(([status, many]) => [String(status), many]));
  const { valid, mutated, ...counted } = figures;
  return { requests, valid, mutated, byStatus, ...counted, faults, p50_ms };
}

const COUNTED = { serverError: "serverErrors", mismatch: "mismatches", foreign: "foreign" } as const;

/** A word that was asked for is known already: a refusal may say it again. */
function wordsFor(
  world: AskedWorld,
  { asker, sent }: Request<Seat>,
  { status, text }: Answered,
): { own: number; faults: Fault[] } {
  const reader = asker.seat === undefined ? readerIn(sent) : { session: "", ...asker.seat };
  if (reader === undefined) return { own: 0, faults: [] };
  const said = JSON.stringify(sent);
  // What nobody says is the word that was asked for.
  const heard = text.replace(/Nothing says \\"(zq[a-y]{4}qz)\\"/g, (all, word: string) =>
    said.includes(word) ? "" : all,
  );
  const { own, foreign } = world.wordsIn(heard, reader);
  const told = foreign.filter((word) => status === 200 || !said.includes(word));
  const what = `a word of others to ${JSON.stringify(reader)}`;
  return {
    own: own.length,
    faults: told.map((word) => ({ is: "foreign", what: `${what}: ${around(text, word)}` })),
  };
}

const AROUND_CHARS = 100;

/** What an answer says beside a word. */
function around(text: string, word: string): string {
  const at = text.indexOf(word);
  return text.slice(Math.max(0, at - AROUND_CHARS), at + word.length + AROUND_CHARS);
}

/** On whose behalf the owner asks; undefined where that is nobody, or nobody who can be named so. */
function readerIn({ address, body = "" }: Sent): Reader | undefined {
  const inAddress = new URLSearchParams(address.split("?")[1]).get("as");
  const as = inAddress ?? asOf(body);
  if (as === undefined) return undefined;
  if (typeof as !== "string") return { scope: "main", session: "main", ...(as as Pick<Reader, "user">) };
  try {
    const [user = "", scope = "main", session = "main"] = as.split("/").map(decodeURIComponent);
    return { user, scope, session };
  } catch {
    return undefined;
  }
}

function asOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { as?: unknown } | null)?.as ?? undefined;
  } catch {
    return undefined;
  }
}

function described({ asker, sent, mutation }: Request<Seat>): string {
  return `${mutation ?? "right"} ${JSON.stringify(asker.seat ?? "owner")} ${JSON.stringify(sent).slice(0, 400)}`;
}
