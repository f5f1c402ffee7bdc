import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { OWNER, type ScopeId } from "../../src/model/address.js";
import type { FiledMessage, MessageId } from "../../src/model/message.js";
import { epochMs, zoneOf, type Day } from "../../src/model/time.js";
import { MemdError } from "../../src/model/errors.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import type { Disk } from "../../src/platform/disk.js";
import { printSections, printSummary } from "../../src/protocol/summary.js";
import { newPreamble, printBlock, printVerbatim } from "../../src/protocol/verbatim.js";
import { memoryDir, summaryPath } from "../../src/protocol/workspace.js";
import type { Engine } from "../../src/recall/index/engine.js";
import { memoryEngine } from "../../src/recall/index/memory.js";
import { recall } from "../../src/recall/recall.js";
import {
  indexUnfiled,
  newReconcileState,
  reconcile,
  type Reconciled,
  type ReconcileState,
} from "../../src/recall/reconcile.js";
import type { UnfiledMessage } from "../../src/recall/message-passages.js";
import { NOON, scope } from "./passage-samples.js";

const zone = zoneOf("UTC");
const DAY = "2025-03-04" as Day;

let root: string;
let engine: Engine;
let state: ReconcileState;
beforeEach(async () => {
  root = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "memd-reconcile-")));
  engine = memoryEngine();
  state = newReconcileState();
});
afterEach(() => fs.rm(root, { recursive: true, force: true }));

function filed(text: string, of: ScopeId = scope("main")): FiledMessage {
  const at = epochMs(Date.parse(`${DAY}T10:00:00Z`));
  const id = text.replaceAll(" ", "-") as MessageId;
  return {
    message: { id, role: "user", text, scope: of, createdAt: `${DAY}T10:00:00Z` },
    filedAt: at,
    belongsTo: "local",
  };
}

function verbatim(texts: readonly string[], of: ScopeId = scope("main")): string {
  const blocks = texts.map((text) => ({ raw: printBlock(filed(text, of), zone) }));
  return printVerbatim({ day: DAY, scope: of, preamble: newPreamble(DAY), blocks });
}

function summary(date: string, text: string, covers: readonly string[], of: ScopeId = scope("main")): string {
  const tier = date.length === 10 ? "day" : "month";
  const covered = covers.map((pair) => ({
    day: pair.split(" ")[0] as Day,
    hash: pair.split(" ")[1] ?? "",
    messages: 1,
  }));
  const body = printSections(date, [{ user: "local", text }]);
  return printSummary({
    tier,
    scope: of,
    date: date as Day,
    by: "builtin",
    covers: covered,
    body,
    edited: false,
  });
}

async function write(relative: string, text: string): Promise<void> {
  await fs.mkdir(path.dirname(path.join(root, relative)), { recursive: true });
  await fs.writeFile(path.join(root, relative), text);
}

const run = (unfiled: readonly UnfiledMessage[] = [], disk: Disk = nodeDisk): Promise<Reconciled> =>
  reconcile({ disk, workspace: { root }, engine, zone, pace: () => undefined }, unfiled, state);
const find = async (query: string): Promise<string[]> => {
  const settings = { min_score: 0.2, limit: 100 };
  const { hits } = await recall({ engine, zone, now: () => NOON, settings }, query, OWNER);
  return hits.map(({ passage }) => passage.text).sort();
};

