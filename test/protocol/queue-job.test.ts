import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { epochMs, isoOf } from "../../src/model/time.js";
import { JOB_VERSION, parseQueueJob, type QueueJob } from "../../src/protocol/queue-job.js";
import { writeJob } from "../../src/protocol/queue.js";
import { hostileText, jsonValue } from "../support/arbitrary.js";
import { memoryWorkspace, WORKSPACE } from "../support/writer.js";
import { countingRandom } from "../support/counting-random.js";

const now = epochMs(Date.parse("2026-01-05T10:00:00Z"));

const JOB: QueueJob = {
  version: JOB_VERSION,
  kind: "end",
  createdAt: isoOf(now),
  user: "lin",
  scope: "main",
  session: "main",
  memo: "Moved the release.",
  observations: ["The release is on Friday."],
  force: true,
};

const notBlank = hostileText.filter((text) => text.trim() !== "");
const name = hostileText.filter((text) => text !== "");
const job: fc.Arbitrary<QueueJob> = fc
  .record(
    {
      version: fc.constant(JOB_VERSION),
      kind: fc.constant("end" as const),
      createdAt: fc.integer({ min: 0, max: 4e12 }).map((ms) => isoOf(epochMs(ms))),
      scope: name,
      session: name,
      observations: fc.array(notBlank, { maxLength: 4 }),
      user: name,
      memo: notBlank,
      force: fc.constant(true as const),
    },
    { requiredKeys: ["version", "kind", "createdAt", "scope", "session", "observations"] },
  )
  .filter(({ memo, observations }) => memo !== undefined || observations.length > 0);

test("a job is read back as it was written, whatever its texts", async () => {
  await fc.assert(
    fc.asyncProperty(job, async (given) => {
      const { disk, writer } = await memoryWorkspace();
      const id = await writeJob(writer, WORKSPACE, given, now);
      const text = disk.files()[`/w/queue/pending/${id}.json`] ?? "";
      expect(text.endsWith("\n")).toBe(true);
      expect(parseQueueJob(text)).toEqual({ is: "job", job: given });
    }),
    { numRuns: 200 },
  );
});

test("jobs have names that rise with time, and never take one another's", async () => {
  const { disk, writer } = await memoryWorkspace();
  const ids: string[] = [];
  for (const later of [0, 0, 1000]) {
    // Each writer begins to count anew: their first names are the same.
    const own = { ...writer, random: countingRandom() };
    ids.push(await writeJob(own, WORKSPACE, JOB, epochMs(now + later)));
  }
  expect(ids[0]).toMatch(/^2026-01-05T10-00-00-000Z-[a-z0-9]{8}$/);
  expect([...new Set(ids)].sort()).toEqual(ids);
  expect(Object.keys(disk.files())).toEqual(ids.map((id) => `/w/queue/pending/${id}.json`));
});

describe("what is no job says why", () => {
  test.each([
    ["a torn file", JSON.stringify(JOB).slice(0, -1), /not JSON/],
    ["an empty file", "", /not JSON/],
    ["a list", "[]", /expected object/],
    ["null", "null", /expected object/],
    ["no version", JSON.stringify({ ...JOB, version: undefined }), /version: /],
    ["another kind", JSON.stringify({ ...JOB, kind: "dream" }), /kind: /],
    ["a field that no job has", JSON.stringify({ ...JOB, memos: ["x"] }), /memos/],
    [
      "a blank observation",
      JSON.stringify({ ...JOB, observations: ["a", " \n"] }),
      /observations\.1: is blank/,
    ],
    ["observations that are no list", JSON.stringify({ ...JOB, observations: "a" }), /observations: /],
    ["a blank memo", JSON.stringify({ ...JOB, memo: " " }), /memo: is blank/],
    ["nothing to keep", JSON.stringify({ ...JOB, memo: undefined, observations: [] }), /it: says nothing/],
    ["a time that is none", JSON.stringify({ ...JOB, createdAt: "2026-02-30" }), /createdAt: is no ISO/],
    ["a missing scope", JSON.stringify({ ...JOB, scope: undefined }), /scope: /],
    ["an empty user", JSON.stringify({ ...JOB, user: "" }), /user: /],
    ["a force that is no promise", JSON.stringify({ ...JOB, force: false }), /force: /],
  ])("%s", (_what, text, reason) => {
    expect(parseQueueJob(text)).toEqual({
      is: "unreadable",
      reason: expect.stringMatching(reason) as string,
    });
  });

  test("of a newer memd is none that failed", () => {
    expect(parseQueueJob(JSON.stringify({ ...JOB, version: 2, more: 1 }))).toEqual({
      is: "newer",
      reason: "it is of version 2, and this memd knows 1",
    });
  });

  test("any JSON is read without a throw, and only a whole job is one", () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        expect(parseQueueJob(JSON.stringify(value)).is).toBe("unreadable");
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(JOB)), jsonValue, (field, value) => {
        const read = parseQueueJob(JSON.stringify({ ...JOB, [field]: value }));
        if (read.is === "job") expect(read.job).toEqual({ ...JOB, [field]: value });
        else expect(read.reason).not.toBe("");
      }),
      { numRuns: 300 },
    );
  });
});
