/**
 * An owner that stands still for a while and wakes up: nobody takes its place as
 * long as it listens; where its socket is gone meanwhile, as after a logout that
 * clears the runtime folder, another one does. Then it notices before it
 * publishes anything, and ends with exit code 4.
 */
import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { endAll, launch, newPlace, settled, type Daemon, type Place, type Program } from "./daemon.js";
import { changed, comesTrue, filesOf, isStopped } from "./looking.js";

/** The longest that a lock counts as held, and a little. */
const LONG_MS = 5500;
const SHORT_MS = 300;
const STILL_LOOKS = 10;
const LOST = 4;
/** Above which a pass begins by itself. */
const MANY = 120;
/** Where a whole pass can stand still: before it opens a day's file, the history's, the journal's. */
const STOPS = ["open memory/.20", "open .history.json.", "open journal/"];

export interface StalledFigures {
  cases: number;
  failures: string[];
}

export async function runStalled(memd: Program, dir: string, slice: boolean): Promise<StalledFigures> {
  const sleepMs = slice ? SHORT_MS : LONG_MS;
  const stops = slice ? STOPS.slice(0, 1) : STOPS;
  const cases: [string, (place: Place) => Promise<string | undefined>][] = [
    ["sleeps while its folder goes", (place) => isFollowed(memd, place, undefined, sleepMs)],
    ...stops.map((stop): [string, (place: Place) => Promise<string | undefined>] => [
      `stops at "${stop}" while its folder goes`,
      (place) => isFollowed(memd, place, stop, 0),
    ]),
  ];
  if (!slice)
    cases.push(
      ["sleeps and listens", (place) => sleeps(memd, place, sleepMs)],
      ["loses its name awake", (place) => losesName(memd, place)],
    );
  const failures: string[] = [];
  for (const [index, [name, run]] of cases.entries()) {
    const place = newPlace(dir, `stalled${index}`, MANY);
    try {
      const wrong = await run(place);
      if (wrong !== undefined) failures.push(`an owner that ${name}: ${wrong}`);
    } finally {
      await endAll(place);
    }
  }
  return { cases: cases.length, failures };
}

async function sleeps(memd: Program, place: Place, sleepMs: number): Promise<string | undefined> {
  const owner = launch(memd, place);
  if (!(await settled(owner))) return "it does not start";
  owner.signal("SIGSTOP");
  const other = launch(memd, place);
  await Promise.all([pause(sleepMs), comesTrue(() => other.ended() !== undefined)]);
  owner.signal("SIGCONT");
  if (other.ended()?.code !== LOST) return `another start: ${JSON.stringify(other.ended())}`;
  say(place, "after-sleep");
  return (await comesTrue(() => takenIn(place, "after-sleep"))) && owner.ended() === undefined
    ? undefined
    : "it does not go on";
}

async function losesName(memd: Program, place: Place): Promise<string | undefined> {
  const owner = launch(memd, place);
  if (!(await settled(owner))) return "it does not start";
  const socket = fs.readFileSync(path.join(place.root, ".memd", "owner"), "utf8").split("\n")[0]!;
  const before = filesOf(place.root);
  fs.writeFileSync(`${socket}-other`, "");
  fs.renameSync(`${socket}-other`, socket);
  return endsAsLost(owner, place, before);
}

/** Another one starts and works while the owner stands still; then the owner wakes up. */
async function isFollowed(
  memd: Program,
  place: Place,
  stopAt: string | undefined,
  sleepMs: number,
): Promise<string | undefined> {
  const owner = launch(memd, place, stopAt === undefined ? {} : { stopAt });
  if (stopAt === undefined) {
    if (!(await settled(owner))) return "it does not start";
    owner.signal("SIGSTOP");
  }
  if (!(await comesTrue(() => isStopped(owner.pid)))) return "it was to stop and did not";
  fs.rmSync(place.runtimes[0], { recursive: true });
  fs.mkdirSync(place.runtimes[0], { mode: 0o700 });
  const next = launch(memd, place);
  if (!(await settled(next))) return `nobody takes over: ${JSON.stringify(next.ended())}`;
  say(place, "for-the-next");
  if (!(await comesTrue(() => takenIn(place, "for-the-next")))) return "the next owner does not work";
  await pause(sleepMs);
  const before = await quiet(place);
  owner.signal("SIGCONT");
  const wrong = await endsAsLost(owner, place, before);
  return wrong ?? (next.ended() === undefined ? undefined : "it took its successor along");
}

async function endsAsLost(
  owner: Daemon,
  place: Place,
  before: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  if (!(await comesTrue(() => owner.ended() !== undefined, 10_000))) return "it does not notice";
  const { code, stderr } = owner.ended()!;
  if (code !== LOST || !stderr.includes("is owned by another memd now"))
    return `it ends with ${code}: ${stderr}`;
  const touched = changed(before, filesOf(place.root));
  return touched.length === 0 ? undefined : `it changed ${touched.join(", ")}`;
}

/** The files once nothing moves any more: a late save is looked for during a minute, without a trace. */
async function quiet(place: Place): Promise<Map<string, string>> {
  let files = filesOf(place.root);
  for (let still = 0; still < STILL_LOOKS;) {
    await pause(SHORT_MS);
    const now = filesOf(place.root);
    still = changed(files, now).length === 0 ? still + 1 : 0;
    files = now;
  }
  return files;
}

function say(place: Place, id: string): void {
  const message = { role: "user", text: `Drop ${id}.`, createdAt: new Date().toISOString() };
  const drop = path.join(place.root, "inbox.d", `${id}.json`);
  fs.writeFileSync(`${drop}.tmp`, JSON.stringify(message));
  fs.renameSync(`${drop}.tmp`, drop);
}

function takenIn(place: Place, id: string): boolean {
  const written = fs.readFileSync(path.join(place.root, "history.json"), "utf8").includes(`Drop ${id}.`);
  return written && !fs.existsSync(path.join(place.root, "inbox.d", `${id}.json`));
}
