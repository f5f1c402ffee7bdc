/**
 * A person with an editor: reads a file, changes something, saves, and looks
 * whether it is there before the next change. `memory.md` gets a line, or a line
 * of before gets more words; `history.json` a message, or a message other words.
 */
import fs from "node:fs";
import path from "node:path";
import { chanceOf, type Chance } from "./random.js";
import { nowMs, pause, save, type Style } from "./saving.js";
import type { Saved } from "./listing.js";

export interface EditingRole {
  plays: "editor";
  root: string;
  file: "memory.md" | "history.json";
  name: string;
  styles: Style[];
  slowMs: number;
  seed: number;
}

export interface Edit extends Saved {
  style: Style;
  /** When it read what it then changed. */
  readAt: number;
}

/** memd may have nothing to write for a while. */
const REWRITE_MS = 300;
const TOKEN = /edit \w+\.\d+\./g;
/** A late save is merged by then. */
const MERGED_MS = 1500;
/**
 * What was saved in place while memd swaps the file is seen for a moment, then out
 * of sight until it is merged: a person's next save has it, one that is read anew
 * in between does not.
 */
const STANDS_MS = 100;
/** An edit that is nowhere to be seen for so long is lost. */
const PATIENCE_MS = 20_000;

export async function edit(role: EditingRole): Promise<{ edits: Edit[]; unseen: string[] }> {
  const chance = chanceOf(role.seed);
  const file = path.join(role.root, role.file);
  const edits: Edit[] = [];
  const unseen: string[] = [];
  for (const [n, style] of role.styles.entries()) {
    const token = `edit ${role.name}.${n}.`;
    await untilRewritten(file, REWRITE_MS);
    await pause(chance.below(role.slowMs));
    const readAt = nowMs();
    const before = await readWhole(file);
    const after =
      role.file === "memory.md" ? lineEdited(before, token, chance) : listEdited(before, token, chance);
    await pause(chance.below(role.slowMs));
    const from = nowMs();
    await save(style, file, after, role.slowMs);
    edits.push({ token, style, readAt, between: [from, nowMs()] });
    if (!(await isSeen(role.root, role.file, after))) unseen.push(token);
  }
  return { edits, unseen };
}

/** Until memd is at it: it goes on rewriting until somebody saves. */
async function untilRewritten(file: string, patienceMs: number): Promise<void> {
  const before = inodeOf(file);
  for (const until = nowMs() + patienceMs; nowMs() < until && inodeOf(file) === before;) await pause(2);
}

function inodeOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.ino;
}

/** The only other writer is memd, which never leaves half a file; there may be none for a moment. */
async function readWhole(file: string): Promise<string> {
  for (;;) {
    if (fs.existsSync(file)) return fs.readFileSync(file, "utf8");
    await pause(1);
  }
}

function lineEdited(text: string, token: string, chance: Chance): string {
  const lines = text.split("\n");
  const mine = lines.flatMap((line, at) => (line.startsWith("- edit") ? [at] : []));
  if (mine.length > 0 && chance.below(3) === 0) {
    const at = chance.pick(mine.slice(-5));
    lines[at] = `${lines[at]}, ${token}`;
  } else {
    lines.splice(1 + chance.below(lines.length), 0, `- ${token}`);
  }
  return lines.join("\n");
}

function listEdited(text: string, token: string, chance: Chance): string {
  const list = JSON.parse(text) as { id: string; role: string; text: string; createdAt: string }[];
  const mine = list.filter(({ id }) => id.startsWith("edit ")).slice(-5);
  if (mine.length > 0 && chance.below(3) === 0) chance.pick(mine).text += `, ${token}`;
  else list.push({ id: token, role: "agent", text: token, createdAt: "2026-02-20T08:00:00Z" });
  return JSON.stringify(list, null, 2);
}

/**
 * Whether the save is there to stay: what was changed, and all of before that was in it.
 * Half of a save is in the file for a moment, and perhaps in `conflicts/` for
 * good, so only what is not in the file after a while is looked for there.
 */
async function isSeen(root: string, file: string, saved: string): Promise<boolean> {
  const wanted = saved.match(TOKEN) ?? [];
  let tokens = new Set(wanted);
  let seenFrom: number | undefined;
  const started = nowMs();
  while (nowMs() < started + PATIENCE_MS) {
    const folders = nowMs() < started + MERGED_MS ? ["memory"] : ["memory", "conflicts"];
    for (const place of [path.join(root, file), ...folders.flatMap((folder) => filesIn(root, folder))]) {
      const text = tokens.size > 0 ? textOf(place) : "";
      for (const token of tokens) if (text.includes(token)) tokens.delete(token);
    }
    if (tokens.size > 0) {
      await pause(4);
      continue;
    }
    if (seenFrom !== undefined && nowMs() - seenFrom >= STANDS_MS) return true;
    seenFrom ??= nowMs();
    tokens = new Set(wanted);
    await pause(STANDS_MS);
  }
  return false;
}

function filesIn(root: string, folder: string): string[] {
  const dir = path.join(root, folder);
  return fs.existsSync(dir) ? fs.readdirSync(dir).map((name) => path.join(dir, name)) : [];
}

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    // It may be gone between two saves; folders are not read.
    return "";
  }
}
