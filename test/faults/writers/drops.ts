/**
 * Many programs drop messages at once while memd takes them in and a host takes
 * what waits out of `inbox.json`: every drop once in the journal, once in the
 * archive, and once in what the host got.
 */
import fs from "node:fs";
import path from "node:path";
import lockfile from "proper-lockfile";
import type { PartOptions } from "../part.js";
import type { Crew } from "./crew.js";
import type { DroppingRole } from "./dropping.js";
import { pause, saveByRename } from "./saving.js";
import { timesOf, whatStands } from "./witness.js";

/** Of each ten droppers so many write in ways of their own. */
const WAYS: readonly DroppingRole["way"][] = [
  ...Array<"library">(7).fill("library"),
  "rename",
  "rename",
  "slow",
];
/** All is taken in by then, or something is stuck. */
const PATIENCE_MS = 240_000;

interface InboxEntry {
  id: string;
  text: string;
}

export async function dropTogether(crew: Crew, { slice, say }: PartOptions, failures: string[]) {
  const writers = slice ? 4 : 50;
  const each = slice ? 8 : 200;
  const root = crew.workspace({
    "workspace.json": '{"format":1,"id":"faults-writers-0001"}\n',
    "history.json": "[]\n",
    "inbox.json": "[]\n",
  });
  const memd = crew.memd(slice ? "source" : "binary", ["start", "--json", "--workspace", root]);
  const now = new Date().toISOString();
  const ways = slice ? (["library", "library", "rename", "slow"] as const) : WAYS;
  const droppers = Array.from({ length: writers }, (_unused, n) =>
    crew.member({
      plays: "dropper",
      root,
      way: ways[n % ways.length]!,
      name: `writer ${n}`,
      drops: each,
      now,
    }),
  );
  const taken: InboxEntry[] = [];
  let isDropping = true;
  const host = (async () => {
    while (isDropping) {
      taken.push(...(await emptyInbox(root)));
      await pause(slice ? 150 : 400);
    }
  })();
  const dropped = (await Promise.all(droppers.map((dropper) => dropper.done()))).flatMap(
    (done) => (done as { texts: string[] }).texts,
  );
  say(`${dropped.length} drops written`);
  const until = performance.now() + PATIENCE_MS;
  while (fs.readdirSync(path.join(root, "inbox.d")).length > 0 && performance.now() < until) await pause(50);
  isDropping = false;
  await host;
  await crew.memd(slice ? "source" : "binary", ["archive", "--now", "--workspace", root]).done();
  memd.stop();
  await memd.done();
  taken.push(...(await emptyInbox(root)));

  const { blocks, journal, history, conflicts } = whatStands(root);
  const byPlace = {
    journal: timesOf([...journal.values()].flat()),
    archive: timesOf(blocks.map(({ text }) => text)),
    inbox: timesOf(taken.map(({ text }) => text)),
  };
  for (const [place, times] of Object.entries(byPlace))
    for (const text of dropped)
      if (times.get(text) !== 1)
        failures.push(`drops: "${text}" stands ${times.get(text) ?? 0} times in the ${place}`);
  for (const [text, times] of timesOf(history.map(({ text }) => text)))
    if (times > 1) failures.push(`drops: "${text}" stands ${times} times in history.json`);
  const archived = new Map(blocks.map(({ id, text }) => [text, id]));
  for (const { id, text } of taken)
    if (archived.get(text) !== id) failures.push(`drops: "${text}" has another id in the inbox`);
  const exactly = dropped.filter((text) =>
    Object.values(byPlace).every((times) => times.get(text) === 1),
  ).length;
  return { writers, dropped: dropped.length, exactly_once: exactly, copies_of_half_drops: conflicts.length };
}

/** As an agent does it: under the lock, by rename. */
async function emptyInbox(root: string): Promise<InboxEntry[]> {
  const file = path.join(root, "inbox.json");
  const release = await lockfile.lock(file, {
    realpath: false,
    stale: 30_000,
    retries: { retries: 500, minTimeout: 5, maxTimeout: 30 },
  });
  const entries = JSON.parse(fs.readFileSync(file, "utf8")) as InboxEntry[];
  if (entries.length > 0) saveByRename(file, "[]\n");
  await release();
  return entries;
}
