import { describe, expect, test } from "vitest";
import type { MessageId } from "../../src/model/message.js";
import { extractive, instant, said } from "../support/archive-desk.js";
import { openStage, type Stage } from "../support/stage.js";
import { handClock } from "../support/hand-clock.js";

const NOW = "2026-02-20T12:00:00Z";

const say = (id: string, text: string, more: object = {}): object => ({ ...said(id, NOW, text), ...more });

async function opened(files: Record<string, unknown>, settings: object = {}): Promise<Stage> {
  const stage = await openStage(files, { settings });
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.idle();
  return stage;
}

describe("every conversation has its prompt", () => {
  test("for its newest sender, and the main one stands in front", async () => {
    const stage = await opened({
      "history.json": [
        say("a", "the heron nests by the lock"),
        say("b", "standup at nine", {
          scope: "group:harbor",
          session: "daily",
          user: "priya",
          speaker: "Priya",
        }),
        say("c", "the vault is in the cellar", { scope: "project", user: "tom" }),
      ],
      "inbox.json": [
        say("d", "who is late?", { scope: "group:harbor", session: "daily", user: "chen", speaker: "Chen" }),
      ],
      "memory.md": "## Rules\n\n- the owner likes tea\n",
    });
    expect(stage.read("teller/prompt.md")).toContain("the heron nests");
    expect(stage.read("teller/main/main/prompt.md")).toBe(stage.read("teller/prompt.md"));
    const group = stage.read("teller/group%3Aharbor/daily/prompt.md");
    expect(group).toContain("Priya: standup at nine");
    expect(group).toContain("Chen: who is late?");
    expect(group).not.toContain("tea");
    const data = JSON.parse(stage.read("teller/group%3Aharbor/daily/prompt.json")) as { viewer: object };
    expect(data.viewer).toEqual({ user: "chen", scope: "group:harbor", session: "daily" });
    for (const file of ["teller/prompt.md", "teller/group%3Aharbor/daily/prompt.md"])
      expect(stage.read(file)).not.toContain("vault");
  });

  test("a remark in words that nobody said gets nothing that only the turn before it finds", async () => {
    const talk = Array.from({ length: 40 }, (_, at) =>
      say(`h${at}`, at % 2 === 0 ? `The cello lesson ${at} was moved.` : `Reeds grow by weir ${at}.`),
    );
    const hitsOf = async (text: string): Promise<number> => {
      const stage = await opened({
        "history.json": [...talk, say("last", "How was the cello lesson?")],
        "inbox.json": [say("in", text)],
      });
      return (JSON.parse(stage.read("teller/prompt.json")) as { hits: unknown[] }).hits.length;
    };
    expect(await hitsOf("skedoodled")).toBe(0);
    expect(await hitsOf("weirs")).toBeGreaterThan(0);
    expect(await hitsOf("and that one?")).toBeGreaterThan(0);
  });

  test("the one in which somebody waits is written before all that nobody waits in", async () => {
    const talk = Array.from({ length: 30 }, (_, at) => say(`h${at}`, `said ${at}`, { scope: `room-${at}` }));
    const stage = await opened({ "history.json": talk, "inbox.json": [] });
    const order: string[] = [];
    const replaceDerived = stage.disk.replaceDerived.bind(stage.disk);
    stage.disk.replaceDerived = (file, bytes) => {
      const [, room] = /\/(room-\d+)\/main\/prompt\.json$/.exec(file) ?? [];
      if (room !== undefined) order.push(room);
      return replaceDerived(file, bytes);
    };
    stage.write("inbox.json", [say("w", "who is there?", { scope: "room-29" })]);
    stage.write("memory.md", "- tea for all\n");
    await stage.supervisor.settled();
    expect(new Set(order).size).toBe(30);
    expect(order[0]).toBe("room-29");
  });

  test("a conversation in which nothing is new keeps its files", async () => {
    const other = say("b", "standup at nine", { scope: "group:harbor", user: "priya" });
    const stage = await opened({ "history.json": [say("a", "hello"), other] });
    const before = stage.read("teller/group%3Aharbor/main/prompt.json");
    stage.write("history.json", [say("a", "hello"), other, say("c", "and goodbye")]);
    await stage.supervisor.settled();
    expect(stage.read("teller/prompt.md")).toContain("and goodbye");
    expect(stage.read("teller/group%3Aharbor/main/prompt.json")).toBe(before);
  });

  test("what changed is seen whatever its length, and memory.md in every conversation of the owner's", async () => {
    const other = (text: string): object => say("b", text, { scope: "shop" });
    const stage = await opened({
      "history.json": [say("a", "hello"), other("the port is 5432")],
      "memory.md": "- tea\n",
    });
    const shop = (): string => stage.read("teller/shop/main/prompt.md");
    expect(shop()).toContain("- tea");
    stage.write("history.json", [say("a", "hello"), other("the port is 5433")]);
    await stage.supervisor.settled();
    expect(shop()).toContain("the port is 5433");
    stage.write("memory.md", "- no tea after all\n");
    await stage.supervisor.settled();
    expect(shop()).toContain("- no tea after all");
    await stage.disk.unlink("/w/teller/shop/main/prompt.md");
    await stage.supervisor.settled();
    expect(shop()).toContain("- no tea after all");
  });

  test("names that look like files are no files", async () => {
    const stage = await opened({
      "history.json": [say("a", "hello", { scope: "prompt.md", session: "../x" })],
    });
    expect(stage.read("teller/prompt%2Emd/%2E.%2Fx/prompt.md")).toContain("hello");
  });
});

