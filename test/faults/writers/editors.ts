/**
 * Editors of four saving styles at `memory.md` and `history.json`, while memd
 * rewrites both all the time: every edit ends in the file, in the archive that
 * its message went to, or in `conflicts/`, with a word in log and status.
 */
import type { PartOptions } from "../part.js";
import type { Crew } from "./crew.js";
import type { Edit, EditingRole } from "./editing.js";
import type { Kept } from "./keeping.js";
import { isInSwap } from "./lists.js";
import { chanceOf, shuffled } from "./random.js";
import { STYLES, type Style } from "./saving.js";
import { timesOf, whatStands, type Holding } from "./witness.js";

const SLOW_MS = 12;

/** They put another file in place: between memd's last look and its rename nothing is left of that. */
const REPLACING: ReadonlySet<Style> = new Set(["rename", "delete and create"]);

type Tally = Record<Style, { edits: number; in_file: number; in_conflicts: number; lost: number }>;

export async function editTogether(crew: Crew, options: PartOptions, failures: string[]) {
  const { slice, seed } = options;
  const desks = slice ? 1 : 4;
  /** Of each style, on each file of each desk. */
  const each = slice ? 3 : 125;
  const tally = Object.fromEntries(
    STYLES.map((style) => [style, { edits: 0, in_file: 0, in_conflicts: 0, lost: 0 }]),
  ) as Tally;
  const counts = {
    rewritten_by_memd: { "memory.md": 0, "history.json": 0 },
    late_saves_merged: 0,
    conflicts: 0,
    pinned: { written: 0, gone_by_stale_saves: 0 },
    in_the_moment_of_a_swap: { met: 0, lost: 0 },
  };
  const at = async (desk: number): Promise<void> => {
    const root = crew.workspace({ "history.json": "[]\n", "memory.md": "# Facts\n\n- lives in Aarhus\n" });
    const memd = crew.member({
      plays: "memd",
      root,
      changesMemory: true,
      sayEveryMs: 50,
      waitsOut: !slice,
      seed: seed + desk,
    });
    await memd.next();
    const roles = (["memory.md", "history.json"] as const).map((file): EditingRole => {
      const chance = chanceOf(seed * 31 + desk * 2 + (file === "memory.md" ? 1 : 0));
      const styles = shuffled(
        STYLES.flatMap((style) => Array<Style>(each).fill(style)),
        chance,
      );
      return {
        plays: "editor",
        root,
        file,
        name: `${desk}${file[0]}`,
        styles,
        slowMs: SLOW_MS,
        seed: chance.below(1e9),
      };
    });
    const done = (await Promise.all(roles.map((role) => crew.member(role).done()))) as { edits: Edit[] }[];
    memd.tell("");
    const kept = (await memd.done()) as Kept;
    const holding = whatStands(root);
    for (const [n, { file }] of roles.entries())
      count(file, done[n]!.edits, kept, holding, tally, counts.in_the_moment_of_a_swap, failures);
    judgePinned(done[0]!.edits, kept, holding, counts.pinned, failures);
    judgeVisible(kept, holding, failures);
    judgeSaid(kept, holding, failures);
    for (const file of ["memory.md", "history.json"] as const)
      counts.rewritten_by_memd[file] += kept.swaps[file]?.length ?? 0;
    counts.late_saves_merged += kept.events.filter(({ event }) => event === "late_save_merged").length;
    counts.conflicts += holding.conflicts.length;
  };
  await Promise.all(Array.from({ length: desks }, (_unused, desk) => at(desk)));
  return { ...tally, ...counts };
}

function count(
  file: EditingRole["file"],
  edits: readonly Edit[],
  kept: Kept,
  holding: Holding,
  tally: Tally,
  lastLook: { met: number; lost: number },
  failures: string[],
): void {
  const standing =
    file === "memory.md" ? [holding.memory] : [...holding.history, ...holding.blocks].map(({ text }) => text);
  for (const { token, style, between } of edits) {
    const isMet = REPLACING.has(style) && isInSwap(kept, file, between);
    if (isMet) lastLook.met++;
    tally[style].edits++;
    if (standing.some((text) => text.includes(token))) tally[style].in_file++;
    else if (holding.conflicts.some(({ text }) => text.includes(token))) tally[style].in_conflicts++;
    else if (isMet) lastLook.lost++;
    else {
      tally[style].lost++;
      failures.push(`editors: ${token} of an editor that saves "${style}" is lost from ${file}`);
    }
  }
}

/** A line of memd's may go only by a save of an editor that had read the file before the line was in it. */
function judgePinned(
  edits: readonly Edit[],
  kept: Kept,
  { memory, conflicts }: Holding,
  counts: { written: number; gone_by_stale_saves: number },
  failures: string[],
): void {
  const lines = new Set(memory.split("\n"));
  for (const { line, between: placed } of kept.pinned) {
    counts.written++;
    if (lines.has(line) || conflicts.some(({ text }) => text.split("\n").includes(line))) continue;
    const isStale = edits.some(({ readAt, between }) => readAt <= placed[1] && between[1] >= placed[0]);
    if (isStale) counts.gone_by_stale_saves++;
    else
      failures.push(
        `editors: "${line}" is gone from memory.md, and no save was based on a reading before it`,
      );
  }
}

/** Every copy in `conflicts/` is named by the status, and the log has said something of its file. */
function judgeVisible(kept: Kept, { conflicts }: Holding, failures: string[]): void {
  const told = new Set(
    kept.events
      .filter(({ event }) => event === "edit_conflict" || event === "file_unreadable")
      .map(({ file }) => String(file)),
  );
  for (const { name } of conflicts) {
    if (!kept.conflicts.includes(name)) failures.push(`editors: ${name} is not in the status`);
    if (![...told].some((file) => name.startsWith(`${file}.`)))
      failures.push(`editors: the log says nothing of ${name}`);
  }
}

function judgeSaid(kept: Kept, { blocks }: Holding, failures: string[]): void {
  const archived = timesOf(blocks.map(({ text }) => text));
  for (const text of kept.said)
    if (archived.get(text) !== 1)
      failures.push(`editors: "${text}" is archived ${archived.get(text) ?? 0} times`);
  for (const [id, times] of timesOf(blocks.map(({ id }) => id)))
    if (times > 1) failures.push(`editors: message ${id} is archived ${times} times`);
}