describe("what is indexed", () => {
  test("an empty workspace is no error", async () => {
    expect(await run()).toEqual({ read: 0, unchanged: 0, removed: 0, skipped: [] });
  });

  test("memory.md, recent days, the archive and summaries, of every scope", async () => {
    await write("memory.md", "## Tea\nmemory tea\n");
    await write("memory/2025-03-04-a.md", verbatim(["recent tea"]));
    await write("memory/archive/2025-03/2025-03-04-b.md", verbatim(["archived tea"]));
    await write("memory/summary/2025-03-04.md", summary("2025-03-04", "summarised tea", []));
    const group = scope("group:a/b");
    await write(`${memoryDir(group)}/2025-03-04-c.md`, verbatim(["group tea"], group));
    await write(summaryPath(group, DAY), summary("2025-03-04", "group summary tea", [], group));
    expect(await run()).toEqual({ read: 6, unchanged: 0, removed: 0, skipped: [] });
    expect(await find("tea")).toHaveLength(6);
    expect(await run()).toEqual({ read: 0, unchanged: 6, removed: 0, skipped: [] });
  });

  test("what a person edits, moves or deletes leaves no ghost", async () => {
    await write("memory/2025-03-04-a.md", verbatim(["first tea", "second tea"]));
    await run();
    await write("memory/2025-03-04-a.md", verbatim(["second tea, edited"]));
    expect(await run()).toMatchObject({ read: 1 });
    expect(await find("tea")).toEqual(["second tea, edited"]);
    await fs.mkdir(path.join(root, "memory/archive/2025-03"), { recursive: true });
    await fs.rename(
      path.join(root, "memory/2025-03-04-a.md"),
      path.join(root, "memory/archive/2025-03/2025-03-04-a.md"),
    );
    expect(await run()).toMatchObject({ read: 1, removed: 1 });
    expect(await find("tea")).toEqual(["second tea, edited"]);
    await fs.rm(path.join(root, "memory"), { recursive: true });
    expect(await run()).toMatchObject({ removed: 1 });
    expect(await engine.size()).toEqual({ files: 0, passages: 0, partitions: 0 });
  });

  test("another time zone is another index", async () => {
    await write("memory/2025-03-04-a.md", verbatim(["tea"]));
    await run();
    const tokyo = {
      disk: nodeDisk,
      workspace: { root },
      engine,
      zone: zoneOf("Asia/Tokyo"),
      pace: () => undefined,
    };
    expect(await reconcile(tokyo, [], state)).toMatchObject({ read: 1 });
  });

  test("temporary and foreign files are no memory", async () => {
    await write("memory/.2025-03-04-a.md.tmp123", verbatim(["tea"]));
    await write("memory/.hidden.md", verbatim(["tea"]));
    await write("memory/notes.txt", "tea");
    await write("memory/window/main.md", "tea");
    await write("memory/README.md", "# tea\n");
    expect(await run()).toEqual({
      read: 0,
      unchanged: 0,
      removed: 0,
      skipped: [{ path: "memory/README.md", reason: "is not a verbatim day" }],
    });
  });
});

describe("messages without a block", () => {
  const unfiled = (...texts: string[]): UnfiledMessage[] =>
    texts.map((text, index) => ({ filed: filed(text), path: "journal/2025-03-04.jsonl", line: index + 1 }));

  test("are found in the journal until their block is there", async () => {
    await run(unfiled("first tea", "second tea"));
    expect(await find("tea")).toEqual(["first tea", "second tea"]);
    await write("memory/2025-03-04-a.md", verbatim(["first tea"]));
    await run(unfiled("second tea"));
    expect(await find("tea")).toEqual(["first tea", "second tea"]);
    await run([]);
    expect(await find("tea")).toEqual(["first tea"]);
    expect([...(await engine.stamps()).keys()]).toEqual(["memory/2025-03-04-a.md"]);
  });

  test("can be brought in alone", async () => {
    await indexUnfiled({ engine, zone, pace: () => undefined }, unfiled("fresh tea"));
    expect(await find("tea")).toEqual(["fresh tea"]);
  });
});

