import { expect, test } from "vitest";
import { OWNER, type Viewer, viewerAt } from "../../src/model/address.js";
import { epochMs, zoneOf } from "../../src/model/time.js";
import { docsScope, parseDocument, printDocument } from "../../src/protocol/document.js";
import { newDocument } from "../../src/protocol/new-document.js";
import { documentPath } from "../../src/protocol/workspace.js";
import { passagesOfDocument, passagesOfFile } from "../../src/recall/file-passages.js";
import { memoryEngine } from "../../src/recall/index/memory.js";
import { newReconcileState, reconcile } from "../../src/recall/reconcile.js";
import { recall } from "../../src/recall/recall.js";
import { memoryWorkspace, WORKSPACE } from "../support/writer.js";
import { scope } from "./passage-samples.js";

const NOW = epochMs(Date.parse("2026-03-02T12:00:00Z"));
const zone = zoneOf("UTC");

function fileOf(
  text: string,
  more: { id?: string; scope?: string; user?: string; title?: string } = {},
): string {
  return printDocument(newDocument({ text, id: "a", title: "Handbook", ...more }, NOW));
}

function passagesIn(text: string) {
  const document = parseDocument(text);
  if (document === undefined) throw new Error("no document");
  return passagesOfDocument("memory/scopes/main%3Adocs/documents/a.md", document, NOW, zone);
}

test("a document's text is found word for word, with path, lines and the day on which it was added", () => {
  const file = fileOf("# Ferries\r\n\r\nThe ferry leaves at nine.\r\nIt takes 1.5 hours.\n");
  const passages = passagesIn(file);
  expect(passages).toMatchObject([
    {
      kind: "document",
      level: "scope",
      scope: "main:docs",
      user: "local",
      trust: "document",
      day: "2026-03-02",
      saidAt: NOW,
      text: "Handbook\n# Ferries\nThe ferry leaves at nine.\nIt takes 1.5 hours.",
    },
  ]);
  const [from = 0, to = 0] = passages[0]?.lines ?? [];
  expect(
    file
      .split("\n")
      .slice(from - 1, to)
      .join("\n"),
  ).toBe("# Ferries\r\n\r\nThe ferry leaves at nine.\r\nIt takes 1.5 hours.");
});

test("a long one is several passages, and each says on which lines it stands", () => {
  const paragraph = (n: number): string =>
    `Chapter ${n} tells ${"of boats and tides ".repeat(14)}in port ${n}.`;
  const file = fileOf(Array.from({ length: 12 }, (_, index) => paragraph(index)).join("\n\n"));
  const passages = passagesIn(file);
  expect(passages).toHaveLength(12);
  expect(new Set(passages.map(({ id }) => id)).size).toBe(12);
  for (const {
    lines: [from, to],
    text,
  } of passages) {
    expect(from).toBe(to);
    expect(text).toContain(file.split("\n")[from - 1]);
  }
});

test("secrets are out of it, also those that stand on many lines, and the lines after them keep their numbers", () => {
  const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEabcdefg\nhijklmnop\n-----END RSA PRIVATE KEY-----";
  const file = fileOf(
    `Before.\n${key}\n\n${"Many words follow it here. ".repeat(30)}\n\npassword: hunter2zz9\n`,
  );
  const passages = passagesIn(file);
  const all = passages.map(({ text }) => text).join("\n");
  expect(all).not.toMatch(/MIIE|hijklm|hunter2/);
  expect(all).toContain("[redacted:private-key]");
  const last = passages.find(({ text }) => text.includes("[redacted:password]"));
  const lines = file.split("\n");
  expect(last?.lines[1]).toBe(lines.indexOf("password: hunter2zz9") + 1);
});

test("what a person edited is indexed as it stands; without a time it is dated by its file", () => {
  const edited = fileOf("The ferry leaves at nine.")
    .replace("nine", "ten")
    .replace(/added_at: .*\n/, "");
  expect(passagesIn(edited)).toMatchObject([
    { text: "Handbook\nThe ferry leaves at ten.", day: "2026-03-02" },
  ]);
});

