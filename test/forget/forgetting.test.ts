/** Forgetting: what is named is nowhere any more, does not come back, and nothing else goes. */
import { describe, expect, test } from "vitest";
import { OWNER } from "../../src/model/address.js";
import { systemClock } from "../../src/platform/clock.js";
import type { ForgetRequest } from "../../src/forget/forgetting.js";
import { parseRecords } from "../../src/protocol/records.js";
import { extractive, instant, said } from "../support/archive-desk.js";
import { endJob } from "../support/end-job.js";
import { openStage, type Stage } from "../support/stage.js";

const NOW = "2026-03-02T12:00:00Z";
const SECRET = "zebrafish";
const OTHER = "marmalade";

type Options = Parameters<typeof openStage>[1];

const job = (more: object): object => endJob(NOW, more);

/** Two conversations; what is said in `s-1` holds the secret. */
const HISTORY = [
  said("old-1", "2026-01-05T10:00:00Z", `An ancient ${SECRET} swims`, { user: "lin", session: "s-1" }),
  said("old-2", "2026-01-05T10:01:00Z", `An ancient jar of ${OTHER}`, { user: "lin", session: "s-2" }),
  said("mid-1", "2026-02-10T10:00:00Z", `The ${SECRET} tank leaks`, { user: "lin", session: "s-1" }),
  said("mid-2", "2026-02-10T10:01:00Z", `The ${OTHER} jar is open`, { user: "lin", session: "s-2" }),
  said("new-1", "2026-03-02T11:00:00Z", `I like my ${SECRET} best`, { user: "lin", session: "s-1" }),
  said("new-2", "2026-03-02T11:01:00Z", `I like ${OTHER} on bread`, { user: "lin", session: "s-2" }),
];

const FILES = {
  "history.json": HISTORY,
  "inbox.json": [
    said("in-1", "2026-03-02T11:59:00Z", `Feed the ${SECRET}?`, { user: "lin", session: "s-1" }),
  ],
  "queue/pending/a.json": job({
    session: "s-1",
    memo: `Talked of the ${SECRET}.`,
    observations: [`lin likes the ${SECRET} in the kitchen.`],
  }),
  "queue/pending/b.json": job({
    session: "s-2",
    memo: `Talked of ${OTHER}.`,
    observations: [`lin likes ${OTHER} on toast.`],
  }),
  "queue/failed/c.json": job({ session: "s-1", observations: [`It was the ${SECRET}.`], error: "no" }),
  "conflicts/history.json.unreadable.1": `[{"id":"old-1","role":"user","session":"s-1","text":"An ancient ${SECRET} sw`,
  "memory.md": `# Notes\n\n- The owner wrote of a ${SECRET.toUpperCase()}.\n`,
};

async function opened(files: Record<string, unknown> = FILES, options: Options = {}): Promise<Stage> {
  const stage = await openStage(files, { clock: systemClock(instant(NOW)), ...options });
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.archiveNow();
  await rested(stage);
  return stage;
}

async function rested({ supervisor }: Stage): Promise<void> {
  await supervisor.idle();
  await supervisor.settled();
}

async function forget(stage: Stage, request: ForgetRequest): Promise<void> {
  await stage.supervisor.forget(request, false);
}

/** Every file with the word in its name or text. */
const holding = ({ disk }: Stage, word: string): string[] =>
  Object.entries(disk.files()).flatMap(([path, text]) =>
    path.startsWith("/w/") && (text.includes(word) || path.includes(word)) ? [path.slice("/w/".length)] : [],
  );

async function found(stage: Stage, word: string): Promise<string[]> {
  await stage.supervisor.settled();
  const { hits } = await stage.supervisor.search.find(word, OWNER, {});
  return hits.map(({ passage }) => passage.text).filter((text) => text.includes(word));
}

const texts = (stage: Stage, file = "history.json"): string[] =>
  (JSON.parse(stage.read(file)) as { text: string }[]).map(({ text }) => text);

