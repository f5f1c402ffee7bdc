/** What stands where something was found, as whoever asks may read it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { OWNER, type ScopeId, type Viewer, viewerAt } from "../../src/model/address.js";
import { listSources, readSource } from "../../src/service/sources.js";
import { sourceNamed, sourceUri } from "../../src/service/source-name.js";
import type { Memd } from "../../src/service/memd.js";
import { said } from "../support/archive-desk.js";
import { record, recordLines } from "../support/records.js";
import { openStage } from "../support/stage.js";

const at = (user: string, scope = "main", session = "main"): Viewer =>
  viewerAt({ user, scope: scope as ScopeId, session });

const time = (minute: number): string => `2026-02-19T10:${String(minute).padStart(2, "0")}:00Z`;

async function memory(files: Record<string, unknown>): Promise<Memd> {
  const { supervisor: memd } = await openStage(files);
  await memd.start({ watch: false, work: false });
  await memd.archiveNow();
  await memd.settled();
  return memd;
}

const pathsOf = async (memd: Memd, viewer: Viewer): Promise<string[]> =>
  (await listSources(memd, viewer, {})).sources.map(({ path }) => path);

const textOf = async (memd: Memd, viewer: Viewer, path: string): Promise<string[]> =>
  (await readSource(memd, viewer, { path })).parts.map(({ text }) => text);

const SHARED = {
  "memory.md": "## Notes\n\n- The gate code is in the drawer.\n",
  "history.json": [
    { ...said("a", time(1), "of Lin"), user: "lin" },
    { ...said("b", time(2), "of Wei"), user: "wei" },
    { ...said("c", time(3), "between us"), user: "lin", private: true },
    { ...said("d", time(4), "key sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"), user: "lin" },
  ],
};

test("of a day that several share each reads their own lines, without secrets and what is private", async () => {
  const memd = await memory(SHARED);
  const [day = ""] = (await pathsOf(memd, at("lin"))).filter((path) => path.startsWith("memory/2026-02-19"));
  expect(await textOf(memd, at("lin"), day)).toEqual(["of Lin", expect.not.stringContaining("sk-proj")]);
  expect(await textOf(memd, at("wei"), day)).toEqual(["of Wei"]);
  expect(await textOf(memd, OWNER, day)).toEqual(["of Lin", "of Wei", expect.any(String)]);
  await expect(readSource(memd, at("ana"), { path: day })).rejects.toMatchObject({ code: "source_unknown" });
});

test("what may not be read is in no list, and is told of as what is not there", async () => {
  const memd = await memory(SHARED);
  expect(await pathsOf(memd, OWNER)).toContain("memory.md");
  expect(await pathsOf(memd, at("local"))).toEqual(["memory.md"]);
  expect(await pathsOf(memd, at("ana"))).toEqual([]);
  const refusals = await Promise.all(
    ["memory.md", "memory/none.md", ".memd/token", "../w/memory.md", "history.json"].map((path) =>
      readSource(memd, at("wei"), { path }).catch((error: unknown) => error),
    ),
  );
  for (const refused of refusals) expect(refused).toMatchObject({ code: "source_unknown" });
});

test("what is of a session is read there alone", async () => {
  const of = (session: string) =>
    ({ kind: "fact", level: "session", user: "lin", scope: "main", session }) as const;
  const file = "memory/records/2026-02.jsonl";
  const others = Array.from({ length: 1100 }, (_, n) => record(`o-${n}`, `Fact ${n}.`, of("s-3")));
  const memd = await memory({
    [file]: recordLines(
      ...others,
      record("r-1", "Fact of one.", of("s-1")),
      record("r-2", "Fact of two.", of("s-2")),
    ),
  });
  expect(await textOf(memd, at("lin", "main", "s-1"), file)).toEqual(["Fact of one."]);
  const { parts } = await readSource(memd, OWNER, { path: file, from: 1101 });
  expect(parts.map(({ text }) => text)).toEqual(["Fact of one.", "Fact of two."]);
  await expect(readSource(memd, at("lin"), { path: file })).rejects.toMatchObject({ code: "source_unknown" });
});

test("goes on where it stopped: read to the end it is the same as read at once, however small the pieces", async () => {
  const words = Array.from({ length: 400 }, (_, n) => `word${n} 渡船`).join(" ");
  const lines = [1, 2, 3, 4, 5, 6].map((n) =>
    said(`m-${n}`, time(n), n === 3 ? words : `line ${n} ${"tea ".repeat(n * 9)}`),
  );
  const memd = await memory({ "history.json": lines });
  const [path = ""] = (await pathsOf(memd, OWNER)).filter((one) => one.startsWith("memory/2026"));
  const whole = (await readSource(memd, OWNER, { path, max_tokens: 50_000 })).parts;
  const read: { line: number; text: string }[] = [];
  let next: { from: number; offset: number } | undefined = { from: 1, offset: 0 };
  while (next !== undefined) {
    const stretch: Awaited<ReturnType<typeof readSource>> = await readSource(memd, OWNER, {
      path,
      ...next,
      max_tokens: 100,
    });
    expect(stretch.parts.length).toBeGreaterThan(0);
    for (const {
      lines: [line],
      text,
    } of stretch.parts) {
      const last = read.at(-1);
      if (last?.line === line) last.text += text;
      else read.push({ line, text });
    }
    next = stretch.next;
  }
  expect(read).toEqual(whole.map(({ lines: [line], text }) => ({ line, text })));
  const some = await readSource(memd, OWNER, {
    path,
    from: whole[1]?.lines[0] ?? 0,
    to: whole[2]?.lines[0] ?? 0,
  });
  expect(some.parts.map(({ lines: [line] }) => line)).toEqual([whole[1]?.lines[0], whole[2]?.lines[0]]);
});

test("a line of the journal leads to its message's day once it has one, and nobody to another's", async () => {
  const { supervisor: memd } = await openStage(SHARED);
  await memd.start({ watch: false, work: false });
  await memd.settled();
  const line = async (viewer: Viewer, text: string): Promise<number> => {
    const [path = ""] = (await pathsOf(memd, viewer)).filter((one) => one.startsWith("journal/"));
    const { parts } = await readSource(memd, viewer, { path });
    return parts.find((part) => part.text === text)?.lines[0] ?? 0;
  };
  const [lins, weis] = [await line(at("lin"), "of Lin"), await line(at("wei"), "of Wei")];
  const [journal = ""] = await pathsOf(memd, at("lin"));
  expect(journal).toMatch(/^journal\//);
  await memd.archiveNow();
  await memd.settled();
  const led = await readSource(memd, at("lin"), { path: journal, from: lins, to: lins });
  expect(led).toMatchObject({ kind: "day", parts: [{ text: "of Lin" }] });
  expect(led.path).toMatch(/^memory\/2026-02-19/);
  for (const from of [weis, 10_000])
    await expect(readSource(memd, at("lin"), { path: journal, from })).rejects.toMatchObject({
      code: "source_unknown",
    });
});

test("a name of a source is read back as it was written", () => {
  const part = fc
    .string({ minLength: 1, unit: "grapheme" })
    // No file is called "." or "..", which an address takes out.
    .filter((text) => text.isWellFormed() && !/[/]/.test(text) && !/^\.\.?$/.test(text));
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 1e6 }),
      (parts, line) => {
        const path = parts.join("/");
        expect(sourceNamed(sourceUri(path, [line, line + 3]))).toEqual({ path, from: line, to: line + 3 });
        expect(sourceNamed(new URL(sourceUri(path, [line, line])).href)).toEqual({
          path,
          from: line,
          to: line,
        });
      },
    ),
  );
  expect(sourceNamed("memory/2026-03-07.md:12")).toEqual({ path: "memory/2026-03-07.md", from: 12, to: 12 });
  expect(sourceNamed("memory/2026-03-07.md:12-20")).toEqual({
    path: "memory/2026-03-07.md",
    from: 12,
    to: 20,
  });
  expect(sourceNamed("memory.md")).toEqual({ path: "memory.md" });
  expect(() => sourceNamed("memd://memory/%ZZ")).toThrow("names no source");
});
