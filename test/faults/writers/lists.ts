/**
 * Many hosts append to `history.json`, most under the lock, some without it,
 * while memd marks and trims it: every message archived once, none twice.
 */
import path from "node:path";
import type { PartOptions } from "../part.js";
import type { Crew } from "./crew.js";
import type { Kept } from "./keeping.js";
import type { Saved } from "./listing.js";
import { timesOf, whatStands } from "./witness.js";

/** Every so many hosts, one that knows nothing of the lock. */
const IMPOLITE = 4;

export async function listTogether(crew: Crew, { slice, seed }: PartOptions, failures: string[]) {
  const writers = slice ? 3 : 20;
  const messages = slice ? 6 : 50;
  const root = crew.workspace({ "history.json": "[]\n", turns: "" });
  const memd = crew.member({
    plays: "memd",
    root,
    changesMemory: false,
    sayEveryMs: 60,
    waitsOut: !slice,
    seed,
  });
  await memd.next();
  const hosts = Array.from({ length: writers }, (_unused, n) =>
    crew.member({
      plays: "list writer",
      file: path.join(root, "history.json"),
      turns: path.join(root, "turns"),
      isPolite: n % IMPOLITE !== IMPOLITE - 2,
      name: `host${n}`,
      messages,
      seed: seed + n,
    }),
  );
  const saved = (await Promise.all(hosts.map((host) => host.done()))).flatMap(
    (done) => (done as { saved: Saved[] }).saved,
  );
  memd.tell("");
  const kept = (await memd.done()) as Kept;

  const { blocks, journal, history } = whatStands(root);
  const archived = timesOf(blocks.map(({ id }) => id));
  const listed = timesOf(history.map(({ id }) => id));
  const lastLook = { met: 0, lost: 0 };
  for (const { token, between } of saved) {
    const isMet = isInSwap(kept, "history.json", between);
    if (isMet) lastLook.met++;
    if (archived.get(token) === 1 && journal.has(token)) continue;
    if (isMet && !archived.has(token)) lastLook.lost++;
    else failures.push(`lists: message ${token} is archived ${archived.get(token) ?? 0} times`);
  }
  for (const [id, times] of listed)
    if (times > 1) failures.push(`lists: message ${id} stands ${times} times in history.json`);
  const texts = timesOf(blocks.map(({ text }) => text));
  for (const text of kept.said)
    if (texts.get(text) !== 1) failures.push(`lists: "${text}" is archived ${texts.get(text) ?? 0} times`);
  return {
    writers,
    messages: saved.length,
    archived_once: saved.filter(({ token }) => archived.get(token) === 1).length,
    rewritten_by_memd: kept.swaps["history.json"]?.length ?? 0,
    in_the_moment_of_a_swap: lastLook,
  };
}

/** Whether a save may have been put in place between memd's last look and its rename. */
export function isInSwap(kept: Kept, file: string, [from, to]: [number, number]): boolean {
  return (kept.swaps[file] ?? []).some(([since, until]) => from <= until && to >= since);
}
