import fc from "fast-check";
import { expect, test } from "vitest";
import { marked } from "../../../src/adapters/hooks/marks.js";
import { toldBy } from "../../../src/adapters/hooks/tell.js";
import { Follower } from "../../../src/adapters/live/follower.js";
import { Forgetting } from "../../../src/forget/forgetting.js";
import { idOfKey, type MessageKey, type ScopeId } from "../../../src/model/address.js";
import { isoOf } from "../../../src/model/time.js";
import { silentLog } from "../../../src/platform/log.js";
import { writeDrop } from "../../../src/protocol/read-list.js";
import { FILES } from "../../../src/protocol/workspace.js";
import { openDesk, type Desk } from "../../support/archive-desk.js";
import { loopByHand } from "../../support/loop-by-hand.js";

const PROJECTS = "/home/alice/.claude/projects/-w-boat";
const SCOPE = "boat-1" as ScopeId;

/** Claude Code, as far as it hooks and writes down. */
class Host {
  lines: string[] = [];
  said: string[] = [];
  #ids = 0;

  constructor(
    readonly desk: Desk,
    readonly session: string,
  ) {}

  get transcript(): string {
    return `${PROJECTS}/${this.session}.jsonl`;
  }

  async hook(is: "asked" | "answered", text: string): Promise<void> {
    const { session, transcript, desk } = this;
    const told = toldBy("claude-code", { is, text, session, transcript }, SCOPE, desk.clock.now());
    if (told !== undefined)
      await writeDrop(desk.archive.context.writer, { root: "/w" }, told, desk.clock.now(), FILES.told);
  }

  line(role: "user" | "assistant", text: string, more: object = {}): void {
    const uuid = `${this.session}-00000000-0000-${++this.#ids}`;
    const at = isoOf(this.desk.clock.now());
    const message =
      role === "user"
        ? { role, content: text }
        : { id: `msg-${uuid}`, role, content: [{ type: "text", text }] };
    this.lines.push(
      JSON.stringify({
        type: role,
        uuid,
        sessionId: this.session,
        timestamp: at,
        cwd: "/w/boat",
        message,
        ...more,
      }),
    );
  }

  /** What has been said so far stands in the file, all or without its last so many characters. */
  async write(cut = 0): Promise<void> {
    await this.desk.disk.makeDir(PROJECTS);
    const text = this.lines.map((line) => `${line}\n`).join("");
    this.desk.disk.writeInPlace(this.transcript, text.slice(0, text.length - cut));
  }
}

function followerOf({ archive, clock }: Pick<Desk, "archive" | "clock">): Follower {
  const { writer, workspace, settings } = archive.context;
  const take: ConstructorParameters<typeof Follower>[0]["take"] = (messages) =>
    archive.importMessages(messages);
  const follower = new Follower({ writer, workspace, clock, settings, log: silentLog, take }, loopByHand());
  archive.heardByHooks = (told) => follower.heard(told);
  return follower;
}

/** Looks until a transcript that has grown has been quiet for long enough. */
async function look(desk: Desk, follower: Follower): Promise<void> {
  for (let looks = 0; looks < 4; looks++) {
    await desk.archive.look();
    follower.poll({ isRescan: true });
    await follower.over();
    await desk.clock.advance(2500);
  }
}

/** Every message that stands in a day, in the order of its time. */
async function saidIn(desk: Desk): Promise<string[]> {
  await desk.pass();
  return desk
    .blocks()
    .map(({ block }) => block.filed)
    .sort((one, other) => one.filedAt - other.filedAt)
    .map(({ message }) => `${message.role}: ${message.text}`);
}

const NOW = "2026-11-20T09:00:00Z";

/** What may go wrong at a turn. */
const turn = fc.record({
  text: fc.constantFrom("go on", "yes", "Move the ferry to 9.", "说中文吧", "fix the timetable"),
  answer: fc.constantFrom("Done.", "Done.", "Moved.", "好的"),
  askedHook: fc.boolean(),
  answeredHook: fc.boolean(),
  /** When the transcript holds it: at once, or some turns later. */
  writes: fc.constantFrom("before", "after", "late", "half"),
  looks: fc.boolean(),
  restarts: fc.nat(20).map((n) => n === 0),
  pauseS: fc.nat(900),
});