describe("bad files", () => {
  test("one that cannot be parsed is named, every time, and hides nothing else", async () => {
    await write("memory/2025-03-04-a.md", "---\nkind: [verbatim\n---\ntea");
    await write("memory/2025-03-05-b.md", verbatim(["good tea"]));
    for (const _run of [1, 2])
      expect((await run()).skipped.map((file) => file.path)).toEqual(["memory/2025-03-04-a.md"]);
    expect(await find("tea")).toEqual(["good tea"]);
    await write("memory/2025-03-04-a.md", verbatim(["repaired tea"]));
    expect((await run()).skipped).toEqual([]);
    expect(await find("tea")).toEqual(["good tea", "repaired tea"]);
  });

  test("a file that claims another scope than its folder's is left out: partitions cannot be forged", async () => {
    await write("memory/2025-03-04-a.md", verbatim(["forged tea"], scope("group:team")));
    await write("memory/scopes/work/2025-03-04-b.md", verbatim(["forged too, tea"]));
    await write("memory/scopes/work/summary/2025-03-04.md", summary("2025-03-04", "tea", [], scope("play")));
    expect((await run()).skipped.map((file) => file.path)).toHaveLength(3);
    expect(await find("tea")).toEqual([]);
  });

  test("a file whose scope is edited to another's leaves the index", async () => {
    await write("memory/scopes/work/2025-03-04-b.md", verbatim(["work tea"], scope("work")));
    await run();
    await write("memory/scopes/work/2025-03-04-b.md", verbatim(["work tea"], scope("group:team")));
    expect(await run()).toMatchObject({
      skipped: [{ reason: "is of scope group:team, not of this folder" }],
    });
    expect(await find("tea")).toEqual([]);
  });

  test("a summary under another date's name is left out", async () => {
    await write("memory/summary/2025-03-05.md", summary("2025-03-04", "tea", []));
    expect((await run()).skipped).toHaveLength(1);
  });

  test("links are not followed", async () => {
    await write("outside/2025-03-04-a.md", verbatim(["outside tea"]));
    await fs.mkdir(path.join(root, "memory"));
    await fs.symlink(path.join(root, "outside/2025-03-04-a.md"), path.join(root, "memory/2025-03-04-a.md"));
    await fs.symlink(path.join(root, "outside"), path.join(root, "memory/archive"));
    expect((await run()).skipped.map((file) => file.path)).toEqual(["memory/2025-03-04-a.md"]);
    expect(await find("tea")).toEqual([]);
  });

  test("a folder that cannot be listed, or a file that cannot be read, keeps what was known of it", async () => {
    await write("memory/archive/2025-03/2025-03-04-a.md", verbatim(["archived tea"]));
    await write("memory/2025-03-04-b.md", verbatim(["recent tea"]));
    await run();
    await write("memory/2025-03-04-b.md", verbatim(["recent tea", "more tea"]));
    const denied = (file: string): never => {
      throw new MemdError("disk_denied", `Not allowed to read ${file}.`);
    };
    const sick: Disk = {
      ...nodeDisk,
      list: async (dir) => (dir.endsWith("2025-03") ? denied(dir) : nodeDisk.list(dir)),
      read: async (file) => denied(file),
    };
    expect((await run([], sick)).skipped.map((file) => file.path).sort()).toEqual([
      "memory/2025-03-04-b.md",
      "memory/archive/2025-03",
    ]);
    expect(await find("tea")).toEqual(["archived tea", "recent tea"]);
    state = newReconcileState();
    await run();
    expect(await find("tea")).toEqual(["archived tea", "more tea", "recent tea"]);
  });
});

test("a month hides the days that it stands for, until one of them changes", async () => {
  await write("memory/summary/2025-03-04.md", summary("2025-03-04", "day tea", ["2025-03-04 aa"]));
  await write("memory/summary/2025-03-05.md", summary("2025-03-05", "other day tea", ["2025-03-05 bb"]));
  await write("memory/summary/2025-03.md", summary("2025-03", "month tea", ["2025-03-04 aa"]));
  await run();
  expect(await find("tea")).toEqual(["month tea", "other day tea"]);
  await write("memory/summary/2025-03-04.md", summary("2025-03-04", "day tea, more", ["2025-03-04 cc"]));
  await run();
  expect(await find("tea")).toEqual(["day tea, more", "month tea", "other day tea"]);
});

test("after any edits the index is what a fresh one of the same files is", async () => {
  const name = fc.constantFrom(
    "memory/2025-03-04-a.md",
    "memory/archive/2025-03/2025-03-04-b.md",
    "memory.md",
  );
  const content = fc.array(fc.constantFrom("tea one", "tea two", "rain", "年糕 tea"), {
    minLength: 1,
    maxLength: 3,
  });
  const edit = fc.tuple(
    name,
    fc.option(fc.uniqueArray(fc.constantFrom("tea one", "tea two", "rain", "年糕 tea"), { minLength: 1 })),
    content,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 6 }), async (edits) => {
      await fs.rm(path.join(root, "memory"), { recursive: true, force: true });
      await fs.rm(path.join(root, "memory.md"), { force: true });
      [engine, state] = [memoryEngine(), newReconcileState()];
      for (const [file, texts] of edits) {
        if (texts === null) await fs.rm(path.join(root, file), { force: true });
        else await write(file, file === "memory.md" ? texts.join("\n") : verbatim(texts));
        await run();
      }
      const edited = {
        found: await find("tea 年糕"),
        size: await engine.size(),
        partitions: await engine.partitions(),
      };
      [engine, state] = [memoryEngine(), newReconcileState()];
      await run();
      expect(edited).toEqual({
        found: await find("tea 年糕"),
        size: await engine.size(),
        partitions: await engine.partitions(),
      });
    }),
    { numRuns: 25 },
  );
});
