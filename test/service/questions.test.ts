/** What an agent may ask: events, memories, profiles, each on somebody's behalf. */
import { describe, expect, test } from "vitest";
import { OWNER, type ScopeId, type Viewer, viewerAt } from "../../src/model/address.js";
import { foundOf, type Listed } from "../../src/model/found.js";
import type { Bound, Day } from "../../src/model/time.js";
import { systemClock } from "../../src/platform/clock.js";
import {
  getProfile,
  listMemories,
  searchEvents,
  searchMemories,
  searchProfiles,
} from "../../src/service/questions.js";
import type { ParsedOf } from "../../src/service/operations.js";
import { diffProfile, listProfiles, listRevisions } from "../../src/service/profiles.js";
import type { Memd } from "../../src/service/memd.js";
import { instant, said } from "../support/archive-desk.js";
import { profileText, record, recordLines, withoutUser } from "../support/records.js";
import { openStage } from "../support/stage.js";

const day = (text: string): Bound => ({ day: text as Day });
const NOW = "2026-02-20T12:00:00Z";
const at = (user: string, scope = "main", session = "main"): Viewer =>
  viewerAt({ user, scope: scope as ScopeId, session });

async function memory(files: Record<string, unknown>, settings = {}): Promise<Memd> {
  const { supervisor } = await openStage(files, { clock: systemClock(instant(NOW)), settings });
  await supervisor.start({ watch: false, work: false });
  return supervisor;
}

const texts = (found: readonly Listed[]): string[] => found.map(({ passage }) => passage.text);
const events = async (supervisor: Memd, asked: ParsedOf<"searchEvents">, viewer = OWNER): Promise<string[]> =>
  texts((await searchEvents(supervisor, viewer, asked)).found);