describe("what is written again", () => {
  test("two refreshes share everything that did not change, from the first byte on", async () => {
    const stage = await opened({
      "SOUL.md": "calm and brief\n",
      "memory.md": "## Rules\n\n- the owner likes tea\n",
      "AWARENESS.md": "- can run commands\n",
      "history.json": [say("a", "hello")],
    });
    const before = stage.read("teller/prompt.md");
    stage.write("inbox.json", [say("b", "which tea?")]);
    await stage.supervisor.settled();
    const after = stage.read("teller/prompt.md");
    expect(after).not.toBe(before);
    const same = [...before].findIndex((char, index) => after[index] !== char);
    expect(before.slice(0, same === -1 ? undefined : same)).toContain("## Awareness\n\n- can run commands");
  });

  describe("at its pace", () => {
    interface Paced {
      stage: Stage;
      clock: ReturnType<typeof handClock>;
      /** Lets everything go on that needs no time. */
      go: () => Promise<void>;
      inboxIds: () => MessageId[];
    }

    async function paced(): Promise<Paced> {
      const clock = handClock(instant(NOW));
      const stage = await openStage({ "history.json": [] }, { clock });
      await stage.supervisor.start({ watch: false, work: false });
      await clock.advance(5_000);
      const go = async (): Promise<void> => {
        stage.supervisor.wake();
        for (let turn = 0; turn < 1000; turn++) {
          await clock.breathe();
          // Processes and threads need real time, of which the clock of the test knows nothing.
          if (turn % 100 === 99) await new Promise((done) => setTimeout(done, 5));
        }
      };
      const inboxIds = (): MessageId[] =>
        (JSON.parse(stage.read("teller/prompt.json")) as { inboxIds: MessageId[] }).inboxIds;
      return { stage, clock, go, inboxIds };
    }

    test("of twenty changes in a second that nobody waits for at most two are, and the last one is right", async () => {
      const { stage, clock, go } = await paced();
      const seen = new Set<string>([stage.read("teller/prompt.json")]);
      const said: object[] = [];
      for (let change = 1; change <= 20; change++) {
        said.push(say(`h${change}`, `remark ${change}`));
        stage.write("history.json", said);
        await clock.advance(49);
        await go();
        seen.add(stage.read("teller/prompt.json"));
      }
      expect(seen.size - 1).toBeGreaterThan(0);
      expect(seen.size - 1).toBeLessThanOrEqual(2);
      await clock.advance(1_000);
      await go();
      expect(stage.read("teller/prompt.md")).toContain("remark 20");
    });

    test("new input is never made to wait, however many turns came before it", async () => {
      const { stage, go, inboxIds } = await paced();
      const said: object[] = [];
      for (let turn = 1; turn <= 20; turn++) {
        const question = say(`q${turn}`, `question ${turn}`);
        stage.write("inbox.json", [question]);
        await go();
        expect(inboxIds()).toEqual([`q${turn}`]);
        expect(stage.read("teller/prompt.md")).toContain(`question ${turn}`);
        said.push(question, say(`a${turn}`, `answer ${turn}`, { role: "agent" }));
        stage.write("history.json", said);
        stage.write("inbox.json", []);
        await go();
      }
    });

    test("what comes while a prompt is written is in the next one, all of it, right after", async () => {
      const { stage, clock, go, inboxIds } = await paced();
      const waiting = [say("q1", "question 1")];
      stage.write("inbox.json", waiting);
      stage.supervisor.wake();
      for (const turns of [3, 5, 8]) {
        for (let turn = 0; turn < turns; turn++) await clock.breathe();
        waiting.push(say(`q${waiting.length + 1}`, "and one more"));
        stage.write("inbox.json", waiting);
        stage.supervisor.wake();
      }
      await go();
      expect(inboxIds()).toEqual(["q1", "q2", "q3", "q4"]);
    });

    test("a message that says something else by now is new input", async () => {
      const { stage, go } = await paced();
      for (const text of ["where is", "where is the", "where is the ferry?"]) {
        stage.write("inbox.json", [say("q1", text)]);
        await go();
        expect(stage.read("teller/prompt.md")).toContain(text);
      }
    });

    test("what is saved again unchanged is written once", async () => {
      const { stage, clock, go } = await paced();
      stage.write("inbox.json", [say("q1", "question 1")]);
      await go();
      const before = stage.read("teller/prompt.json");
      await clock.advance(3_000);
      stage.write("inbox.json", [say("q1", "question 1")]);
      await go();
      expect(stage.read("teller/prompt.json")).toBe(before);
    });
  });
});

