/** A conversation that is over: what is of it alone goes, what is of its place and its user stays. */
import { expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.js";
import { parseRecords } from "../../src/protocol/records.js";
import { instant, said } from "../support/archive-desk.js";
import { endJob } from "../support/end-job.js";
import { openStage, type Stage } from "../support/stage.js";
import { handClock } from "../support/hand-clock.js";

const NOW = "2026-03-02T12:00:00Z";
const RECORDS = "memory/records/2026-03.jsonl";

const record = (id: string, more: object): string =>
  JSON.stringify({
    schema: 1,
    id,
    kind: "fact",
    level: "session",
    scope: "main",
    session: "s",
    user: "lin",
    text: `What ${id} says.`,
    at: NOW,
    recordedAt: NOW,
    isAbsolute: true,
    sources: [],
    trust: "agent",
    ...more,
  });

const end = (more: object): object => endJob(NOW, { session: "s", ...more });

const standing = (stage: Stage): string[] => parseRecords(stage.read(RECORDS)).map(({ id }) => id);

test("its facts go once the observations of its last turn are worked; nothing else does", async () => {
  const stage = await openStage(
    {
      [RECORDS]: [
        record("fact", {}),
        record("other-session", { session: "t" }),
        record("other-user", { user: "wei" }),
        record("event", { kind: "event", level: "scope" }),
        "",
      ].join("\n"),
      "queue/pending/a.json": end({ observations: ["Lin Yue(lin) sold the van."], close: true }),
    },
    { clock: systemClock(instant(NOW)) },
  );
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.idle();
  await stage.supervisor.settled();
  expect(standing(stage)).toEqual(["other-session", "other-user", "event", "a_1"]);
  expect(stage.read(RECORDS)).not.toContain("What fact says");
  expect(Object.keys(stage.disk.files()).filter((path) => path.includes("/queue/pending/"))).toEqual([]);
});

test("a turn that only closes is enough, and facts of what was said before are not looked for afterwards", async () => {
  const wanted: string[][] = [];
  const clock = handClock(instant("2026-03-02T11:59:30Z"));
  const stage = await openStage(
    {
      "history.json": [
        said("q-1", "2026-03-02T11:59:00Z", "We meet in room 5", { user: "lin", session: "s" }),
        said("a-1", "2026-03-02T11:59:10Z", "Fine", { role: "agent", session: "s" }),
      ],
      "queue/pending/a.json": end({ close: true }),
    },
    {
      clock,
      extract: async ({ kind, id, wants }) => {
        wanted.push([...wants]);
        return {
          to: "done",
          usage: [],
          result: { kind, id, by: "test", findings: [] },
        };
      },
    },
  );
  await stage.supervisor.start({ watch: false, work: true });
  for (let minute = 0; minute < 120 && wanted.length === 0; minute++) {
    await clock.advance(60_000);
    await new Promise((soon) => setTimeout(soon, 5));
  }
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.flat()).not.toContain("fact");
});

test("a question that no memd runs for works it too, and what is kept of other conversations stays", async () => {
  const clock = systemClock(instant(NOW));
  const first = await openStage({ "queue/pending/a.json": end({ session: "old", close: true }) }, { clock });
  await first.supervisor.start({ watch: false, work: true });
  await first.supervisor.idle();
  const cursors = first.read("queue/cursors.json");
  expect(cursors).toContain('"old"');
  const stage = await openStage(
    {
      "queue/cursors.json": cursors,
      "queue/processing/b.json": end({ observations: ["Lin Yue(lin) sold the van."] }),
      "queue/pending/c.json": end({ session: "s", close: true }),
    },
    { clock },
  );
  await stage.supervisor.start({ watch: false, work: false });
  await stage.supervisor.remember();
  expect(stage.read("queue/cursors.json")).toContain('"old"');
  expect(stage.read("queue/cursors.json")).toContain('"s"');
  expect(standing(stage)).toEqual(["b_1"]);
});