describe("a session", () => {
  test("is nowhere any more, and the other one is where it was", async () => {
    const stage = await opened();
    expect(holding(stage, SECRET)).not.toEqual([]);
    await forget(stage, { session: "s-1" });
    expect(holding(stage, SECRET)).toEqual([]);
    expect(holding(stage, "s-1")).toEqual([]);
    expect(await found(stage, SECRET)).toEqual([]);
    await rested(stage);
    await stage.supervisor.archiveNow();
    await rested(stage);
    expect(holding(stage, SECRET)).toEqual([]);
    const standing = holding(stage, OTHER);
    for (const file of ["history.json", "memory/summary/2026-01.md", "memory/summary/2026-02-10.md"])
      expect(standing).toContain(file);
    expect(standing.some((file) => file.startsWith("memory/archive/2026-01/"))).toBe(true);
    expect(await found(stage, OTHER)).not.toEqual([]);
    expect(stage.read("memory.md")).toContain(SECRET.toUpperCase());
  });
});

test("only one user's side of a session goes where a user is named", async () => {
  const stage = await opened({
    "history.json": [
      said("a-1", "2026-03-02T10:00:00Z", `lin says ${SECRET}`, { user: "lin", session: "s" }),
      said("b-1", "2026-03-02T10:01:00Z", `wei says ${OTHER}`, { user: "wei", session: "s" }),
    ],
  });
  await forget(stage, { session: "s", user: "lin" });
  expect(holding(stage, SECRET)).toEqual([]);
  expect(texts(stage)).toEqual([`wei says ${OTHER}`]);
});

describe("what comes again", () => {
  test("in a history that its host writes anew, a drop, an import or a second start is not taken in", async () => {
    const stage = await opened();
    await forget(stage, { session: "s-1" });
    const fresh = said("new-9", "2026-03-02T11:30:00Z", "Something else", { user: "lin", session: "s-1" });
    stage.write("history.json", [...HISTORY, fresh]);
    await rested(stage);
    expect(texts(stage).some((text) => text.includes(SECRET))).toBe(false);
    expect(texts(stage)).toContain("Something else");
    stage.write("inbox.d/in-1.json", FILES["inbox.json"][0]);
    await stage.supervisor.importMessages(HISTORY as never);
    await rested(stage);
    await stage.supervisor.archiveNow();
    await rested(stage);
    expect(holding(stage, SECRET)).toEqual([]);
    expect(holding(stage, "Something else")).not.toEqual([]);
    const files = Object.fromEntries(
      Object.entries(stage.disk.files()).flatMap(([path, text]) =>
        path.startsWith("/w/") ? [[path.slice("/w/".length), text]] : [],
      ),
    );
    const second = await opened({ ...files, "history.json": [...HISTORY, fresh] });
    expect(holding(second, SECRET)).toEqual([]);
    expect(texts(second)).toContain("Something else");
  });

  test("is known without an id of its own too", async () => {
    const plain = [
      { role: "user", text: `no id, ${SECRET}`, createdAt: "2026-03-02T10:00:00Z", session: "s-1" },
      { role: "user", text: `no id, ${OTHER}`, createdAt: "2026-03-02T10:00:01Z", session: "s-2" },
      { role: "user", text: `no time, ${SECRET}`, session: "s-1" },
    ];
    const stage = await opened({ "history.json": plain });
    await forget(stage, { session: "s-1" });
    expect(holding(stage, SECRET)).toEqual([]);
    stage.write("history.json", plain);
    await rested(stage);
    expect(holding(stage, SECRET)).toEqual([]);
    expect(texts(stage)).toEqual([`no id, ${OTHER}`]);
  });

  test("under the id of a forgotten one, at another time, is another message", async () => {
    const stage = await opened({
      "history.json": [said("1", "2026-03-02T10:00:00Z", SECRET, { session: "s" })],
    });
    await forget(stage, { session: "s" });
    stage.write("history.json", [said("1", "2026-03-02T11:30:00Z", "another one", { session: "s" })]);
    await rested(stage);
    await stage.supervisor.archiveNow();
    await rested(stage);
    expect(holding(stage, "another one").some((file) => file.startsWith("memory/2026-03-02"))).toBe(true);
  });
});

