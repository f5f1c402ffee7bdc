/** An import that is killed on the way and made again: everything comes in, once. */
import fs from "node:fs";
import { expect, test } from "vitest";
import { DAY_MS, epochMs, isoOf, MINUTE_MS } from "../../src/model/time.js";
import { cliPlace, eventually, type Place } from "../support/cli.js";
import { blocksOf, expectNothingTwice } from "../support/cli-memory.js";

const NOW = "2026-06-15T23:00:00Z";
const FIRST = Date.parse("2026-03-01T08:00:00Z");
const [DAYS, OF_A_DAY, SESSIONS] = [60, 36, 3];
/** More than the journal takes in at once, so that it is killed between pieces and within them. */
const SAID = Array.from({ length: DAYS * OF_A_DAY }, (_, index) => {
  const [day, turn] = [Math.floor(index / OF_A_DAY), index % OF_A_DAY];
  return {
    id: `message-${index}-of-the-import`,
    role: turn % 2 === 0 ? "user" : "assistant",
    text: `Line ${index} of day ${day}, on ferries and harbors. 第 ${index} 句。`,
    session: `s-${day % SESSIONS}`,
    createdAt: isoOf(epochMs(FIRST + day * DAY_MS + turn * MINUTE_MS)),
  };
});
const KILLS = 12;
const PATIENCE_MS = 120_000;

test("an import that is killed at ten moments and more, and made again, loses and doubles nothing", async () => {
  const talk = SAID.map((message) => JSON.stringify(message)).join("\n");
  const place = cliPlace({ files: { "talk.jsonl": talk } });
  let killed = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    const begun = written(place);
    const days = Math.floor((DAYS * kill) / (KILLS + 2));
    const memd = place.launch(["import", "talk.jsonl"], { now: NOW });
    let hasEnded = false;
    void memd.ended.then(() => (hasEnded = true));
    const isSo = (): boolean => {
      const now = written(place);
      return hasEnded || (now.days >= days && now.bytes > begun.bytes);
    };
    await eventually(`${days} days written, and more than before`, isSo, PATIENCE_MS);
    memd.kill("SIGKILL");
    if ((await memd.ended).signal === "SIGKILL") killed += 1;
  }
  expect(killed).toBeGreaterThanOrEqual(10);
  expect(written(place).days).toBeLessThan(DAYS);

  const last = await place.memd(["import", "talk.jsonl", "--json"], { now: NOW });
  expect(JSON.parse(last.stdout)).toMatchObject({ messages: SAID.length });
  const again = await place.memd(["import", "talk.jsonl", "--json"], { now: NOW });
  expect(JSON.parse(again.stdout)).toMatchObject({ fresh: 0 });
  const standing = blocksOf(place).map(({ message: { id, text } }) => `${id} ${text}`);
  expect(standing.toSorted()).toEqual(SAID.map(({ id, text }) => `${id} ${text}`).toSorted());
  expectNothingTwice(place);
  const status = await place.memd(["status", "--json"], { now: NOW });
  // Each of them is to be looked at, once.
  expect(JSON.parse(status.stdout)).toMatchObject({
    imported: { exchanges: SAID.length / 2, left: SAID.length / 2 },
  });
}, 900_000);

/** What stands of it: whole days, and bytes of days and of the journal. */
function written(place: Place): { days: number; bytes: number } {
  const files = [...place.files("memory"), ...place.files("journal")];
  const sizes = files.map(
    (file) => fs.statSync(`${place.root}/${file}`, { throwIfNoEntry: false })?.size ?? 0,
  );
  const days = files.filter((file) => /\d{4}-\d{2}-\d{2}-[^/]+\.md$/.test(file)).length;
  return { days, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