describe("events", () => {
  const FILE = "memory/records/2026-02.jsonl";

  test("come with score, date, source and the ids of their messages", async () => {
    const supervisor = await memory({
      [FILE]: recordLines(
        record("j1", "Lin moved the ferry to pier nine.", { sources: ["m-1", "m-2"] }),
        record("j2", "Lin bought bread."),
      ),
    });
    const { found, warnings } = await searchEvents(supervisor, OWNER, { query: "where is the ferry" });
    expect(warnings).toEqual([]);
    expect(found.map(foundOf)).toEqual([
      {
        id: "j1",
        kind: "event",
        text: "Lin moved the ferry to pier nine.",
        score: expect.any(Number) as number,
        date: "2026-02-10",
        at: "2026-02-10T12:00:00.000Z",
        source: `${FILE}:1`,
        messageIds: ["m-1", "m-2"],
        scope: "main",
        user: "local",
        trust: "human",
      },
    ]);
  });

  test("without a question are the newest of the time, the newest first", async () => {
    const supervisor = await memory({
      [FILE]: recordLines(
        ...["01", "05", "03", "09"].map((day) =>
          record(`e${day}`, `day ${day}`, { at: `2026-02-${day}T08:00:00Z` }),
        ),
      ),
    });
    expect(await events(supervisor, {})).toEqual(["day 09", "day 05", "day 03", "day 01"]);
    const days = { time_from: day("2026-02-03"), time_to: day("2026-02-05") };
    expect(await events(supervisor, days)).toEqual(["day 05", "day 03"]);
    expect(await events(supervisor, { limit: 1 })).toEqual(["day 09"]);
  });

  test("are twelve unless it is said otherwise", async () => {
    const many = Array.from({ length: 15 }, (_, n) => record(`e${n}`, `the ferry sailed on trip ${n}`));
    const supervisor = await memory({ [FILE]: recordLines(...many) });
    expect(await events(supervisor, {})).toHaveLength(12);
    expect(await events(supervisor, { query: "ferry" })).toHaveLength(12);
    expect(await events(supervisor, { query: "ferry", limit: 14 })).toHaveLength(14);
  });

  test("are of the kinds that are asked for", async () => {
    const supervisor = await memory({
      "history.json": [said("m-1", "2026-02-19T10:00:00Z", "the ferry is late")],
      [FILE]: recordLines(
        record("a", "The ferry sank.", { kind: "event" }),
        record("b", "The ferry is red.", { kind: "fact", level: "session", session: "s-1" }),
        record("c", "The ferry talk was long.", { kind: "episode" }),
        record("d", "The ferry will return.", { kind: "foresight" }),
      ),
    });
    expect(await events(supervisor, { memory_types: ["event"] })).toEqual(["The ferry sank."]);
    const kinds = ["fact", "foresight"] as const;
    expect((await events(supervisor, { memory_types: kinds })).sort()).toEqual([
      "The ferry is red.",
      "The ferry will return.",
    ]);
    expect((await events(supervisor, { query: "ferry", memory_types: kinds })).sort()).toEqual([
      "The ferry is red.",
      "The ferry will return.",
    ]);
  });

  test("that no longer hold say so", async () => {
    const supervisor = await memory({
      [FILE]: recordLines(
        record("a", "The ferry leaves at nine.", { supersededAt: "2026-02-11T12:00:00Z" }),
        record("b", "The ferry leaves at ten."),
        record("c", "The ferry will be late.", { kind: "foresight", validTo: "2026-02-12T12:00:00Z" }),
      ),
    });
    const kinds = ["event", "foresight"] as const;
    for (const query of ["ferry", undefined]) {
      const { found } = await searchEvents(supervisor, OWNER, {
        memory_types: kinds,
        ...(query === undefined ? {} : { query }),
      });
      expect(
        Object.fromEntries(found.map(({ passage, standing }) => [passage.id.split("#")[1], standing])),
      ).toEqual({
        a: "superseded",
        b: undefined,
        c: "expired",
      });
    }
  });

  test("of a group are shown from one side, even where a person changed the other", async () => {
    const group = { scope: "group:harbor", user: "lin" };
    const file = "memory/scopes/group%3Aharbor/records/2026-02.jsonl";
    const supervisor = await memory({
      [file]: recordLines(
        record("j_1_group", "Lin moved the ferry.", { ...group, perspective: "group" }),
        record("j_1_sender", "Lin moved the ferry.", { ...group, perspective: "sender" }),
        record("j_2_group", "Lin painted the ferry red last week.", { ...group, perspective: "group" }),
        record("j_2_sender", "Lin painted the ferry all blue.", { ...group, perspective: "sender" }),
        withoutUser(record("j_3_group", "Somebody left the ferry.", { ...group, perspective: "group" })),
      ),
    });
    for (const asked of [{ query: "ferry" }, {}]) {
      const { found } = await searchEvents(supervisor, at("wei", "group:harbor"), asked);
      expect(found.map(({ passage }) => passage.id.slice(file.length + 1, file.length + 4)).sort()).toEqual([
        "j_1",
        "j_2",
        "j_3",
      ]);
    }
  });

  test("of a user or a group are filters inside what may be read, and a record of nobody is of no user", async () => {
    const file = "memory/scopes/group%3Aharbor/records/2026-02.jsonl";
    const supervisor = await memory({
      [FILE]: recordLines(
        record("a", "ferry of Lin", { user: "lin" }),
        record("b", "ferry of Wei", { user: "wei" }),
      ),
      [file]: recordLines(
        record("c", "ferry of Wei in the harbor", { user: "wei", scope: "group:harbor" }),
        withoutUser(record("d", "ferry of nobody in the harbor", { scope: "group:harbor" })),
      ),
    });
    for (const query of [{ query: "ferry" }, {}]) {
      const asked = async (more: ParsedOf<"searchEvents">, viewer?: Viewer): Promise<string[]> =>
        (await events(supervisor, { ...query, ...more }, viewer)).sort();
      expect(await asked({ target_user_id: "wei" })).toEqual(["ferry of Wei", "ferry of Wei in the harbor"]);
      expect(await asked({ target_group_id: "harbor" })).toEqual([
        "ferry of Wei in the harbor",
        "ferry of nobody in the harbor",
      ]);
      expect(await asked({ target_group_id: "group:harbor", target_user_id: "wei" })).toEqual([
        "ferry of Wei in the harbor",
      ]);
      expect(await asked({ target_user_id: "wei" }, at("lin"))).toEqual([]);
      expect(await asked({ target_group_id: "harbor" }, at("lin"))).toEqual([]);
      expect(await asked({}, at("lin"))).toEqual(["ferry of Lin"]);
      expect(await asked({ target_user_id: "" }, at("lin", "group:harbor"))).toEqual([]);
    }
  });

  test("are whatever has happened: no likings, nothing that is only expected, as many as were asked for", async () => {
    const of = { user: "lin", kind: "fact" } as const;
    const supervisor = await memory({
      [FILE]: recordLines(
        record("e", "Lin sold the ferry."),
        record("f", "Lin painted the ferry.", { ...of, level: "session", session: "main" }),
        record("g", "Lin plans a ferry race.", { kind: "foresight", validTo: "2026-09-01T12:00:00Z" }),
      ),
      "memory/records/users/lin.jsonl": recordLines(
        record("lost", "Lin lost their job at the ferry on 2026-02-09.", { ...of, level: "user" }),
        ...Array.from({ length: 9 }, (_, n) =>
          record(`t${n}`, `Lin likes ferry ${n}.`, { ...of, level: "user", at: "2026-02-11T12:00:00Z" }),
        ),
      ),
    });
    const happened = [
      "Lin lost their job at the ferry on 2026-02-09.",
      "Lin painted the ferry.",
      "Lin sold the ferry.",
    ];
    for (const query of [{}, { query: "ferry" }])
      expect((await events(supervisor, { ...query, limit: 3 })).sort()).toEqual(happened);
    expect(await events(supervisor, { query: "ferry", memory_types: ["foresight"] })).toEqual([
      "Lin plans a ferry race.",
    ]);
  });

  test("of a time whose ends are the wrong way round are found, with a word on it", async () => {
    const supervisor = await memory({ [FILE]: recordLines(record("a", "The ferry sank.")) });
    const period = { time_from: day("2026-02-28"), time_to: day("2026-02-01") };
    for (const asked of [period, { ...period, query: "ferry" }])
      expect(await searchEvents(supervisor, OWNER, asked)).toMatchObject({
        found: [{ passage: { text: "The ferry sank." } }],
        warnings: [expect.stringContaining("swapped")],
      });
  });

  test("that are not there say what to try", async () => {
    const supervisor = await memory({});
    const nothing = async (asked: ParsedOf<"searchEvents">): Promise<string | undefined> =>
      (await searchEvents(supervisor, OWNER, asked)).advice;
    expect(await nothing({})).toBe(
      "Events and profiles come from what is said and from what agents observe (`memd end --observe TEXT`).",
    );
    expect(await nothing({ query: "x", target_user_id: "lin", time_from: day("2026-01-01") })).toMatch(
      /^Try other words, a wider time, no user, group, scope or session, or `memd search`/,
    );
    const off = await memory({}, { cognitive: { enabled: false } });
    expect((await searchEvents(off, OWNER, {})).advice).toContain("cognitive.enabled is false");
  });

  test("a question without a word is refused", async () => {
    const supervisor = await memory({});
    await expect(searchEvents(supervisor, OWNER, { query: " " })).rejects.toMatchObject({
      code: "empty_query",
    });
    await expect(searchMemories(supervisor, OWNER, { query: "\n" })).rejects.toMatchObject({
      code: "empty_query",
    });
    await expect(searchProfiles(supervisor, OWNER, { query: "" })).rejects.toMatchObject({
      code: "empty_query",
    });
  });
});

