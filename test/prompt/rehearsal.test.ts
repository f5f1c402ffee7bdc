/** What is made ready before anybody asks: nothing of it is seen. */
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/platform/clock.js";
import { parseInstant } from "../../src/model/time.js";
import { instant } from "../support/archive-desk.js";
import { diskInMemory, supervisorOn } from "../support/supervisor-in-memory.js";

const NOW = "2026-02-20T12:00:00Z";

function talk(count: number): object[] {
  const begins = parseInstant("2026-02-19T10:00:00Z") ?? expect.fail();
  return Array.from({ length: count }, (_unused, index) => ({
    id: `m${index}`,
    role: index % 2 === 0 ? "user" : "agent",
    text: `The ferry number ${index} leaves from Harbor.`,
    createdAt: new Date(begins + index * 60_000).toISOString(),
    session: `s${index % 4}`,
  }));
}

test("a rehearsal asks what was said last in any session, writes nothing, and ends when it may not go on", async () => {
  const clock = systemClock(instant(NOW));
  const disk = await diskInMemory(clock);
  disk.writeInPlace("/w/history.json", JSON.stringify(talk(60)));
  disk.writeInPlace("/w/inbox.json", "[]");
  const supervisor = supervisorOn(disk, clock);
  onTestFinished(() => supervisor.stop());
  await supervisor.start({ watch: false, work: true });
  await supervisor.archiveNow();
  await supervisor.idle();

  const asked: string[] = [];
  const { search } = supervisor;
  const find = search.find.bind(search);
  search.find = (query, ...rest) => {
    asked.push(query);
    return find(query, ...rest);
  };
  const before = disk.files();
  await supervisor.prompt.rehearse({ history: [], inbox: [] }, () => Promise.resolve(true));
  expect(asked).toHaveLength(16);
  expect(asked[0]).toContain("number 58");
  expect(asked.at(-1)).toContain("number 28");

  asked.length = 0;
  await supervisor.prompt.rehearse({ history: [], inbox: [] }, () => Promise.resolve(asked.length < 3));
  expect(asked).toHaveLength(3);
  expect(disk.files()).toEqual(before);
});
