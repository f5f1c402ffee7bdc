/**
 * What is one JSON value per line or per file: drops, the journal, usage lines,
 * and what goes over the pipe to a worker.
 */
import { nextAttempt } from "../../../src/archive/retries.js";
import { Ledger } from "../../../src/archive/ledger.js";
import { parseJobLine, parseWorkerLine } from "../../../src/llm/job-line.js";
import { budgetLeft, readUsage, usageTotals } from "../../../src/llm/usage.js";
import type { FiledMessage, MessageId } from "../../../src/model/message.js";
import { defaultOwnerOf, keyOf, keyOfMessage, scopeOf } from "../../../src/model/address.js";
import { DEFAULT_SETTINGS } from "../../../src/model/settings.js";
import { epochMs, isoOf, parseInstant, zoneOf, type Day } from "../../../src/model/time.js";
import { readDrops } from "../../../src/protocol/read-list.js";
import {
  openJournal,
  printJournalEntry,
  readJournalFile,
  type JournalEntry,
} from "../../../src/protocol/journal.js";
import { parseMessage, printMessage, withId } from "../../../src/protocol/message.js";
import { canonical } from "../../support/arbitrary.js";
import { diskWith, put } from "./disk.js";
import { given, mustBe, type Case, type Kind, type Outcome } from "./kind.js";
import type { Rng } from "./seed.js";
import { messageOf, textOf } from "./words.js";
import { countingRandom } from "../../support/counting-random.js";

export const LINES: readonly Kind[] = [
  { name: "drop", share: 10, make: dropCase },
  { name: "journal", share: 7, make: journalCase },
  { name: "usage line", share: 4, make: usageCase },
  { name: "job line", share: 5, make: jobLineCase },
];

const WORKSPACE = { root: "/w" };
const UTC = zoneOf("UTC");

export function filedOf(rng: Rng, n: number, more: Record<string, unknown> = {}): FiledMessage {
  const raw = messageOf(rng, n, more);
  const parsed = parseMessage(raw);
  mustBe("dropped", parsed !== undefined, `no message: ${JSON.stringify(raw)}`);
  const message = withId(parsed as NonNullable<typeof parsed>, raw["id"] as MessageId);
  mustBe(
    "changed",
    canonical(printMessage(message)) === canonical(raw),
    `not the same: ${JSON.stringify(raw)}`,
  );
  const filedAt = parseInstant(message.createdAt) ?? epochMs(0);
  const belongsTo = defaultOwnerOf(message);
  return belongsTo === undefined ? { message, filedAt } : { message, filedAt, belongsTo };
}

function dropCase(rng: Rng): Case {
  const { message } = filedOf(rng, 1);
  const { id: _none, ...rest } = printMessage(message);
  const text = JSON.stringify(rest);
  const wanted = JSON.stringify(printMessage(withId(message, "d" as MessageId)));
  return {
    whole: Buffer.from(`${text}\n`),
    try: async (input): Promise<Outcome> => {
      const disk = await diskWith("/w/inbox.d");
      await put(disk, "/w/inbox.d/d.json", input);
      const { value: drop } = await readDrops(disk, WORKSPACE).next();
      mustBe("dropped", drop !== undefined, "a drop that is nowhere");
      const isWhole = new TextDecoder().decode(input).replace("\n", "") === text;
      if (drop?.is !== "message") {
        mustBe("dropped", !isWhole, "a whole drop is refused");
        return "refused";
      }
      if (isWhole)
        mustBe("changed", JSON.stringify(printMessage(drop.message)) === wanted, "a drop is changed");
      return "parsed";
    },
  };
}

/** Lines that stand come out as they were, and a new one is whole behind whatever stands there. */
function journalCase(rng: Rng): Case {
  const filed = Array.from({ length: 1 + rng.int(6) }, (_none, n) => filedOf(rng, n));
  const entries = filed.flatMap((one, n): JournalEntry[] => {
    const key = keyOfMessage(one.message);
    const said: JournalEntry = {
      op: "message",
      from: "history",
      seenAt: epochMs(one.filedAt + 5),
      filed: one,
    };
    const settled: JournalEntry = {
      op: "settled",
      keys: [{ key, hash: "0123456789abcdef", place: "01234567" }],
    };
    const alias: JournalEntry = {
      op: "alias",
      key: keyOf(scopeOf(one.message), `i${n}` as MessageId),
      of: key,
    };
    return [said, ...(rng.oneIn(2) ? [settled] : []), ...(rng.oneIn(3) ? [alias] : [])];
  });
  const lines = entries.flatMap(printJournalEntry);
  const added = entries[0] as JournalEntry;
  const path = "journal/2026-01-05.jsonl";
  const isAppended = rng.oneIn(3);
  return {
    whole: Buffer.from(`${lines.join("\n")}\n`),
    try: async (input): Promise<Outcome> => {
      const disk = await diskWith("/w/journal");
      await put(disk, `/w/${path}`, input);
      const writer = { disk, random: countingRandom(), guard: () => Promise.resolve() };
      const text = new TextDecoder().decode(input);
      const whole = new Set(text.split("\n").map((line) => line.trim()));
      const read = async (): Promise<string[]> => {
        const placed = await readJournalFile(disk, WORKSPACE, path);
        const ledger = new Ledger(UTC);
        for (const { entry, place } of placed) ledger.apply(entry, place);
        return placed.flatMap(({ entry }) => printJournalEntry(entry));
      };
      const before = await read();
      for (const line of lines)
        mustBe("dropped", !whole.has(line) || before.includes(line), `the journal leaves out ${line}`);
      if (!isAppended) return before.length > 0 ? "parsed" : "refused";
      await openJournal(writer, WORKSPACE).append([added], "2026-01-05" as Day);
      const after = await read();
      mustBe("dropped", after.length > before.length, "a line behind a torn one is lost");
      mustBe("changed", after.at(-1) === lines[0], "a line behind a torn one is changed");
      for (const [index, line] of before.entries())
        mustBe("changed", after[index] === line, `appending changes ${line}`);
      return before.length > 0 ? "parsed" : "refused";
    },
  };
}

