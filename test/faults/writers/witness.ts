/** What a workspace holds when all is over: read with the eyes of the protocol, not with memd's memory. */
import fs from "node:fs";
import path from "node:path";
import { parseVerbatim } from "../../../src/protocol/verbatim.js";

export interface Holding {
  /** Texts by message id, of each verbatim block. */
  blocks: { id: string; text: string }[];
  history: { id?: string; text: string }[];
  inbox: { id?: string; text: string }[];
  /** Distinct ids whose message has a line. */
  journal: Map<string, string[]>;
  conflicts: { name: string; text: string }[];
  memory: string;
}

export function whatStands(root: string): Holding {
  const journal = new Map<string, string[]>();
  for (const file of filesUnder(root, "journal")) {
    for (const line of fs.readFileSync(file, "utf8").split("\n")) {
      const entry =
        line === ""
          ? undefined
          : (JSON.parse(line) as { op: string; message?: { id: string; text: string } });
      const message = entry?.op === "message" ? entry.message : undefined;
      if (message !== undefined) journal.set(message.id, [...(journal.get(message.id) ?? []), message.text]);
    }
  }
  return {
    blocks: filesUnder(root, "memory")
      .filter((file) => !file.includes(`${path.sep}summary${path.sep}`))
      .flatMap((file) => parseVerbatim(fs.readFileSync(file, "utf8"))?.blocks ?? [])
      .map(({ filed: { message } }) => ({ id: message.id, text: message.text })),
    history: listIn(root, "history.json"),
    inbox: listIn(root, "inbox.json"),
    journal,
    conflicts: filesUnder(root, "conflicts").map((file) => ({
      name: path.basename(file),
      text: fs.readFileSync(file, "utf8"),
    })),
    memory: fs.existsSync(path.join(root, "memory.md"))
      ? fs.readFileSync(path.join(root, "memory.md"), "utf8")
      : "",
  };
}

function filesUnder(root: string, folder: string): string[] {
  const dir = path.join(root, folder);
  if (!fs.existsSync(dir)) return [];
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const relative = path.join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(root, relative) : [path.join(root, relative)];
  });
}

function listIn(root: string, file: string): { id?: string; text: string }[] {
  const place = path.join(root, file);
  if (!fs.existsSync(place)) return [];
  return JSON.parse(fs.readFileSync(place, "utf8")) as { id?: string; text: string }[];
}

export function timesOf<T>(items: readonly T[]): Map<T, number> {
  const times = new Map<T, number>();
  for (const item of items) times.set(item, (times.get(item) ?? 0) + 1);
  return times;
}
