/**
 * The agent's host and a person with an editor, on the same workspace: they
 * write with calls of their own, which do not fail, and say what must come of it.
 */
import fs from "node:fs";
import path from "node:path";
import type { Expected } from "./oracle.js";
import { BLOCKS, said } from "./workspace.js";

type Entry = Record<string, unknown>;

export class Host {
  /** By text: how many blocks there must be in the end. */
  readonly expected = new Map([...BLOCKS].map(([text, count]) => [text, { least: count, most: count }]));
  /** Texts that inbox.json must show once. */
  readonly delivered = ["waiting: when does the ferry leave", "dropped: remember the rope"];
  /** What it has begun to write and not ended. */
  torn: string[] = [];
  #inbox = "";

  constructor(readonly root: string) {}

  /** The message was taken, or it was refused: then it may have been kept all the same. */
  told(text: string, isTaken: boolean): void {
    this.expected.set(text, { least: isTaken ? 1 : 0, most: 1 });
    if (isTaken) this.delivered.push(text);
  }

  /** The conversation goes on: one message more, and an answer that has grown. */
  talk(): void {
    const list = this.#read("history.json") as Entry[];
    const grown = "today: the heron is back, with two chicks";
    for (const entry of list) if (entry["id"] === "today") entry["text"] = grown;
    list.push(said("host", "2026-02-20T12:00:05Z", "host: the tide turns at six") as Entry);
    this.#replace("history.json", JSON.stringify(list, null, 2));
    this.expected.set("host: the tide turns at six", { least: 1, most: 1 });
    this.#supersede("today: the heron is back", grown);
  }

  /** An editor that had history.json open before memd replaced it saves now. */
  saveLate(): void {
    const dir = path.join(this.root, ".memd/displaced");
    const names = fs.existsSync(dir)
      ? fs.readdirSync(dir).filter((name) => name.startsWith("history.json") && !name.endsWith(".base"))
      : [];
    const [newest] = names.map((name) => path.join(dir, name)).sort((a, b) => inodeOf(b) - inodeOf(a));
    if (newest === undefined) return;
    const list = JSON.parse(fs.readFileSync(newest, "utf8")) as Entry[];
    list.push(said("late", "2026-02-20T12:00:10Z", "late: saved into the old file") as Entry);
    fs.writeFileSync(newest, JSON.stringify(list, null, 2));
    this.expected.set("late: saved into the old file", { least: 1, most: 1 });
  }

  /** inbox.json, half of it. */
  breakInbox(): void {
    this.#inbox = fs.readFileSync(path.join(this.root, "inbox.json"), "utf8");
    fs.writeFileSync(path.join(this.root, "inbox.json"), this.#inbox.slice(0, -20));
    this.torn = ["inbox.json"];
  }

  /** All of it, with one message more. */
  mendInbox(): void {
    const data = JSON.parse(this.#inbox) as { messages: Entry[] };
    const mended = "mended: the inbox is whole again";
    data.messages.push(said("mended", "2026-02-20T12:00:20Z", mended) as Entry);
    this.#replace("inbox.json", JSON.stringify(data));
    this.torn = [];
    this.told(mended, true);
  }

  get promises(): Expected {
    return this.expected;
  }

  /** While both stand, either will do; in the end only the newer one has a block. */
  #supersede(before: string, after: string): void {
    this.expected.delete(before);
    this.expected.set(after, { least: 1, most: 1 });
  }

  #read(file: string): unknown {
    return JSON.parse(fs.readFileSync(path.join(this.root, file), "utf8"));
  }

  #replace(file: string, text: string): void {
    const temp = path.join(this.root, `host-${file}`);
    fs.writeFileSync(temp, text);
    fs.renameSync(temp, path.join(this.root, file));
  }
}

function inodeOf(file: string): number {
  return fs.statSync(file).ino;
}
