/**
 * A saver that comes at the worst moments of a rewrite, by force: while memd
 * writes its own version, right before it keeps what stands, between that and
 * its rename. The first two must be merged at once; in the third a save in place
 * is heard as a late one, and of a renamed file nothing is left: it is only counted.
 */
import { rewriteMemory } from "../../../src/protocol/memory-file.js";
import { openDesk, said, type Desk } from "../../support/archive-desk.js";

const NOW = "2026-02-20T12:00:00Z";
const BASE = "# Facts\n\n- lives in Aarhus\n- likes tea\n";
const EDITED = BASE.replace("tea", "green tea");

const MOMENTS = { comparing: "makeDir", keeping: "link", renaming: "rename" } as const;
type Moment = keyof typeof MOMENTS;

interface Saver {
  file: "memory.md" | "history.json";
  how: "rename" | "in place";
  /** What stands there before, and what the saver makes of it. */
  before: string;
  after: string;
  /** memd's rewrite. */
  rewrite(desk: Desk): Promise<void>;
  /** Whether the save stands. */
  isIn(desk: Desk): boolean;
}

const entries = (...ids: string[]): string =>
  JSON.stringify(ids.map((id) => said(id, "2026-02-19T10:00:00Z", id)));

const FILES: readonly Omit<Saver, "how">[] = [
  {
    file: "memory.md",
    before: BASE,
    after: EDITED,
    rewrite: async ({ archive }) => {
      const { writer, workspace, clock } = archive.context;
      await rewriteMemory(writer, workspace, clock, (text) =>
        text.includes("cat") ? undefined : `${text}- has a cat\n`,
      );
    },
    isIn: (desk) => desk.read("memory.md") === `${EDITED}- has a cat\n`,
  },
  {
    file: "memory.md",
    before: BASE,
    after: EDITED,
    rewrite: async ({ archive }) => {
      const { writer, workspace, clock } = archive.context;
      await rewriteMemory(writer, workspace, clock, (text) =>
        text.replace(/likes (green )?tea$/m, "likes $1tea, not coffee"),
      );
    },
    isIn: (desk) =>
      desk.read("memory.md") === EDITED.replace("tea", "tea, not coffee") ||
      (desk.read("memory.md") === EDITED &&
        desk.files("conflicts/").some((copy) => desk.read(copy).includes("not coffee"))),
  },
  {
    file: "history.json",
    before: entries("a"),
    after: entries("a", "b"),
    rewrite: (desk) => desk.pass(),
    isIn: (desk) =>
      desk
        .history()
        .map(({ id }) => id)
        .join() === "a,b",
  },
];

export interface LastLook {
  forced: number;
  merged: number;
  kept_in_conflicts: number;
  lost: number;
}

export async function forceLastLooks(failures: string[]) {
  const figures: Record<string, LastLook> = {};
  for (const moment of Object.keys(MOMENTS) as Moment[])
    for (const how of ["rename", "in place"] as const)
      for (const saver of FILES) {
        const counted = (figures[`${moment}, ${how}`] ??= {
          forced: 0,
          merged: 0,
          kept_in_conflicts: 0,
          lost: 0,
        });
        await force({ ...saver, how }, moment, counted, failures);
      }
  await appearAtTheLastMoment(failures);
  return figures;
}

async function force(saver: Saver, moment: Moment, counted: LastLook, failures: string[]): Promise<void> {
  const desk = await openDesk({ now: NOW, files: { [saver.file]: saver.before } });
  await desk.clock.advance(2000);
  await desk.archive.look();
  let isSaved = false;
  desk.disk.before(async (operation, path) => {
    if (isSaved || operation !== MOMENTS[moment] || !path.includes(placeOf(saver, moment))) return;
    isSaved = true;
    if (saver.how === "in place") return desk.write(saver.file, saver.after);
    desk.write(".swap", saver.after);
    await desk.disk.rename("/w/.swap", `/w/${saver.file}`);
  });
  const rewriting = saver.rewrite(desk);
  // Without a look: what is merged by now was not merged from what memd had replaced.
  for (let n = 0; n < 3; n++) await desk.clock.advance(1000);
  await rewriting;
  const what = `last look: a save (${saver.how}) of ${saver.file} while memd was ${moment}`;
  if (!isSaved) failures.push(`${what} never came`);
  counted.forced++;
  if (moment !== "renaming" && !saver.isIn(desk)) failures.push(`${what} is not in the file at once`);
  await passTime(desk, 4);
  const isKept = desk.files("conflicts/").some((copy) => desk.read(copy) === saver.after);
  if (saver.isIn(desk)) counted.merged++;
  else if (isKept) counted.kept_in_conflicts++;
  else {
    counted.lost++;
    // By rename, nothing is left of what stood: this is what is not promised.
    if (moment !== "renaming" || saver.how !== "rename") failures.push(`${what} is lost`);
  }
}

function placeOf({ file }: Saver, moment: Moment): string {
  return moment === "renaming" ? `/w/${file}` : moment === "keeping" ? `/displaced/${file}` : "/displaced";
}

/** Where there was no file, one that appears right before memd's own is not overwritten. */
async function appearAtTheLastMoment(failures: string[]): Promise<void> {
  const desk = await openDesk({ now: NOW, files: { "inbox.json": [] } });
  await desk.disk.makeDir("/w/inbox.d");
  desk.write("inbox.d/one.json", { role: "user", text: "hi", createdAt: NOW });
  let isSaved = false;
  desk.disk.before((operation, path) => {
    if (isSaved || !["link", "rename"].includes(operation) || path !== "/w/history.json") return;
    isSaved = true;
    desk.write("history.json", entries("a"));
  });
  await desk.archive.look();
  if (!isSaved) failures.push("last look: history.json never appeared");
  if (
    desk
      .history()
      .map(({ id }) => id)
      .join() !== "a,one"
  )
    failures.push("last look: a history.json that appears right before memd's own is overwritten");
}

/** Looks every second, as the daemon does. */
async function passTime(desk: Desk, seconds: number): Promise<void> {
  for (let n = 0; n < seconds; n++) {
    await desk.clock.advance(1000);
    await desk.archive.look();
  }
}