test("a file that is no document of its place is none", () => {
  const stat = {
    kind: "file",
    size: 1,
    mtimeMs: NOW,
    ctimeMs: NOW,
    ino: 1,
    dev: 1,
    mode: 0,
    nlink: 1,
  } as const;
  const found = (path: string, folder: string, text: string) => [
    ...passagesOfFile({ path, kind: "document", folder, stat }, Buffer.from(text), zone).passages,
  ];
  const folder = "memory/scopes/main%3Adocs";
  expect(found(documentPath(docsScope("main"), "a"), folder, fileOf("x"))).toHaveLength(1);
  expect(() => found(`${folder}/documents/a.md`, folder, "# note")).toThrow(/is not a document/);
  expect(() => found(`${folder}/documents/b.md`, folder, fileOf("x"))).toThrow(/under another name/);
  expect(() => found(`${folder}/documents/a.md`, folder, fileOf("x", { scope: "project" }))).toThrow(
    /is of scope project:docs/,
  );
  const ofMain = fileOf("x").replace("scope: main:docs", "scope: main");
  expect(() => found("memory/documents/a.md", "memory", ofMain)).toThrow(/not one of documents/);
});

test("nobody finds a document of another scope or another user, whichever folder it stands in", async () => {
  const scopes = ["main", "project", "group:g", "group:h"];
  const users = ["local", "lin", "wei"];
  const files: Record<string, string> = {};
  for (const place of scopes)
    for (const user of users) {
      const given = { id: `${user}-notes`, scope: place, user };
      files[documentPath(docsScope(place), given.id)] = fileOf(
        `The anchorage of ${place} by ${user}.`,
        given,
      );
    }
  // In a folder of another scope, and of nobody outside a group.
  files[documentPath(docsScope("main"), "stray")] = fileOf("The anchorage stray.", {
    id: "stray",
    scope: "project",
  });
  files[documentPath(docsScope("main"), "nobody")] = fileOf("The anchorage of nobody.", {
    id: "nobody",
  }).replace("user: local\n", "");
  const { disk } = await memoryWorkspace(files);
  const engine = memoryEngine();
  const parts = { disk, workspace: { root: "/w" }, engine, zone, pace: () => undefined };
  const { skipped } = await reconcile(parts, [], newReconcileState());
  expect(skipped.map(({ path }) => path)).toEqual([documentPath(docsScope("main"), "stray")]);
  const find = async (viewer: Viewer): Promise<string[]> => {
    const settings = { min_score: 0, limit: 100 };
    const found = await recall({ engine, zone, now: () => NOW, settings }, "anchorage", viewer);
    return found.hits.map(({ passage }) => passage.text.replace(/[\s\S]*of /, "")).sort();
  };
  for (const place of scopes)
    for (const user of [...users, "stranger", ""]) {
      const isGroup = place.startsWith("group:");
      const theirs = isGroup ? users : users.filter((one) => one === user);
      expect(await find(viewerAt({ user, scope: scope(place), session: "s" }))).toEqual(
        theirs.map((one) => `${place} by ${one}.`).sort(),
      );
    }
  expect(await find(OWNER)).toHaveLength(scopes.length * users.length + 1);
});

test("megabytes without a blank are cut somewhere, and stop nothing", () => {
  for (const run of ["0", "密", "a_", "😀"]) {
    const passages = passagesIn(
      fileOf(`Before it.\n\n${run.repeat(9_000_000 / Buffer.byteLength(run))}\n\nBehind it.`),
    );
    expect(passages.length).toBeGreaterThan(2000);
    expect(passages.every(({ text }) => text.length < 2000)).toBe(true);
    expect(passages.at(-1)?.text).toContain("Behind it.");
  }
});

test("a text that is too long for a pattern is left out and named, and those behind it are read", async () => {
  const folder = "memory/scopes/main%3Adocs/documents";
  const files = Object.fromEntries(
    ["a", "b"].map((id) => [`${folder}/${id}.md`, fileOf("A ferry.", { id })]),
  );
  const { disk } = await memoryWorkspace(files);
  const engine = memoryEngine();
  const tooLong: typeof engine = {
    ...engine,
    upsert: (path, stamp, passages) => {
      if (path.endsWith("/a.md")) throw new RangeError("Maximum call stack size exceeded");
      return engine.upsert(path, stamp, passages);
    },
  };
  const { read, skipped } = await reconcile(
    { disk, workspace: WORKSPACE, engine: tooLong, zone, pace: () => undefined },
    [],
    newReconcileState(),
  );
  expect(read).toBe(1);
  expect(skipped).toEqual([{ path: `${folder}/a.md`, reason: "Maximum call stack size exceeded" }]);
});
