/** Documents of a running memd: added, read from files, replaced, edited and removed, on a disk in memory. */
import { describe, expect, test } from "vitest";
import { OWNER, type ScopeId } from "../../src/model/address.js";
import type { MessageId } from "../../src/model/message.js";
import type { MemoryRecord, RecordId } from "../../src/model/record.js";
import { epochMs, MINUTE_MS } from "../../src/model/time.js";
import { documentSource, parseDocument } from "../../src/protocol/document.js";
import type { DocumentJob } from "../../src/protocol/queue-job.js";
import { parseRecords, printRecord } from "../../src/protocol/records.js";
import { addDocument, listDocuments, removeDocument } from "../../src/service/documents.js";
import { sourceFiles } from "../../src/documents/sources.js";
import { documentWindow } from "../../src/protocol/documents.js";
import { openStage, type Stage } from "../support/stage.js";
import { memoryWorkspace } from "../support/writer.js";
import { handClock } from "../support/hand-clock.js";

const DOCS = "memory/scopes/main%3Adocs";
const WAITING = { cognitive: { enabled: false } };
const WATCHED = { ...WAITING, documents: ["notes/**/*.md"] };

/** Jobs wait in the queue, so that they can be looked at. */
async function started(files: Record<string, unknown> = {}, settings: object = WAITING): Promise<Stage> {
  const stage = await openStage(files, { settings });
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.idle();
  return stage;
}

/** What the next minute brings. */
async function looked({ supervisor }: Stage): Promise<void> {
  supervisor.documents.poll({ isRescan: true });
  await supervisor.documents.over();
  await supervisor.idle();
}

function under({ disk }: Stage, folder: string): string[] {
  const names = Object.keys(disk.files()).filter((file) => file.startsWith(`/w/${folder}/`));
  return names.map((file) => file.slice(`/w/${folder}/`.length)).sort();
}

function jobsOf(stage: Stage): DocumentJob[] {
  return under(stage, "queue/pending").map(
    (name) => JSON.parse(stage.read(`queue/pending/${name}`)) as DocumentJob,
  );
}

async function found({ supervisor }: Stage, query: string): Promise<string[]> {
  await supervisor.settled();
  const { hits } = await supervisor.search.find(query, OWNER, {});
  return hits.map(({ passage }) => `${passage.kind}: ${passage.text}`);
}

const named = (stage: Stage, event: string): object[] => stage.events.filter((one) => one.event === event);

function record(id: string, sources: readonly string[], more: Partial<MemoryRecord> = {}): MemoryRecord {
  const at = epochMs(Date.parse("2026-02-20T10:00:00Z"));
  return {
    id: id as RecordId,
    kind: "fact",
    level: "scope",
    user: "local",
    scope: "main:docs" as ScopeId,
    session: "documents",
    text: `Fact ${id} of the boathouse.`,
    at,
    recordedAt: at,
    isAbsolute: true,
    sources: sources as MessageId[],
    trust: "document",
    ...more,
  };
}

test("a document that is added while its folder is looked through is there all the same", async () => {
  const stage = await started();
  const { disk, supervisor } = stage;
  await addDocument(supervisor, { text: "One.", id: "one" });
  const list = disk.list.bind(disk);
  const [isListed, goOn] = [gate(), gate()];
  disk.list = async (...of) => {
    const entries = await list(...of);
    if (!of[0].endsWith("/documents")) return entries;
    isListed.open();
    await goOn.opened;
    return entries;
  };
  const listed = listDocuments(supervisor);
  await isListed.opened;
  disk.list = list;
  await addDocument(supervisor, { text: "Two.", id: "two" });
  goOn.open();
  expect((await listed).map(({ id }) => id)).toEqual(["one", "two"]);
});