describe("what is newer ranks a little higher", () => {
  const files = {
    "memory/records/2025-12.jsonl": recordLines(
      record("old", "Lin moved the ferry to pier nine.", { at: "2025-12-22T12:00:00Z" }),
    ),
    "inbox.json": [said("q", NOW, "Did Lin move the ferry to pier nine?")],
  };

  test("in what is looked for over sixty days", async () => {
    const supervisor = await memory(files);
    const recency = (found: readonly Listed[]): number | undefined => found[0]?.parts?.["recency"];
    const query = "Lin moved the ferry to pier nine";
    // Sixty days old: half of the boost of .02 is left.
    expect(recency((await searchEvents(supervisor, OWNER, { query })).found)).toBeCloseTo(1.01, 3);
    const { hits } = await searchMemories(supervisor, OWNER, { query, memory_types: ["event"] });
    expect(recency(hits)).toBeCloseTo(1.01, 3);
  });

  test("in what goes into a prompt over fourteen", async () => {
    const { supervisor } = await openStage(files, { clock: systemClock(instant(NOW)) });
    const halfLives = new Set<number | undefined>();
    const find = supervisor.search.find.bind(supervisor.search);
    supervisor.search.find = (query, viewer, options) => {
      halfLives.add(options?.halfLifeDays);
      return find(query, viewer, options);
    };
    await supervisor.start({ watch: false, work: false });
    await supervisor.settled();
    expect(supervisor.prompt.current?.markdown).toContain("pier nine");
    expect([...halfLives]).toEqual([14]);
  });
});