function usageCase(rng: Rng): Case {
  const lines = Array.from({ length: 1 + rng.int(4) }, (_none, n) =>
    JSON.stringify({
      at: `2026-01-05T0${n}:00:00.000Z`,
      role: "summary",
      feature: "day_summary",
      model: rng.pick(["qwen3:8b", "gpt", "__proto__"]),
      tokensIn: 100 + n,
      tokensOut: 10,
      tokensCached: 0,
      ms: 1200,
      outcome: rng.pick(["ok", "failed"]),
    }),
  );
  return {
    whole: Buffer.from(`${lines.join("\n")}\n`),
    try: async (input): Promise<Outcome> => {
      const disk = await diskWith("/w/logs");
      await put(disk, "/w/logs/usage.jsonl", input);
      const records = await readUsage({ disk }, WORKSPACE);
      const totals = usageTotals(records, UTC);
      const left = budgetLeft(records, "2026-01-05" as Day, UTC, 1_000_000);
      const numbers = totals.flatMap((total) => [total.calls, total.tokensIn, total.tokensOut, total.ms]);
      for (const number of [left, ...numbers])
        mustBe("changed", Number.isFinite(number) && Number(number) >= 0, `usage counts ${String(number)}`);
      const text = utf8(input);
      const whole = new Set(text?.split("\n").map((line) => line.trim()));
      const standing = lines.filter((line) => whole.has(line)).length;
      const calls = totals.reduce((sum, total) => sum + total.calls, 0);
      mustBe("dropped", calls >= standing, "a usage line is not counted");
      return calls > 0 ? "parsed" : "refused";
    },
  };
}

function jobLineCase(rng: Rng): Case {
  const section = { user: "alice", text: textOf(rng) };
  const result = { kind: "summary", id: "j1", by: "builtin", sections: [section] };
  const lines = [
    { job: { kind: "summary", id: "j1", tier: "day", sections: [] }, now: 1.77e12, beatMs: 5000 },
    { outcome: { to: "done", usage: [], result } },
    { outcome: { to: "unavailable", usage: [], reason: textOf(rng, 2), retryAfterMs: 1500 } },
    { outcome: { to: "failed", usage: [], reason: textOf(rng, 2) } },
    {
      usage: {
        at: "2026-01-05T00:00:00Z",
        role: "summary",
        feature: "f",
        model: "m",
        tokensIn: 1,
        tokensOut: 2,
        tokensCached: 0,
        ms: 3,
        outcome: "ok",
      },
    },
    { beat: true },
  ];
  const line = JSON.stringify(rng.pick(lines as [unknown, ...unknown[]]));
  return {
    whole: Buffer.from(line),
    try: async (input): Promise<Outcome> => {
      const text = new TextDecoder().decode(input);
      const job = await given(() => parseJobLine(text));
      const said = parseWorkerLine(text);
      if ("outcome" in said) {
        const { outcome } = said;
        // What the pool and the archive do with one.
        if (outcome.to === "done" && outcome.result.kind === "summary")
          for (const one of outcome.result.sections)
            mustBe("changed", one.text.trim() !== undefined, "no text");
        else if (outcome.to !== "done")
          mustBe("changed", typeof outcome.reason === "string", "an outcome without a reason");
        if (outcome.to === "unavailable" && outcome.retryAfterMs !== undefined)
          isoOf(nextAttempt(1, epochMs(1.77e12), DEFAULT_SETTINGS.archive, outcome.retryAfterMs));
      } else if ("usage" in said) {
        usageTotals([said.usage], UTC);
      } else {
        mustBe(
          "dropped",
          text !== line || !/^\{"(?:outcome|usage)"/.test(line),
          `a worker's line is noise: ${line}`,
        );
      }
      return job === undefined ? "refused" : "parsed";
    },
  };
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The whole file is no text.
    return undefined;
  }
}