function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe("a text that is added", () => {
  test("stands under its id, is found word for word, and waits for the historian window by window", async () => {
    const stage = await started({}, { ...WAITING, historian: { document_window_chars: 100 } });
    const paragraph = "The ferry leaves at nine and takes an hour and a half to cross the bay.";
    const text = Array.from({ length: 4 }, (_, index) => `${paragraph} ${index}`).join("\n\n");
    const added = await addDocument(stage.supervisor, { text, id: "ferry", title: "Ferry handbook" });
    expect(added).toMatchObject({
      outcome: "added",
      id: "ferry",
      scope: "main",
      user: "local",
      edited: false,
    });
    const document = parseDocument(stage.read(`${DOCS}/documents/ferry.md`));
    expect(document).toMatchObject({ body: text, windowChars: 100, scope: "main:docs" });
    const jobs = jobsOf(stage);
    expect(jobs.map(({ window }) => window)).toEqual([1, 2, 3, 4]);
    expect(jobs[0]).toEqual({
      version: 1,
      kind: "document",
      createdAt: added.addedAt,
      user: "local",
      scope: "main:docs",
      session: "documents",
      document: "ferry",
      hash: document?.hash,
      window: 1,
    });
    const { writer, workspace } = stage.supervisor.archive.context;
    const windows = await Promise.all(jobs.map((job) => documentWindow(writer, workspace, job)));
    expect(windows.map((window) => window?.text).join("")).toBe(text);
    expect(windows[0]).toMatchObject({ title: "Ferry handbook" });
    expect(await found(stage, "ferry handbook crossing")).toEqual([
      expect.stringMatching(/^document: Ferry handbook/),
    ]);
  });

  test("again changes nothing at all", async () => {
    const stage = await started();
    await addDocument(stage.supervisor, { text: "The ferry leaves at nine.", id: "ferry" });
    const standing = stage.disk.files();
    expect(
      await addDocument(stage.supervisor, { text: "The ferry leaves at nine.", id: "ferry" }),
    ).toMatchObject({
      outcome: "same",
    });
    expect(under(stage, "queue/pending")).toHaveLength(1);
    expect(stage.read(`${DOCS}/documents/ferry.md`)).toBe(standing[`/w/${DOCS}/documents/ferry.md`]);
  });

  test("under an id that stands replaces it as a whole: its records go, and jobs of the old text do nothing", async () => {
    const stage = await started();
    await addDocument(stage.supervisor, { text: "The ferry leaves at nine.", id: "ferry" });
    const [old] = jobsOf(stage);
    if (old === undefined) throw new Error("no job");
    const ofOld = documentSource("ferry", old.hash);
    const ofOther = documentSource("rules", "0123456789abcdef");
    await stage.disk.makeDir(`/w/${DOCS}/records`);
    const kept = [
      record("said", ["m-1"]),
      record("borne-out", [ofOld, "m-2"]),
      // Of another scope, and nobody's here.
      record("stray", [documentSource("ferry", "ffffffffffffffff")], { scope: "project:docs" as ScopeId }),
    ];
    const gone = [record("old", [ofOld]), record("never", [ofOther])];
    const lines = [...kept, ...gone, { ...gone[0]!, text: "Fact old, once more." }].map(printRecord);
    stage.write(`${DOCS}/records/2026-02.jsonl`, ["{torn", ...lines, ""].join("\n"));
    expect(await found(stage, "boathouse fact old")).toContain("fact: Fact old, once more.");

    const replaced = await addDocument(stage.supervisor, { text: "The ferry leaves at ten.", id: "ferry" });
    expect(replaced).toMatchObject({ outcome: "replaced" });
    expect(stage.read(`${DOCS}/records/2026-02.jsonl`)).toBe(
      ["{torn", ...kept.map(printRecord), ""].join("\n"),
    );
    const { writer, workspace } = stage.supervisor.archive.context;
    expect(await documentWindow(writer, workspace, old)).toBeUndefined();
    const fresh = jobsOf(stage).find(({ hash }) => hash !== old.hash);
    expect(fresh && (await documentWindow(writer, workspace, fresh))).toMatchObject({
      text: "The ferry leaves at ten.",
    });
    expect((await found(stage, "ferry leaves")).join()).toMatch(/ten/);
    expect((await found(stage, "ferry leaves")).join()).not.toMatch(/nine/);
    expect(named(stage, "document_records_removed")).toEqual([expect.objectContaining({ records: 2 })]);
  });

  test("goes with its records when it is removed, whatever scope it is of", async () => {
    const stage = await started();
    const first = await addDocument(stage.supervisor, { text: "The ferry leaves at nine.", id: "a/b c" });
    await addDocument(stage.supervisor, { text: "Of the group.", id: "a/b c", scope: "group:g" });
    const [job] = jobsOf(stage);
    await stage.disk.makeDir(`/w/${DOCS}/records`);
    stage.write(
      `${DOCS}/records/2026-02.jsonl`,
      `${printRecord(record("r", [documentSource("a/b c", job?.hash ?? "")]))}\n`,
    );
    await expect(removeDocument(stage.supervisor, "a/b c")).rejects.toMatchObject({
      code: "document_unknown",
    });
    await expect(removeDocument(stage.supervisor, "b")).rejects.toMatchObject({ code: "document_unknown" });
    expect(await removeDocument(stage.supervisor, "a/b c", "main")).toMatchObject({ file: first.file });
    expect(under(stage, `${DOCS}/documents`)).toEqual([]);
    expect(under(stage, `${DOCS}/records`)).toEqual([]);
    expect(await found(stage, "ferry leaves")).toEqual([]);
    expect((await listDocuments(stage.supervisor)).map(({ scope, user }) => [scope, user])).toEqual([
      ["group:g", undefined],
    ]);
  });

  test("what its records overruled holds again once it is removed, in another file too", async () => {
    const stage = await started();
    await addDocument(stage.supervisor, { text: "The ferry leaves at nine.", id: "ferry" });
    const [job] = jobsOf(stage);
    const recordedAt = epochMs(Date.parse("2026-02-20T10:00:00Z"));
    const older = record("older", ["m-1"], { text: "The boathouse is red." });
    const newer = record("newer", [documentSource("ferry", job?.hash ?? "")], {
      text: "The boathouse is blue.",
      supersedes: older.id,
    });
    const overruled = { ...older, supersededBy: newer.id, supersededAt: recordedAt };
    await stage.disk.makeDir(`/w/${DOCS}/records`);
    stage.write(`${DOCS}/records/2026-01.jsonl`, `${printRecord(overruled)}\n`);
    stage.write(`${DOCS}/records/2026-02.jsonl`, `${printRecord(newer)}\n`);
    await removeDocument(stage.supervisor, "ferry");
    expect(parseRecords(stage.read(`${DOCS}/records/2026-01.jsonl`))).toEqual([older]);
  });

  test("of the library is taken over by the next look: its jobs are made, once", async () => {
    const stage = await started();
    await addDocument(stage.supervisor, { text: "The ferry leaves at nine.", id: "ferry" });
    const [name = ""] = under(stage, "queue/pending");
    await stage.disk.unlink(`/w/queue/pending/${name}`);
    const file = `${DOCS}/documents/ferry.md`;
    // As the library leaves it, and as it stands when memd is killed after the jobs.
    stage.write(file, stage.read(file).replace(/window_chars: .*\n/, ""));
    await looked(stage);
    expect(under(stage, "queue/pending")).toEqual([name]);
    expect(stage.read(file)).toContain("window_chars: 8000");
    await stage.disk.unlink(`/w/queue/pending/${name}`);
    await looked(stage);
    expect(under(stage, "queue/pending")).toEqual([]);
  });
});

