/** Files of a folder, read as `memd import` would, as far as texts go. */
import fs from "node:fs";
import path from "node:path";
import { eachToldOnce } from "../../src/adapters/assemble.js";
import { readTold } from "../../src/adapters/read.js";
import { type Conversation, Skipped } from "../../src/adapters/told.js";

export function toldIn(paths: readonly string[]): {
  conversations: Conversation[];
  notes: string[];
  skipped: Skipped;
} {
  const conversations: Conversation[] = [];
  const notes: string[] = [];
  const skipped = new Skipped();
  for (const file of paths.flatMap(filesUnder)) {
    const text = fs.readFileSync(file, "utf8");
    const source = { name: path.basename(file), changedAt: fs.statSync(file).mtime.toISOString() };
    try {
      const told = readTold(() => [text], source);
      conversations.push(...(told?.conversations ?? []));
      notes.push(...(told?.notes ?? []).map((note) => note.text));
      for (const [why, times] of told?.skipped.counts ?? []) skipped.note(why, times);
    } catch (error) {
      skipped.note(`${path.basename(file)}: ${String(error)}`);
    }
  }
  return { conversations: eachToldOnce(conversations, skipped), notes, skipped };
}

function filesUnder(place: string): string[] {
  if (fs.statSync(place).isFile()) return [place];
  return fs
    .readdirSync(place)
    .sort()
    .flatMap((name) => filesUnder(path.join(place, name)));
}