describe("memories", () => {
  const files = {
    "memory.md": "## Notes\n\n- The ferry code is 4711.\n",
    "history.json": [said("m-1", "2026-02-19T10:00:00Z", "the ferry is late again")],
    "memory/records/2026-02.jsonl": recordLines(
      record("a", "The ferry sank.", { at: "2026-02-01T12:00:00Z" }),
      record("b", "The ferry is red.", {
        kind: "fact",
        level: "session",
        session: "s-1",
        at: "2026-02-02T12:00:00Z",
      }),
      record("of-lin", "The ferry took Lin home.", { user: "lin", at: "2026-02-04T12:00:00Z" }),
    ),
    "memory/records/users/lin.jsonl": recordLines(
      record("u", "Lin fears the ferry.", {
        kind: "fact",
        level: "user",
        user: "lin",
        at: "2026-02-03T12:00:00Z",
      }),
    ),
    "memory/profiles/users/lin.md": profileText("user", "lin", "Sails the ferry", {
      updatedAt: instant("2026-02-05T12:00:00Z"),
    }),
  };

  test("are searched by the kinds that are asked for, and by no other", async () => {
    const supervisor = await memory(files);
    const kinds = async (
      ...asked: ("message" | "event" | "fact" | "profile" | "memory")[]
    ): Promise<string[]> =>
      (await searchMemories(supervisor, OWNER, { query: "ferry", memory_types: asked })).hits
        .map(({ passage }) => passage.kind)
        .sort();
    expect(await kinds("event")).toEqual(["event", "event"]);
    expect(await kinds("fact", "profile")).toEqual(["fact", "fact", "profile"]);
    expect(await kinds("message")).toEqual(["message"]);
    expect(await kinds("memory")).toEqual(["memory"]);
    const all = await searchMemories(supervisor, OWNER, { query: "ferry" });
    expect(new Set(all.hits.map(({ passage }) => passage.kind)).size).toBe(5);
  });

  test("say that no model puts them in order where one is asked for", async () => {
    const supervisor = await memory(files);
    expect((await searchMemories(supervisor, OWNER, { query: "ferry", use_rerank: true })).warnings).toEqual([
      expect.stringContaining("llm.models.rerank"),
    ]);
    expect((await searchMemories(supervisor, OWNER, { query: "ferry", use_rerank: false })).warnings).toEqual(
      [],
    );
  });

  test("are listed newest first, page by page, and what comes meanwhile moves nothing", async () => {
    const stage = await openStage(files, { clock: systemClock(instant(NOW)) });
    const { supervisor } = stage;
    await supervisor.start({ watch: false, work: false });
    const first = await listMemories(supervisor, OWNER, { limit: 2 });
    expect(texts(first.found)).toEqual([
      "lin\nSails the ferry".replace("S", "- S"),
      "The ferry took Lin home.",
    ]);
    stage.write(
      "memory/records/2026-02.jsonl",
      stage.read("memory/records/2026-02.jsonl") +
        recordLines(record("new", "newest", { at: "2026-02-18T12:00:00Z" })),
    );
    await supervisor.settled();
    const second = await listMemories(supervisor, OWNER, { limit: 2, cursor: first.next ?? "" });
    expect(texts(second.found)).toEqual(["Lin fears the ferry.", "The ferry is red."]);
    const third = await listMemories(supervisor, OWNER, { limit: 2, cursor: second.next ?? "" });
    expect([texts(third.found), third.next]).toEqual([["The ferry sank."], undefined]);
    expect(texts((await listMemories(supervisor, OWNER, { limit: 1 })).found)).toEqual(["newest"]);
    await expect(listMemories(supervisor, OWNER, { cursor: "later" })).rejects.toMatchObject({
      code: "usage",
    });
  });

  test("are listed as far as the reader may read them", async () => {
    const supervisor = await memory(files);
    const ids = async (viewer: Viewer): Promise<string[]> =>
      (await listMemories(supervisor, viewer, {})).found.map(
        (one) => foundOf(one).id.split("#").at(-1) ?? "",
      );
    expect(await ids(at("lin"))).toEqual(["1", "of-lin", "u"]);
    expect(await ids(at("lin", "project"))).toEqual(["1", "u"]);
    expect(await ids(at("local"))).toEqual(["a"]);
    expect(await ids(at("local", "main", "s-1"))).toEqual(["b", "a"]);
    expect(await ids(at("wei"))).toEqual([]);
  });
});