describe("a conversation that has outgrown its window", () => {
  const settings = { context: { profile: "full", compact_at_tokens: 600, compact_to_tokens: 200 } };
  const talk = (count: number, from = 0): object[] =>
    Array.from({ length: count }, (_unused, index) =>
      said(
        `t${from + index}`,
        new Date(Date.parse("2026-02-20T08:00:00Z") + (from + index) * 60_000).toISOString(),
        `turn ${from + index}: ${"the ferry sails at nine. ".repeat(4)}`,
      ),
    );

  test("is folded into a summary, and every message is in the window or among its sources", async () => {
    const stage = await opened({ "history.json": talk(40) }, settings);
    const window = stage.read("memory/window/main.md");
    expect(window).toContain("kind: window");
    const prompt = stage.read("teller/prompt.md");
    expect(prompt).toMatch(/^Summary of what was said until 2026-02-20 08:\d\d:/m);
    const covered = Number(/messages: (\d+)/.exec(window)?.[1]);
    const shown = [...prompt.matchAll(/^2026-02-20 \S+ user: turn (\d+):/gm)].map(([, turn]) => Number(turn));
    expect(covered + shown.length).toBe(40);
    expect(shown).toEqual(
      Array.from({ length: shown.length }, (_unused, index) => 40 - shown.length + index),
    );
    expect(stage.jobs.filter(({ tier }) => tier === "window")).toHaveLength(1);
  });

  test("the next fold takes the summary before it in, and a person's words stay", async () => {
    const stage = await opened({ "history.json": talk(40) }, settings);
    const edited = `${stage.read("memory/window/main.md")}\n- the person wrote this by hand\n`;
    stage.write("memory/window/main.md", edited);
    stage.write("history.json", talk(70));
    await stage.supervisor.settled();
    await stage.supervisor.idle();
    const [, second] = stage.jobs.filter(({ tier }) => tier === "window");
    expect(second?.sections[0]).toMatchObject({ edited: true });
    expect(second?.sections[0]?.previous).toContain("the person wrote this by hand");
    expect(stage.read("memory/window/main.md")).toContain("the person wrote this by hand");
    expect(second?.sections[0]?.utterances[0]?.text).not.toContain("turn 0:");
  });

  test("first hands over what is worth keeping, once", async () => {
    const stage = await openStage(
      { "history.json": talk(40) },
      // Nobody works it here: it is what was handed over.
      {
        settings: { ...settings, cognitive: { enabled: false } },
        observations: ["The ferry sails at nine."],
      },
    );
    await stage.supervisor.start({ watch: false, work: true });
    await stage.supervisor.idle();
    const jobs = Object.entries(stage.disk.files()).filter(([file]) => file.startsWith("/w/queue/pending/"));
    expect(jobs).toHaveLength(1);
    expect(JSON.parse(jobs[0]?.[1] ?? "")).toMatchObject({
      kind: "end",
      session: "main",
      observations: ["The ferry sails at nine."],
    });
  });

  test("a summary that is no text any more is left alone, and nothing waits for it", async () => {
    const stage = await openStage({ "history.json": talk(40) }, { settings });
    await stage.disk.makeDir("/w/memory/window");
    const out = await stage.disk.create("/w/memory/window/main.md");
    await out?.write(Uint8Array.of(0xff, 0xfe, 0x41, 0));
    await out?.close();
    await stage.supervisor.start({ watch: false, work: true });
    await stage.supervisor.idle();
    expect(stage.supervisor.trouble).toBeUndefined();
    expect([...((await stage.disk.read("/w/memory/window/main.md")) ?? [])]).toEqual([0xff, 0xfe, 0x41, 0]);
    expect(stage.read("teller/prompt.md")).toContain("turn 39");
    expect(stage.events.some(({ event, tier }) => event === "job_failed" && tier === "window")).toBe(true);
  });

  test("on a full disk the trouble is told, and it is done once there is room", async () => {
    const clock = handClock(instant(NOW));
    const stage = await openStage({ "history.json": talk(40) }, { settings, clock });
    let isFull = true;
    stage.disk.before((operation, path) => {
      if (isFull && operation === "create" && path.includes("/memory/window/"))
        throw Object.assign(new Error("no room"), { code: "ENOSPC" });
    });
    const rounds = async (seconds: number): Promise<void> => {
      for (let step = 0; step < seconds; step++) {
        await clock.advance(1_000);
        for (let turn = 0; turn < 100; turn++) await clock.breathe();
      }
    };
    await stage.supervisor.start({ watch: false, work: true });
    await rounds(3);
    expect(stage.events.some(({ event }) => event === "trouble")).toBe(true);
    expect(stage.read("memory/window/main.md")).toBe("");
    const asked = stage.jobs.length;
    await rounds(30);
    expect(stage.jobs.length).toBe(asked);
    isFull = false;
    await rounds(90);
    expect(stage.read("memory/window/main.md")).toContain("kind: window");
    expect(stage.supervisor.trouble).toBeUndefined();
  });

  test("goes on without its models, and stays under its ceiling", async () => {
    const tight = { context: { ...settings.context, full_history_tokens: 900 } };
    const stage = await openStage(
      { "history.json": talk(60) },
      {
        settings: tight,
        answer: async (job) =>
          job.tier === "window" ? { to: "unavailable", reason: "no route", usage: [] } : extractive(job),
      },
    );
    await stage.supervisor.start({ watch: false, work: true });
    await stage.supervisor.idle();
    expect(stage.read("memory/window/main.md")).toBe("");
    const data = JSON.parse(stage.read("teller/prompt.json")) as {
      sections: { name: string; tokens: number }[];
    };
    expect(data.sections.find(({ name }) => name === "history")?.tokens).toBeLessThanOrEqual(900);
    expect(stage.events.some(({ event, tier }) => event === "job_failed" && tier === "window")).toBe(true);
  });
});
