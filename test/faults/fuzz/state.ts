/**
 * The small files that memd writes for itself and finds again after anything:
 * readings, retries, the note of a held lock, workspace.json, the state file.
 */
import type { ArchiveContext } from "../../../src/archive/context.js";
import { loadReadings } from "../../../src/archive/list-state.js";
import { takeIn } from "../../../src/archive/intake.js";
import { RetrySchedule } from "../../../src/archive/retries.js";
import { Ledger } from "../../../src/archive/ledger.js";
import { epochMs, zoneOf } from "../../../src/model/time.js";
import { breakDeadLock } from "../../../src/protocol/owner-note.js";
import { parseMessage } from "../../../src/protocol/message.js";
import { openWorkspaceAt, printWorkspaceFile } from "../../../src/protocol/workspace-file.js";
import { loadState } from "../../../src/archive/passes.js";
import { diskWith, put } from "./disk.js";
import { given, mustBe, type Case, type Kind, type Outcome } from "./kind.js";
import type { Rng } from "./seed.js";
import { messageOf, nameOf, textOf } from "./words.js";
import { countingRandom } from "../../support/counting-random.js";

export const STATE: readonly Kind[] = [
  { name: "readings", share: 2, make: readingsCase },
  { name: "retry", share: 4, make: ladderCase },
  { name: "lock note", share: 2, make: lockNoteCase },
  { name: "workspace.json", share: 3, make: workspaceCase },
  { name: "state.json", share: 2, make: stateCase },
];

const WORKSPACE = { root: "/w" };
const UTC = zoneOf("UTC");
const JOB = "0123456789abcdef01234567";

/** However the last reading is broken, every message of the next one has a key of its own. */
function readingsCase(rng: Rng): Case {
  const messages = Array.from({ length: 1 + rng.int(5) }, (_none, n) => {
    const { id: _id, ...rest } = messageOf(rng, n);
    return parseMessage(rest);
  }).filter((message) => message !== undefined);
  const empty = takeIn(new Ledger(UTC), messages, "history", undefined, epochMs(1.77e12));
  const whole = Buffer.from(JSON.stringify({ history: empty.reading, inbox: [] }));
  return {
    whole,
    try: async (input): Promise<Outcome> => {
      const disk = await diskWith("/w/queue");
      await put(disk, "/w/queue/reading.json", input);
      const readings = await loadReadings({
        writer: { disk },
        workspace: WORKSPACE,
      } as unknown as ArchiveContext);
      for (const previous of [readings.history, readings.inbox]) {
        const { keys } = takeIn(new Ledger(UTC), messages, "history", previous, epochMs(1.77e12));
        mustBe("dropped", new Set(keys).size === messages.length, "two messages under one key");
      }
      return readings.history === undefined ? "refused" : "parsed";
    },
  };
}

/** What can be read is written as it was; and nothing outside the folder of retries is touched. */
function ladderCase(rng: Rng): Case {
  const retry = {
    job: rng.oneIn(3) ? rng.pick(["../../history", "..", "a/b", nameOf(rng)]) : JOB,
    tier: rng.pick(["day", "month"]),
    scope: rng.pick(["main", "group:x", nameOf(rng)]),
    date: "2026-01-05",
    attempts: 1 + rng.int(6),
    failedAt: "2026-01-06T00:00:00.000Z",
    nextAt: "2026-01-06T00:10:00.000Z",
    reason: textOf(rng, 2),
  };
  return {
    whole: Buffer.from(`${JSON.stringify(retry, null, 2)}\n`),
    try: async (input): Promise<Outcome> => {
      const disk = await diskWith("/w/queue/summaries");
      await put(disk, "/w/history.json", Buffer.from("[]"));
      await put(disk, `/w/queue/summaries/${JOB}.json`, input);
      const writer = { disk, random: countingRandom(), guard: () => Promise.resolve() };
      const retries = new RetrySchedule(writer, WORKSPACE);
      await retries.load();
      const [found] = retries.all();
      if (found === undefined) return "refused";
      await retries.failed({ ...found, attempts: found.attempts + 1 });
      const again = new RetrySchedule(writer, WORKSPACE);
      await again.load();
      const kept = again.get(found.scope, found.date);
      mustBe("changed", kept?.attempts === found.attempts + 1, "a retry that was written is not found");
      await retries.settled(found.scope, found.date);
      const outside = Object.keys(disk.files()).filter((file) => !file.startsWith("/w/queue/summaries/"));
      mustBe("dropped", outside.join() === "/w/history.json", `a retry touches ${outside.join()}`);
      return "parsed";
    },
  };
}

/** Only locks of the two lists are broken, and the note does not stay. */
function lockNoteCase(rng: Rng): Case {
  const note = rng.pick(["/w/history.json", "/w/inbox.json", "/w/other", "/w/../x"]);
  return {
    whole: Buffer.from(note),
    try: async (input): Promise<Outcome> => {
      const locks = ["/w/history.json.lock", "/w/inbox.json.lock", "/w/other.lock", "/x.lock"];
      const disk = await diskWith("/w/.memd", ...locks);
      await put(disk, "/w/.memd/lock", input);
      await breakDeadLock(disk, WORKSPACE);
      const said = new TextDecoder().decode(input);
      for (const lock of locks) {
        const broken = (await disk.stat(lock)) === undefined;
        const named = ["/w/history.json", "/w/inbox.json"].includes(said) && `${said}.lock` === lock;
        mustBe("dropped", broken === named, `the lock ${lock} is ${broken ? "broken" : "kept"}`);
      }
      mustBe("changed", (await disk.stat("/w/.memd/lock")) === undefined, "the note stays");
      return said === note ? "parsed" : "refused";
    },
  };
}

function workspaceCase(rng: Rng): Case {
  const whole = printWorkspaceFile(nameOf(rng));
  return {
    whole: Buffer.from(whole),
    try: async (input): Promise<Outcome> => {
      const disk = await diskWith("/w");
      await put(disk, "/w/workspace.json", input);
      const opened = await given(() => openWorkspaceAt(disk, "/w"));
      const isWhole = Buffer.compare(input, Buffer.from(whole)) === 0;
      mustBe("dropped", opened !== undefined || !isWhole, "a workspace is refused");
      return opened === undefined ? "refused" : "parsed";
    },
  };
}

function stateCase(rng: Rng): Case {
  const lastPassAt = new Date(1.77e12 + rng.int(1e9)).toISOString();
  return {
    whole: Buffer.from(`${JSON.stringify({ lastPassAt })}\n`),
    try: async (input): Promise<Outcome> => {
      const disk = await diskWith("/w/.memd");
      await put(disk, "/w/.memd/state.json", input);
      const writer = { disk, random: countingRandom(), guard: () => Promise.resolve() };
      const state = await loadState(writer, WORKSPACE);
      if (state.lastPassAt === undefined) return "refused";
      new Date(state.lastPassAt).toISOString();
      return "parsed";
    },
  };
}