describe("files that memd.toml names", () => {
  test("are read, read again when they change, and take their document with them", async () => {
    const stage = await started(
      { "notes/deep/ferry.md": "# Ferries\n\nThe ferry leaves at nine.", "notes/a.txt": "no" },
      WATCHED,
    );
    const file = `${DOCS}/documents/notes%2Fdeep%2Fferry.md`;
    expect(parseDocument(stage.read(file))).toMatchObject({
      id: "notes/deep/ferry",
      user: "local",
      title: "Ferries",
      source: "notes/deep/ferry.md",
      body: "# Ferries\n\nThe ferry leaves at nine.",
    });
    expect(under(stage, `${DOCS}/documents`)).toHaveLength(1);
    expect(await found(stage, "ferry leaves")).toHaveLength(1);

    stage.write("notes/deep/ferry.md", "# Ferries\n\nThe ferry leaves at ten o'clock.");
    await looked(stage);
    expect((await found(stage, "ferry leaves")).join()).toMatch(/ten o'clock/);
    expect(jobsOf(stage)).toHaveLength(2);

    await stage.disk.unlink("/w/notes/deep/ferry.md");
    await looked(stage);
    expect(under(stage, `${DOCS}/documents`)).toEqual([]);
    expect(await found(stage, "ferry leaves")).toEqual([]);
    expect(named(stage, "edit_conflict")).toEqual([]);
  });

  test("are not read when they have not changed, after a restart neither", async () => {
    const clock = handClock(epochMs(Date.parse("2026-02-20T12:00:00Z")));
    const stage = await openStage(
      { "notes/a.md": "The ferry leaves at nine." },
      { settings: WATCHED, clock },
    );
    const reads: string[] = [];
    stage.disk.before((operation, path) => {
      if (operation === "read" && path.includes("/notes/")) reads.push(path);
    });
    await stage.supervisor.start({ watch: false, work: true });
    await stage.supervisor.idle();
    await looked(stage);
    expect(reads).toEqual(["/w/notes/a.md"]);
    // Touched: read once more, and nothing is made of it but a note.
    await clock.advance(MINUTE_MS);
    stage.disk.writeInPlace("/w/notes/a.md", "The ferry leaves at nine.");
    await looked(stage);
    await looked(stage);
    expect(reads).toHaveLength(2);
    expect(named(stage, "document_added")).toHaveLength(1);
    await stage.supervisor.stop();
    const { supervisorOn } = await import("../support/supervisor-in-memory.js");
    const again = supervisorOn(stage.disk, clock, { settings: WATCHED });
    await again.start({ watch: false, work: true });
    await again.idle();
    expect(reads).toHaveLength(2);
    await again.stop();
  });

  test("a document whose file is named no longer goes; one that was added by hand stays", async () => {
    const stage = await started({ "notes/a.md": "The ferry leaves at nine." }, WATCHED);
    await addDocument(stage.supervisor, { text: "By hand.", id: "mine", source: "mine.md" });
    await stage.supervisor.stop();
    const { supervisorOn } = await import("../support/supervisor-in-memory.js");
    const { clock } = stage.supervisor.parts;
    const again = supervisorOn(stage.disk, clock, { settings: { ...WAITING, documents: ["other/*.md"] } });
    await again.start({ watch: false, work: true });
    await again.idle();
    expect(under(stage, `${DOCS}/documents`)).toEqual(["mine.md"]);
    await again.stop();
  });

  test("that are no text are left out, said once, and take what they said before with them", async () => {
    const stage = await started(
      { "notes/a.md": "The ferry leaves at nine.", "notes/b.md": " \n", "notes/c.md": "a\0b" },
      WATCHED,
    );
    expect(under(stage, `${DOCS}/documents`)).toEqual(["notes%2Fa.md"]);
    stage.write("notes/a.md", "");
    await looked(stage);
    await looked(stage);
    expect(under(stage, `${DOCS}/documents`)).toEqual([]);
    expect(named(stage, "document_skipped")).toEqual([
      expect.objectContaining({ file: "notes/b.md", reason: "is empty" }),
      expect.objectContaining({ file: "notes/c.md", reason: expect.stringContaining("binary") as string }),
      expect.objectContaining({ file: "notes/a.md", reason: "is empty" }),
    ]);
    stage.write("notes/b.md", "Now it says something.");
    await looked(stage);
    expect(under(stage, `${DOCS}/documents`)).toEqual(["notes%2Fb.md"]);
  });

  test("that memd may not read for now keep their document", async () => {
    const stage = await started({ "notes/a.md": "The ferry leaves at nine." }, WATCHED);
    stage.write("notes/a.md", "The ferry leaves at ten o'clock.");
    let denied = true;
    stage.disk.before((operation, path) => {
      if (denied && operation === "read" && path === "/w/notes/a.md")
        throw Object.assign(new Error("no"), { code: "EACCES" });
    });
    await looked(stage);
    expect(stage.read(`${DOCS}/documents/notes%2Fa.md`)).toContain("nine");
    denied = false;
    await looked(stage);
    expect(stage.read(`${DOCS}/documents/notes%2Fa.md`)).toContain("ten o'clock");
  });

  test("another user's document under that id is left alone", async () => {
    const stage = await started({}, WATCHED);
    await addDocument(stage.supervisor, { text: "Of Lin.", id: "notes/a", user: "lin" });
    await stage.disk.makeDir("/w/notes");
    stage.write("notes/a.md", "Mine.");
    await looked(stage);
    expect(stage.read(`${DOCS}/documents/notes%2Fa.md`)).toContain("Of Lin.");
    expect(named(stage, "document_skipped")).toHaveLength(1);
  });

  test("cannot be replaced or removed by hand while they are there", async () => {
    const stage = await started({ "notes/a.md": "The ferry leaves at nine." }, WATCHED);
    await expect(addDocument(stage.supervisor, { text: "other", id: "notes/a" })).rejects.toMatchObject({
      code: "value_invalid",
      message: expect.stringContaining("read from notes/a.md") as string,
    });
    await expect(removeDocument(stage.supervisor, "notes/a")).rejects.toMatchObject({
      code: "value_invalid",
    });
    expect(stage.read(`${DOCS}/documents/notes%2Fa.md`)).toContain("nine");
  });

  test("a disk that refuses is told, and the next look does what is left", async () => {
    const stage = await openStage({ "notes/a.md": "The ferry leaves at nine." }, { settings: WATCHED });
    let full = true;
    stage.disk.before((operation, path) => {
      if (full && operation === "create" && path.includes("/documents/"))
        throw Object.assign(new Error("full"), { code: "ENOSPC" });
    });
    await stage.supervisor.start({ watch: false, work: true });
    await expect(stage.supervisor.idle()).rejects.toMatchObject({ code: "disk_full" });
    full = false;
    await stage.supervisor.stop();
    const { supervisorOn } = await import("../support/supervisor-in-memory.js");
    const again = supervisorOn(stage.disk, stage.supervisor.parts.clock, { settings: WATCHED });
    await again.start({ watch: false, work: true });
    await again.idle();
    expect(under(stage, `${DOCS}/documents`)).toEqual(["notes%2Fa.md"]);
    await again.stop();
  });
});

describe("a person who edits a document", () => {
  test("is found as they wrote it, byte for byte, until its source says something else; then both are kept", async () => {
    const stage = await started({ "notes/a.md": "The ferry leaves at nine." }, WATCHED);
    const file = `${DOCS}/documents/notes%2Fa.md`;
    const edited = stage.read(file).replace("at nine", "at midnight");
    stage.write(file, edited);
    await looked(stage);
    expect(stage.read(file)).toBe(edited);
    expect((await found(stage, "ferry leaves")).join()).toMatch(/midnight/);

    stage.write("notes/a.md", "The ferry leaves at ten o'clock.");
    await looked(stage);
    expect(stage.read(file)).toContain("ten o'clock");
    const [conflict = ""] = under(stage, "conflicts");
    expect(stage.read(`conflicts/${conflict}`)).toBe(edited);
    expect(named(stage, "edit_conflict")).toEqual([expect.objectContaining({ file })]);
  });

  test("finds their version in conflicts when the source goes", async () => {
    const stage = await started({ "notes/a.md": "The ferry leaves at nine." }, WATCHED);
    const file = `${DOCS}/documents/notes%2Fa.md`;
    stage.write(file, stage.read(file).replace("at nine", "at midnight"));
    await stage.disk.unlink("/w/notes/a.md");
    await looked(stage);
    expect(under(stage, `${DOCS}/documents`)).toEqual([]);
    expect(under(stage, "conflicts")).toHaveLength(1);
  });

  test("and leaves a head that cannot be read loses neither the text nor what was found in it", async () => {
    const stage = await started();
    await addDocument(stage.supervisor, { text: "The ferry leaves at nine.", id: "ferry" });
    const [job] = jobsOf(stage);
    await stage.disk.makeDir(`/w/${DOCS}/records`);
    const line = `${printRecord(record("r", [documentSource("ferry", job?.hash ?? "")]))}\n`;
    stage.write(`${DOCS}/records/2026-02.jsonl`, line);
    stage.write(
      `${DOCS}/documents/ferry.md`,
      stage.read(`${DOCS}/documents/ferry.md`).replace("chars:", "chars: ["),
    );
    await looked(stage);
    expect(stage.read(`${DOCS}/records/2026-02.jsonl`)).toBe(line);
    expect(stage.read(`${DOCS}/documents/ferry.md`)).toContain("chars: [");
  });

  test("and deletes one has its records gone by the next look", async () => {
    const stage = await started();
    await addDocument(stage.supervisor, { text: "The ferry leaves at nine.", id: "ferry" });
    const [job] = jobsOf(stage);
    await stage.disk.makeDir(`/w/${DOCS}/records`);
    stage.write(
      `${DOCS}/records/2026-02.jsonl`,
      `${printRecord(record("r", [documentSource("ferry", job?.hash ?? "")]))}\n`,
    );
    await looked(stage);
    expect(stage.read(`${DOCS}/records/2026-02.jsonl`)).not.toBe("");
    await stage.disk.unlink(`/w/${DOCS}/documents/ferry.md`);
    await looked(stage);
    expect(stage.read(`${DOCS}/records/2026-02.jsonl`)).toBe("");
  });
});

describe("the walk to them", () => {
  const files = {
    "notes/a.md": "a",
    "notes/.hidden/b.md": "b",
    "notes/node_modules/c.md": "c",
    "notes/deep/d.md": "d",
    "memory/2026-02-20-x.md": "m",
    "memory.md": "m",
    "SOUL.md": "s",
    "README.md": "r",
    "queue/q.md": "q",
    ".memd/x.md": "x",
  };

  test("sees what is named, and never what is hidden or memd's own", async () => {
    const { disk } = await memoryWorkspace(files);
    const paths = async (...globs: string[]): Promise<string[]> =>
      (await sourceFiles(disk, { root: "/w" }, globs)).files.map(({ path }) => path);
    expect(await paths("**/*.md")).toEqual(["README.md", "notes/a.md", "notes/deep/d.md"]);
    expect(await paths("notes/*.md")).toEqual(["notes/a.md"]);
    expect(await paths("README.md", "notes/deep/**")).toEqual(["README.md", "notes/deep/d.md"]);
    expect(await paths()).toEqual([]);
    expect(await paths("memory/**", ".memd/*.md", "{queue,notes}/[a-z].md")).toEqual(["notes/a.md"]);
  });

  test("looks into no folder that no glob leads to", async () => {
    const { disk } = await memoryWorkspace({ ...files, "other/deep/x.md": "x" });
    const listed: string[] = [];
    disk.before((operation, path) => {
      if (operation === "list") listed.push(path);
    });
    await sourceFiles(disk, { root: "/w" }, ["notes/deep/*.md"]);
    expect(listed).toEqual(["/w", "/w/notes", "/w/notes/deep"]);
  });

  test("ends at its limits, says so, and what is known of the rest is kept", async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`notes/${index}.md`, "x"]));
    const { disk } = await memoryWorkspace(many);
    const walk = (most: { names: number; files: number }) =>
      sourceFiles(disk, { root: "/w" }, ["notes/**"], most);
    expect((await walk({ names: 31, files: 30 })).unseen).toEqual([]);
    const byFiles = await walk({ names: 1000, files: 10 });
    expect(byFiles.files).toHaveLength(10);
    expect(byFiles.unseen).toMatchObject([
      { reason: expect.stringContaining("more than 10 documents") as string },
    ]);
    const byNames = await walk({ names: 20, files: 1000 });
    expect(byNames.files).toHaveLength(19);
    expect(byNames.unseen).toMatchObject([
      { reason: expect.stringContaining("more than 20 names") as string },
    ]);
  });
});