test("every message once, whichever hooks were killed and however late the transcript is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 25 }), async (turns) => {
      const desk = await openDesk({ now: NOW });
      const host = new Host(desk, "s-1");
      let follower = followerOf(desk);
      // One hook at least tells where it is written down.
      await host.hook("asked", "hello");
      host.line("user", "hello");
      const expected = ["user: hello"];
      for (const one of turns) {
        await desk.clock.advance(1000 * (one.pauseS + 1));
        if (one.askedHook) await host.hook("asked", one.text);
        host.line("user", one.text);
        if (one.writes === "before") await host.write();
        if (one.looks) await look(desk, follower);
        await desk.clock.advance(30_000);
        host.line("assistant", one.answer);
        if (one.answeredHook) await host.hook("answered", one.answer);
        if (one.writes === "after") await host.write();
        if (one.writes === "half") await host.write(17);
        if (one.looks) await look(desk, follower);
        if (one.restarts)
          await desk.restart((archive) => {
            follower = followerOf({ archive, clock: desk.clock });
          });
        expected.push(`user: ${one.text}`, `agent: ${one.answer}`);
      }
      await host.write();
      await look(desk, follower);
      await look(desk, follower);
      const said = await saidIn(desk);
      expect(said.toSorted()).toEqual(expected.toSorted());
      // Where a hook was killed, of two that say the same the other one's time may stand.
      const isWhole = turns.every(({ askedHook, answeredHook }) => askedHook && answeredHook);
      if (isWhole) expect(said).toEqual(expected);
    }),
    { numRuns: 40 },
  );
}, 120_000);

test("what is forgotten comes back neither by the transcript nor by an import of it", async () => {
  const desk = await openDesk({ now: NOW });
  const follower = followerOf(desk);
  const host = new Host(desk, "s-1");
  // Told by its hook and forgotten before the transcript says it too.
  await host.hook("asked", "my code is 4711");
  await look(desk, follower);
  const forgetting = new Forgetting(desk.archive, { cleared: () => Promise.resolve() });
  const [told] = [...desk.archive.context.ledger.entries()];
  await forgetting.forget({ id: idOfKey(told?.key as MessageKey), scope: SCOPE }, false);
  host.line("user", "my code is 4711");
  await desk.clock.advance(20_000);
  host.line("assistant", "Noted.");
  await host.write();
  await host.hook("asked", "go on");
  await look(desk, follower);
  expect(await saidIn(desk)).toEqual(["agent: Noted.", "user: go on"]);
  // Told by both, forgotten, and read again from the beginning, as another conversation that it was resumed as.
  await forgetting.forget({ session: "s-1", scope: SCOPE }, false);
  desk.disk.writeInPlace(`/w/${FILES.followed}`, "{}");
  const resumed = new Host(desk, "s-2");
  resumed.lines = host.lines.slice();
  await resumed.write();
  await resumed.hook("asked", "hello again");
  await look(desk, followerOf(desk));
  expect(await saidIn(desk)).toEqual(["user: hello again"]);
});

test("a transcript that is cut, replaced or ends in half a line is read on", async () => {
  const desk = await openDesk({ now: NOW });
  const follower = followerOf(desk);
  const host = new Host(desk, "s-1");
  await host.hook("asked", "one");
  host.line("user", "one");
  await desk.clock.advance(60_000);
  host.line("assistant", "two");
  await host.write(5);
  await look(desk, follower);
  expect(await saidIn(desk)).toEqual(["user: one"]);
  await host.write();
  await look(desk, follower);
  const standing = host.lines.slice();
  await desk.clock.advance(60_000);
  host.lines = [];
  host.line("user", "three");
  await host.write();
  await look(desk, follower);
  host.lines = [...standing, ...host.lines];
  await host.write();
  await look(desk, follower);
  expect(await saidIn(desk)).toEqual(["user: one", "agent: two", "user: three"]);
});

test("what memd told the agent is taken for nothing that anybody said", async () => {
  const desk = await openDesk({ now: NOW });
  const follower = followerOf(desk);
  const host = new Host(desk, "s-1");
  const briefing = marked("## Memory\n\n10:00 user: the ferry goes at 9");
  await host.hook("asked", "when does it go?");
  host.line("user", `${briefing}\n\nwhen does it go?`);
  await desk.clock.advance(1000);
  host.line("user", briefing);
  await host.write();
  await look(desk, follower);
  expect(await saidIn(desk)).toEqual(["user: when does it go?"]);
});

test("conversations and folders that the owner keeps out are not followed", async () => {
  const desk = await openDesk({ now: NOW, settings: { agents: { exclude: ["/w/boat", "s-3"] } } });
  const host = new Host(desk, "s-1");
  host.line("user", "secret");
  await host.write();
  await host.hook("asked", "");
  await look(desk, followerOf(desk));
  expect(await saidIn(desk)).toEqual([]);
});