describe("a message", () => {
  test("goes with its block, from a file that a person edited, and with the records that name it", async () => {
    const stage = await opened({
      "history.json": HISTORY,
      "queue/pending/b.json": job({ session: "s-2", observations: [`lin likes ${OTHER} on toast.`] }),
    });
    const [day] = Object.keys(stage.disk.files()).filter((path) => /memory\/2026-03-02-.*md$/.test(path));
    const file = day?.slice("/w/".length) ?? "";
    stage.write(file, `${stage.read(file)}\n\nby hand: remember the milk\n`);
    await stage.supervisor.settled();
    await forget(stage, { id: "new-1" });
    expect(holding(stage, "like my " + SECRET)).toEqual([]);
    expect(texts(stage)).not.toContain(`I like my ${SECRET} best`);
    expect(holding(stage, "remember the milk")).not.toEqual([]);
    expect(holding(stage, `ancient ${SECRET}`)).not.toEqual([]);
    expect(holding(stage, "new-1")).toEqual([]);
    await rested(stage);
    expect(await found(stage, "likes")).not.toEqual([]);
  });

  test("that waits to be looked at leaves the job that names it, and the others in it stay", async () => {
    const line = (id: string, text: string): object => ({ id, at: NOW, role: "user", name: "lin", text });
    const stage = await openStage(
      {
        "history.json": HISTORY,
        "queue/failed/2026-03-02-rounds-abcd1234.json": {
          ...job({ kind: "rounds", wants: ["fact"], earlier: [], error: "no" }),
          observations: undefined,
          said: [line("new-1", SECRET), line("new-2", OTHER)],
        },
      },
      { clock: systemClock(instant(NOW)), settings: { historian: { extract: false } } },
    );
    await stage.supervisor.start({ watch: false, work: true });
    await forget(stage, { id: "new-1" });
    const left = stage.read("queue/failed/2026-03-02-rounds-abcd1234.json");
    expect(left).toContain(OTHER);
    expect(left).not.toContain(SECRET);
  });
});

test("a record goes alone, and the profile is told again from what remains", async () => {
  const stage = await opened({
    "queue/pending/a.json": job({
      observations: [`lin likes ${SECRET} soup.`, `lin likes ${OTHER} on toast.`],
    }),
  });
  expect(stage.read("memory/profiles/users/lin.md")).toContain(SECRET);
  const profile = stage.read("memory/profiles/users/lin.md");
  stage.write("memory/profiles/users/lin.md", `${profile}- Written by hand\n`);
  await forget(stage, { record: "a_1" });
  expect(holding(stage, SECRET)).toEqual([]);
  expect(stage.read("memory/profiles/users/lin.md")).toContain("Written by hand");
  expect(stage.read("memory/profiles/users/lin.md")).not.toContain(OTHER);
  await rested(stage);
  expect(stage.read("memory/profiles/users/lin.md")).toContain(OTHER);
  expect(stage.read("memory/profiles/users/lin.md")).toContain("Written by hand");
  expect(holding(stage, SECRET)).toEqual([]);
  expect(await found(stage, SECRET)).toEqual([]);
});

describe("a scope", () => {
  const IN = { user: "lin", scope: "project", session: "p" };
  const files = {
    "history.json": [
      said("p-1", "2026-01-05T10:00:00Z", `the project ${SECRET}`, IN),
      said("p-2", "2026-03-02T10:00:00Z", `the newest ${SECRET}`, IN),
      said("m-1", "2026-01-05T10:00:00Z", `the main ${OTHER}`, { user: "lin" }),
      said("m-2", "2026-03-02T10:00:00Z", `the newest ${OTHER}`, { user: "lin" }),
    ],
    "queue/pending/a.json": job({
      scope: "project",
      memo: SECRET,
      observations: [`lin likes the ${SECRET}.`],
    }),
    "queue/pending/b.json": job({ memo: OTHER, observations: [`lin likes the ${OTHER}.`] }),
    "memory/scopes/project%3Adocs/records/2026-03.jsonl": `${JSON.stringify({ id: "d", text: SECRET })}\n`,
    "memory.md": "# Mine\n\n- stays\n",
  };

  test("goes with its folder and that of its documents, and no other does", async () => {
    const stage = await opened(files);
    await forget(stage, { scope: "project" });
    await rested(stage);
    expect(holding(stage, SECRET)).toEqual([]);
    expect(holding(stage, "project")).toEqual([]);
    expect(holding(stage, OTHER).length).toBeGreaterThan(4);
  });

  test("`main` goes without the others, without what people are, and without memory.md", async () => {
    const stage = await opened(files);
    await forget(stage, { scope: "main" });
    await rested(stage);
    expect(holding(stage, OTHER)).toEqual([]);
    expect(holding(stage, SECRET)).toContain("memory/scopes/project/memos.json");
    expect(stage.read("memory/profiles/users/lin.md")).toContain(SECRET);
    expect(stage.read("memory.md")).toContain("stays");
  });
});

