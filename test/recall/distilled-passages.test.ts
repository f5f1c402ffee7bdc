/** Records and profiles on the disk, as what a search finds of them. */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { OWNER, type ScopeId, type Viewer, viewerAt } from "../../src/model/address.js";
import type { MemoryRecord, RecordId } from "../../src/model/record.js";
import { zoneOf } from "../../src/model/time.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { printRecord } from "../../src/protocol/records.js";
import { memoryEngine } from "../../src/recall/index/memory.js";
import { recall, type Recalled } from "../../src/recall/recall.js";
import { newReconcileState, reconcile, type Reconciled } from "../../src/recall/reconcile.js";
import { NOON } from "./passage-samples.js";

const zone = zoneOf("UTC");

function record(id: string, text: string, more: Partial<MemoryRecord> = {}): MemoryRecord {
  return {
    id: id as RecordId,
    kind: "event",
    level: "scope",
    user: "local",
    scope: "main" as ScopeId,
    text,
    at: NOON,
    recordedAt: NOON,
    isAbsolute: true,
    sources: [],
    trust: "human",
    ...more,
  };
}

const lines = (...records: readonly MemoryRecord[]): string => records.map(printRecord).join("\n") + "\n";

interface Searched {
  reconciled: Reconciled;
  ask: (query: string, viewer?: Viewer) => Promise<Recalled>;
}

async function searched(files: Readonly<Record<string, string>>): Promise<Searched> {
  const root = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "memd-distilled-")));
  onTestFinished(() => fs.rm(root, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    await fs.mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await fs.writeFile(path.join(root, file), text);
  }
  const engine = memoryEngine();
  const parts = { disk: nodeDisk, workspace: { root }, engine, zone, pace: () => undefined };
  const reconciled = await reconcile(parts, [], newReconcileState());
  const settings = { min_score: 0.2, limit: 10 };
  const ask = (query: string, viewer: Viewer = OWNER): Promise<Recalled> =>
    recall({ engine, zone, now: () => NOON, settings }, query, viewer);
  return { reconciled, ask };
}

const viewer = (user: string, scope: string, session = "main"): Viewer =>
  viewerAt({ user, scope: scope as ScopeId, session });
const texts = ({ hits }: Recalled): string[] => hits.map(({ passage }) => passage.text);

test("the last line of a record is found where it stands, with its date, kind and sources", async () => {
  const first = record("r-1", "The ferry to Kyoto leaves at nine.");
  const file = "memory/records/2025-06.jsonl";
  const last = record("r-1", "The ferry to Kyoto leaves at ten.", { sources: ["q-1" as never] });
  const gone = record("r-2", "The ferry to Osaka sank.");
  const { ask } = await searched({ [file]: lines(first, gone, last, { ...gone, text: "" }) });
  const { hits } = await ask("ferry");
  expect(hits.map(({ passage }) => passage)).toMatchObject([
    { text: last.text, path: file, lines: [3, 3], day: "2025-06-15", kind: "event", messageIds: ["q-1"] },
  ]);
});

test("a line counts only where its place vouches for it", async () => {
  const other = "other" as ScopeId;
  const { ask } = await searched({
    "memory/records/2025-06.jsonl": lines(
      record("r-1", "violin of main"),
      record("r-2", "violin of another scope", { scope: other }),
      record("r-3", "violin of a user", { level: "user", user: "lin" }),
    ),
    "memory/scopes/other/records/2025-06.jsonl": lines(
      record("r-4", "violin of other", { scope: other }),
      record("r-5", "violin of main in other"),
    ),
    "memory/records/users/lin.jsonl": lines(
      record("r-6", "violin of lin", { level: "user", user: "lin" }),
      record("r-7", "violin of wei", { level: "user", user: "wei" }),
      record("r-8", "violin of the scope", { user: "lin" }),
    ),
  });
  expect(texts(await ask("violin")).sort()).toEqual(["violin of lin", "violin of main", "violin of other"]);
});

test("a user's are found in every scope, a session's in its own, and by nobody else", async () => {
  const { ask } = await searched({
    "memory/records/users/lin.jsonl": lines(
      record("r-1", "violin at user level", { level: "user", user: "lin" }),
    ),
    "memory/scopes/band/records/2025-06.jsonl": lines(
      record("r-2", "violin in one session", {
        kind: "fact",
        level: "session",
        user: "lin",
        scope: "band" as ScopeId,
        session: "s1",
      }),
    ),
  });
  expect(texts(await ask("violin", viewer("lin", "main")))).toEqual(["violin at user level"]);
  expect(texts(await ask("violin", viewer("lin", "band", "s1"))).sort()).toEqual([
    "violin at user level",
    "violin in one session",
  ]);
  expect(texts(await ask("violin", viewer("wei", "band", "s1")))).toEqual([]);
});

test("profiles are found by what they say, and one under another's name is left out", async () => {
  const profile = (entity: string, id: string, body: string): string =>
    `---\nentity_type: ${entity}\nentity_id: ${id}\nname: Lin Yue\ntags:\n  - music\nupdated_at: "2025-03-04T10:00:00Z"\n---\n\n${body}\n`;
  const { ask, reconciled } = await searched({
    "memory/profiles/users/lin.md": profile("user", "lin", "- plays the violin\n- drinks oolong"),
    "memory/profiles/users/wei.md": profile("user", "lin", "- steals violins"),
    "memory/profiles/groups/band.md": profile("group", "band", "- meets to play violin on Mondays"),
  });
  const found = await ask("violin", viewer("lin", "group:band"));
  expect(
    found.hits.map(({ passage: { kind, path: file, day, lines: at } }) => [kind, file, day, at]),
  ).toEqual(
    expect.arrayContaining([
      ["profile", "memory/profiles/users/lin.md", "2025-03-04", [10, 11]],
      ["profile", "memory/profiles/groups/band.md", "2025-03-04", [10, 10]],
    ]),
  );
  expect(found.hits).toHaveLength(2);
  expect(texts(await ask("violin", viewer("wei", "main")))).toEqual([]);
  expect(reconciled.skipped).toEqual([
    { path: "memory/profiles/users/wei.md", reason: "is of user lin, not of this name" },
  ]);
});
