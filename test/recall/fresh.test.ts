/** A person's edit of what is remembered is quoted as it stands, without a moment's delay. */
import { describe, expect, test } from "vitest";
import { OWNER } from "../../src/model/address.js";
import type { Clock } from "../../src/platform/clock.js";
import { instant, said } from "../support/archive-desk.js";
import { profileText } from "../support/records.js";
import { openStage, type Stage } from "../support/stage.js";
import { handClock } from "../support/hand-clock.js";

const NOW = "2026-02-20T12:00:00Z";

/** Two days, one of them long ago, each with two messages; nothing tells memd of a change. */
async function remembering(clock?: Clock): Promise<Stage> {
  const stage = await openStage(
    {
      "history.json": [
        said("old", "2026-02-02T09:00:00Z", "The ferry to Harris sails at nine."),
        said("old-2", "2026-02-02T09:01:00Z", "The kettle is broken."),
        said("new", "2026-02-19T09:00:00Z", "The violin lesson is with Ana."),
        said("new-2", "2026-02-19T09:01:00Z", "The garden needs rain."),
      ],
      "memory.md": "## Rules\n\n- The owner likes tea.\n",
      "memory/profiles/users/lin.md": profileText("user", "lin", "plays the cello"),
    },
    clock === undefined ? {} : { clock },
  );
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.archiveNow();
  await stage.supervisor.idle();
  return stage;
}

function fileWith(stage: Stage, folder: RegExp, words: string): string {
  const [path = ""] =
    Object.entries(stage.disk.files()).find(([file, text]) => folder.test(file) && text.includes(words)) ??
    [];
  expect(path).not.toBe("");
  return path.slice("/w/".length);
}

function edit(stage: Stage, file: string, from: string | RegExp, to: string): void {
  const before = stage.read(file);
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  stage.write(file, after);
}

async function found(stage: Stage, query: string): Promise<string> {
  const { hits } = await stage.supervisor.search.find(query, OWNER);
  return hits.map(({ passage }) => passage.text).join("\n");
}

describe("a search right after an edit", () => {
  test("quotes a day as it says now", async () => {
    const stage = await remembering();
    edit(stage, fileWith(stage, /memory\/2026-02-19/, "violin"), "with Ana", "with Bruno");
    expect(await found(stage, "violin lesson")).toContain("with Bruno");
    expect(await found(stage, "violin lesson")).not.toContain("with Ana");
  });

  test("quotes a day summary as it says now", async () => {
    const stage = await remembering();
    edit(stage, fileWith(stage, /memory\/summary\//, "ferry"), "sails at nine", "sails at seven");
    expect(await found(stage, "ferry Harris")).toContain("sails at seven");
  });

  test("quotes a profile as it says now", async () => {
    const stage = await remembering();
    expect(await found(stage, "cello")).toContain("plays the cello");
    edit(stage, "memory/profiles/users/lin.md", "plays the cello", "gave up the cello");
    expect(await found(stage, "cello")).toContain("gave up the cello");
  });

  test("quotes memory.md as it says now", async () => {
    const stage = await remembering();
    edit(stage, "memory.md", "likes tea", "likes tea no more");
    expect(await found(stage, "tea")).toContain("likes tea no more");
  });

  test("quotes no block that was deleted by hand", async () => {
    const stage = await remembering();
    const file = fileWith(stage, /memory\/2026-02-19/, "violin");
    edit(stage, file, /### [^\n]*id=new [^]*?(?=### )/, "");
    expect(await found(stage, "violin lesson")).not.toContain("violin");
    expect(await found(stage, "garden rain")).toContain("garden");
  });

  test("quotes no file that is gone", async () => {
    const stage = await remembering();
    await stage.disk.unlink(`/w/${fileWith(stage, /memory\/2026-02-19/, "violin")}`);
    expect(await found(stage, "violin lesson")).not.toContain("violin");
  });

  test("goes on quoting what cannot be looked at", async () => {
    const stage = await remembering();
    stage.disk.before((operation, file) => {
      if (operation === "stat" && file.includes("/memory/2026-02-19")) throw new Error("the disk sleeps");
    });
    expect(await found(stage, "violin lesson")).toContain("with Ana");
  });
});

describe("the prompt", () => {
  test("for input that comes right after an edit quotes what stands", async () => {
    const stage = await remembering();
    edit(stage, fileWith(stage, /memory\/archive\//, "ferry"), "sails at nine", "sails at seven");
    stage.write("history.json", []);
    stage.write("inbox.json", [said("q", NOW, "When does the ferry to Harris sail?")]);
    await stage.supervisor.settled();
    expect(stage.read("teller/prompt.md")).toContain("sails at seven");
  });

  test("is written again when a search meets what was edited while somebody waits", async () => {
    const clock = handClock(instant(NOW));
    const stage = await remembering(clock);
    stage.write("history.json", []);
    stage.write("inbox.json", [said("q", NOW, "When does the ferry to Harris sail?")]);
    await stage.supervisor.settled();
    const go = async (): Promise<void> => {
      for (let turn = 0; turn < 200; turn++) await clock.breathe();
    };
    await clock.advance(5_000);
    await go();
    expect(stage.read("teller/prompt.md")).toContain("sails at nine");
    edit(stage, fileWith(stage, /memory\/archive\//, "ferry"), "sails at nine", "sails at seven");
    await found(stage, "ferry");
    await go();
    await clock.advance(1_000);
    await go();
    expect(stage.read("teller/prompt.md")).toContain("sails at seven");
  });
});