test("a dry run tells what would go, and nothing goes", async () => {
  const stage = await opened();
  const before = stage.disk.files();
  const report = await stage.supervisor.forget({ session: "s-1" }, true);
  expect(report).toMatchObject({
    forgotten: false,
    messages: 4,
    records: 2,
    memos: 1,
    jobs: ["c"],
    profiles: ["user:lin"],
  });
  expect(holding(stage, SECRET).length).toBeGreaterThan(5);
  expect(stage.disk.files()["/w/memory/forgotten.jsonl"]).toBe(before["/w/memory/forgotten.jsonl"]);
});

test.each([
  [{ session: "nowhere" }, "Nothing is known of a session nowhere in main."],
  [{ session: "s-1", scope: "other" }, "Nothing is known of a session s-1 in other. There is one in main."],
  [{ scope: "nowhere" }, "Nothing is known of a scope nowhere."],
  [{ id: "nothing" }, "There is no message and no record nothing."],
])("what nobody knows is told: %j", async (request, sentence) => {
  const stage = await opened();
  await expect(stage.supervisor.forget(request, false)).rejects.toMatchObject({
    code: "forget_unknown",
    message: sentence,
  });
});

test("a summary, a record or a profile that is being made of it meanwhile is not published", async () => {
  const release: (() => void)[] = [];
  const held = async (): Promise<void> => new Promise((resolve) => release.push(resolve));
  const stage = await openStage(FILES, {
    clock: systemClock(instant(NOW)),
    answer: async (summary) => {
      await held();
      return extractive(summary);
    },
    absolutise: async ({ kind, id, texts: asked }) => {
      await held();
      const result = { kind, id, by: "test", texts: asked.map(({ text }) => text) };
      return { to: "done", usage: [], result } as never;
    },
  });
  await stage.supervisor.start({ watch: false, work: true });
  void stage.supervisor.archiveNow();
  await expect.poll(() => release.length).toBeGreaterThan(2);
  await forget(stage, { session: "s-1" });
  expect(holding(stage, SECRET)).toEqual([]);
  const more = setInterval(() => {
    for (const go of release.splice(0)) go();
  }, 5);
  await rested(stage);
  clearInterval(more);
  expect(holding(stage, SECRET)).toEqual([]);
  expect(holding(stage, OTHER)).toContain("memory/records/2026-03.jsonl");
});

test("one that a crash cut off is ended at the next start, and then no name of it stays", async () => {
  const stage = await opened();
  let killed = false;
  const { disk } = stage;
  const unlink = disk.unlink.bind(disk);
  disk.unlink = async (path) => {
    if (path.includes("/conflicts/") || killed) {
      killed = true;
      throw new Error("killed");
    }
    return unlink(path);
  };
  await expect(forget(stage, { session: "s-1" })).rejects.toThrow();
  disk.unlink = unlink;
  expect(stage.read("memory/forgotten.jsonl")).toContain("s-1");
  const files = Object.fromEntries(
    Object.entries(disk.files()).flatMap(([path, text]) =>
      path.startsWith("/w/") ? [[path.slice("/w/".length), text]] : [],
    ),
  );
  const second = await openStage(files, { clock: systemClock(instant(NOW)) });
  await second.supervisor.start({ watch: false, work: true });
  expect(holding(second, SECRET)).toEqual([]);
  expect(holding(second, "s-1")).toEqual([]);
  expect(second.read("memory/forgotten.jsonl")).toContain('"op":"forgotten"');
});

test("a profile that is told again knows by what name its records speak of its user", async () => {
  const text = "I love noodles. I'm allergic to peanuts.";
  const message = { role: "user", speaker: "Lin Yue", text, createdAt: "2026-02-20T10:00:00Z", id: "a" };
  const stage = await openStage({ "history.json": [message] });
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.idle();
  const profile = "memory/profiles/users/local.md";
  expect(stage.read(profile)).toContain("Loves noodles");
  const records = parseRecords(stage.read("memory/records/users/local.jsonl"));
  const peanuts = records.find((record) => record.text.includes("peanuts"));
  await stage.supervisor.forget({ record: peanuts?.id }, false);
  expect(stage.read(profile)).toBe("");
  await stage.supervisor.idle();
  expect(stage.read(profile)).toContain("Loves noodles");
  expect(stage.read(profile)).not.toContain("peanuts");
});