describe("profiles", () => {
  const files = {
    "memory/profiles/users/lin.md": profileText(
      "user",
      "lin",
      "Plays the violin; key sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD",
    ),
    "memory/profiles/users/wei.md": profileText("user", "wei", "Plays the violin badly"),
    "memory/profiles/groups/band.md": profileText("group", "band", "Rehearses violin pieces"),
    "memory/profiles/users/ana.md": profileText("user", "wei", "Of Wei, under the name of Ana"),
    "memory/profiles/history/users/wei/2026-01-01T00-00-00-000Z.md": profileText("user", "wei", "Sings"),
  };
  const lin = at("lin", "group:band");

  test("of oneself and one's own group are given, no other", async () => {
    const supervisor = await memory(files);
    expect(await getProfile(supervisor, lin)).toMatchObject({
      entity: "user",
      id: "lin",
      file: "memory/profiles/users/lin.md",
    });
    expect(await getProfile(supervisor, lin, { entity: "group", id: "band" })).toMatchObject({
      body: "- Rehearses violin pieces\n",
    });
    for (const [viewer, entity, id] of [
      [lin, "user", "wei"],
      [at("lin"), "group", "band"],
      [at("ana"), "user", "ana"],
    ] as const)
      await expect(getProfile(supervisor, viewer, { entity, id })).rejects.toMatchObject({
        code: "profile_unknown",
        message: `Nothing is known of the ${entity} ${id}: there is no profile.`,
      });
    expect(await getProfile(supervisor, OWNER, { entity: "user", id: "wei" })).toMatchObject({ id: "wei" });
  });

  test("are told without secrets to whoever is not the owner", async () => {
    const supervisor = await memory(files);
    const theirs = await getProfile(supervisor, lin);
    expect(theirs.text + (theirs.body ?? "")).not.toContain("sk-abc");
    expect((await getProfile(supervisor, OWNER, { entity: "user", id: "lin" })).text).toContain("sk-abc");
  });

  test("are listed, found and looked back at by the same partitions", async () => {
    const supervisor = await memory(files);
    expect((await listProfiles(supervisor, lin)).map(({ id }) => id)).toEqual(["lin", "band"]);
    expect((await listProfiles(supervisor, OWNER)).map(({ id }) => id)).toEqual(["lin", "wei", "band"]);
    const wei = { entity: "user", id: "wei" } as const;
    expect((await listRevisions(supervisor, at("wei"), wei)).revisions).toHaveLength(1);
    expect((await listRevisions(supervisor, lin, wei)).revisions).toEqual([]);
    const sings = ["- Sings", "- Plays the violin badly"].map(
      (line) => expect.stringContaining(line) as string,
    );
    expect(await diffProfile(supervisor, at("wei"), wei)).toMatchObject({
      from: "2026-01-01T00-00-00-000Z",
      gone: [sings[0]],
      come: [sings[1]],
    });
    await expect(diffProfile(supervisor, lin, wei)).rejects.toMatchObject({ code: "profile_unknown" });
    await expect(getProfile(supervisor, lin, { ...wei, revision: "2026" })).rejects.toMatchObject({
      code: "profile_unknown",
    });
    const found = async (viewer: Viewer, entity?: "user" | "group"): Promise<string[]> =>
      (
        await searchProfiles(supervisor, viewer, {
          query: "violin",
          ...(entity === undefined ? {} : { entity }),
        })
      ).hits
        .map(({ passage }) => passage.path.replace(/.*\//, ""))
        .sort();
    expect(await found(OWNER)).toEqual(["band.md", "lin.md", "wei.md"]);
    expect(await found(OWNER, "group")).toEqual(["band.md"]);
    expect(await found(lin)).toEqual(["band.md", "lin.md"]);
    expect(await found(lin, "user")).toEqual(["lin.md"]);
    expect(await found(at("ana"))).toEqual([]);
  });
});
