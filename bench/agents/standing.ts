/** What stands of words in a workspace, and how often: read with memd's own grammar, while it runs and afterwards. */
import fs from "node:fs/promises";
import path from "node:path";
import { parseMemos } from "../../src/protocol/memos.js";
import { parseRecords } from "../../src/protocol/records.js";
import { parseVerbatim } from "../../src/protocol/verbatim.js";

/** Where a word belongs that was acknowledged. */
export const KINDS = ["message", "remembered", "memo", "observation"] as const;
export type Kind = (typeof KINDS)[number];

export interface Standing {
  /** How often it stands where words of its kind belong. */
  count(kind: Kind, word: string): number;
}

/** A word is letters and digits with an `x` at its end, so that none is the beginning of another. */
const WORD = /\b[a-z]+\d+x\b/g;

/** Of a message it is its days that count, or, as long as it is in none, the journal. */
export async function standingIn(root: string): Promise<Standing> {
  const days: string[] = [];
  const records: string[] = [];
  for (const [file, text] of await filesUnder(root, "memory")) {
    if (file.endsWith(".jsonl")) records.push(...parseRecords(text).map((record) => record.text));
    else if (file.endsWith(".md"))
      days.push(...(parseVerbatim(text)?.blocks ?? []).map(({ filed }) => filed.message.text));
  }
  const journal = (await filesUnder(root, "journal"))
    .flatMap(([, text]) => text.split("\n").filter((line) => line !== ""))
    .map((line) => JSON.parse(line) as { op: string; message?: { text: string } })
    .flatMap(({ op, message }) => (op === "message" && message !== undefined ? [message.text] : []));
  const ends = (await filesUnder(root, "queue/pending", "queue/processing", "queue/failed")).map(
    ([, text]) => JSON.parse(text) as { memo?: string; observations?: string[] },
  );
  const counts = {
    days: counted(days),
    journal: counted(journal),
    remembered: counted([(await textAt(root, "memory.md")) ?? ""]),
    memos: counted(await memosIn(root)),
    waitingMemos: counted(ends.flatMap(({ memo }) => memo ?? [])),
    records: counted(records),
    waiting: counted(ends.flatMap(({ observations = [] }) => observations)),
  };
  const in_ = (place: keyof typeof counts, word: string): number => counts[place].get(word) ?? 0;
  return {
    count: (kind, word) => {
      switch (kind) {
        case "message":
          return in_("days", word) || in_("journal", word);
        case "remembered":
          return in_("remembered", word);
        // A job keeps its memo until its observations are worked.
        case "memo":
          return in_("memos", word) || in_("waitingMemos", word);
        case "observation":
          return in_("records", word) || in_("waiting", word);
        default:
          return kind satisfies never;
      }
    },
  };
}

/** Words of the memos; of these only the newest are kept, so they are looked at again and again. */
export async function memosIn(root: string): Promise<string[]> {
  const text = await textAt(root, "memory/memos.json");
  return text === undefined ? [] : parseMemos(text).map((memo) => memo.text);
}

export function wordsIn(text: string): string[] {
  return text.match(WORD) ?? [];
}

function counted(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of texts.flatMap(wordsIn)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

async function filesUnder(root: string, ...folders: string[]): Promise<(readonly [string, string])[]> {
  const files: (readonly [string, string])[] = [];
  for (const folder of folders) {
    const entries = await fs
      .readdir(path.join(root, folder), { recursive: true, withFileTypes: true })
      .catch(() => []);
    for (const entry of entries) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isFile()) files.push([file, await fs.readFile(file, "utf8")]);
    }
  }
  return files;
}

async function textAt(root: string, file: string): Promise<string | undefined> {
  return fs.readFile(path.join(root, file), "utf8").catch(() => undefined);
}
