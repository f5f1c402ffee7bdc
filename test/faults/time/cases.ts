/** Named cases of clocks and calendars, each its own check: the promises that it broke, in words. */
import { passReason } from "../../../src/archive/owed.js";
import { prune, prunePlan } from "../../../src/archive/prune.js";
import { takeIn } from "../../../src/archive/intake.js";
import { Ledger } from "../../../src/archive/ledger.js";
import { builtinSummary } from "../../../src/llm/builtin/summary.js";
import type { MessageId } from "../../../src/model/message.js";
import { settingsSchema } from "../../../src/model/settings.js";
import { epochMs, zoneOf } from "../../../src/model/time.js";
import { readDrops, writeDrop } from "../../../src/protocol/read-list.js";
import { memoryWorkspace, WORKSPACE } from "../../support/writer.js";
import { DAY, HOUR, SECOND, YEAR } from "./calendar.js";
import type { Mood } from "./model-witness.js";
import { Scene } from "./scene.js";
import { filesUnder, historyOf, standingOn } from "./standing.js";
import { summarise } from "../../support/summarise.js";

type Case = () => Promise<readonly string[]>;

const NOON = Date.parse("2026-02-22T12:00:00Z");
const good = (): Mood => "good";
const bad = (): Mood => "bad";

async function opened(settings: Record<string, unknown> = {}): Promise<Scene> {
  const scene = new Scene({ now: NOON, zone: "UTC", settings });
  await scene.open();
  return scene;
}

async function sayAt(scene: Scene, id: string, said: number): Promise<void> {
  await scene.say({ id, scope: "main", createdAt: new Date(said).toISOString(), said });
}

const told = (scene: Scene, more: readonly string[] = []): string[] => [...scene.expected.broken, ...more];

export const CASES: Readonly<Record<string, Case>> = {
  "the last version seen wins, though the clock went back between two and memd started anew before archiving":
    async () => {
      const scene = await opened();
      await sayAt(scene, "m1", NOON);
      await scene.look();
      for (const [n, at] of [NOON - 2 * DAY, NOON + YEAR, NOON - 3 * DAY, NOON - 3 * DAY].entries()) {
        scene.setClock(at);
        await scene.revise("m1", `m1.v${n + 2} m1`);
        await scene.look();
      }
      await scene.open();
      await scene.pass(good);
      return told(scene);
    },

  "and it stays, though what was archived before has later days in its journal": async () => {
    const scene = await opened();
    await sayAt(scene, "m1", NOON);
    await scene.pass(good);
    scene.setClock(NOON - 2 * DAY);
    await scene.revise("m1", "m1.v2 m1");
    await scene.pass(good);
    for (const at of [NOON - DAY, NOON + DAY]) {
      scene.setClock(at);
      await scene.open();
      await scene.pass(good);
    }
    return told(scene);
  },

  "pruning lets no older version outlive the newest, though the clock went back between them": async () => {
    const scene = await opened();
    await sayAt(scene, "m1", NOON - DAY);
    await scene.look();
    scene.setClock(NOON - 2 * DAY);
    await scene.revise("m1", "m1.v2 m1");
    await scene.pass(good);
    scene.setClock(NOON);
    await scene.prune();
    await scene.open();
    await scene.pass(good);
    return told(scene);
  },

  "a clock set ten years on and back again: nothing early, nothing twice, nothing put off": async () => {
    const scene = await opened();
    for (const [n, ago] of [150, 50, 20, 8, 3, 0].entries()) await sayAt(scene, `m${n}`, NOON - ago * DAY);
    await scene.pass(bad);
    for (const at of [NOON + 10 * YEAR, NOON + HOUR, NOON - 10 * YEAR, NOON + 2 * HOUR]) {
      scene.setClock(at);
      await scene.pass(bad);
    }
    scene.setClock(NOON + DAY);
    await scene.pass(good);
    const { calls } = scene.model;
    await scene.pass(good);
    return told(scene, scene.model.calls === calls ? [] : ["a summary that stands was asked for again"]);
  },

  "what was owed by a clock that has been put right since is not made": async () => {
    const scene = await opened();
    await sayAt(scene, "m1", NOON - HOUR);
    await scene.pass(good);
    scene.setClock(NOON + 10 * YEAR);
    await scene.archive.rescan();
    scene.setClock(NOON + SECOND);
    const asked: string[] = [];
    for (const owed of scene.archive.due(true)) {
      await summarise(scene.archive, owed, async ({ date }) => {
        asked.push(`a summary of ${date} was asked for on the day itself`);
        return { to: "failed", reason: "early", usage: [] };
      });
    }
    return told(scene, asked);
  },

  "a long step of the retry is waited for": async () => {
    const scene = await opened({ archive: { backoff_minutes: [4 * 24 * 60], backlog_hours: 96 } });
    await sayAt(scene, "m1", NOON - 10 * DAY);
    await scene.archive.look();
    await scene.archive.writeVerbatim();
    const [owed] = scene.archive.due(false);
    if (owed === undefined) return ["nothing was due"];
    await summarise(scene.archive, owed, async () => ({ to: "failed", reason: "dead", usage: [] }));
    const early = [0, 1, 3].filter((days) => {
      scene.setClock(NOON + days * DAY);
      return scene.archive.due(false).length > 0;
    });
    scene.setClock(NOON + 4 * DAY);
    const late = scene.archive.due(false).length === 1 ? [] : ["it was not tried after four days"];
    return [...early.map((days) => `a step of four days was over after ${days}`), ...late];
  },

  "an endpoint that asks to be left alone for years is tried once a day, not at once and not never":
    async () => {
      const scene = await opened();
      await sayAt(scene, "m1", NOON - 10 * DAY);
      await scene.archive.look();
      await scene.archive.writeVerbatim();
      const broken: string[] = [];
      for (const retryAfterMs of [10 * DAY, 100 * YEAR, 1e300]) {
        const [owed] = scene.archive.due(false);
        if (owed === undefined) return ["nothing was due"];
        await summarise(scene.archive, owed, async () => ({
          to: "unavailable",
          reason: "busy",
          retryAfterMs,
          usage: [],
        }));
        for (const [hours, due] of [
          [0, 0],
          [23, 0],
          [24, 1],
        ] as const) {
          scene.setClock(scene.now + (hours === 24 ? HOUR : hours * HOUR));
          if (scene.archive.due(false).length !== due)
            broken.push(`after ${retryAfterMs} ms were asked for, ${1 - due} is due after ${hours} h`);
        }
      }
      return broken;
    },

  "a pass starts six hours after the last one, and is never put off by years": async () => {
    const { archive } = settingsSchema.parse({});
    const at = (sinceMs: number): boolean =>
      passReason(
        {
          due: 1,
          oldestAt: undefined,
          overSoft: false,
          overflow: false,
          lastPassAt: epochMs(NOON - sinceMs),
          now: epochMs(NOON),
        },
        archive,
      ) !== undefined;
    return [
      ...[6 * HOUR, DAY, 10 * YEAR, -10 * YEAR, -DAY]
        .filter((ms) => !at(ms))
        .map((ms) => `no pass ${ms} ms after the last one`),
      ...[0, HOUR, 6 * HOUR - 1].filter(at).map((ms) => `a pass ${ms} ms after the last one`),
    ];
  },

  "late messages of old days find their day, and its summary says each line once": async () => {
    const scene = await opened();
    for (const [n, ago] of [75, 75, 40, 9].entries()) await sayAt(scene, `m${n}`, NOON - ago * DAY);
    await scene.pass(good);
    for (const [n, ago] of [75, 40, 9, 9].entries()) {
      await sayAt(scene, `late${n}`, NOON - ago * DAY - HOUR);
      await scene.pass(good);
    }
    scene.setClock(NOON + 40 * DAY);
    await scene.pass(good);
    return told(scene);
  },

  "the built-in summary of a day that went on says each sentence once": async () => {
    const scene = await opened();
    const texts = [
      "We decided to paint the ferry green on Monday.",
      "We agreed that Mara sells the heron boat in April.",
    ];
    for (const [n, text] of texts.entries()) {
      const said = NOON - 9 * DAY + n * HOUR;
      await scene.say({ id: `m${n}`, scope: "main", createdAt: new Date(said).toISOString(), said }, text);
      await scene.archive.look();
      await scene.archive.writeVerbatim();
      for (const owed of scene.archive.due(false))
        await summarise(scene.archive, owed, async (job) => ({
          to: "done",
          result: { kind: "summary", id: job.id, by: "builtin", ...(await builtinSummary(job)) },
          usage: [],
        }));
    }
    const [, summary = ""] = filesUnder(standingOn(scene.disk), "memory/summary/")[0] ?? [];
    const counts = ["paint the ferry green", "heron boat"].map((words) => summary.split(words).length - 1);
    return counts.join() === "1,1" ? [] : [`the sentences stand ${counts.join()} times`];
  },

  "files with times of the future are read again when they change": async () => {
    const scene = await opened();
    scene.setClock(NOON + 10 * YEAR);
    await sayAt(scene, "m1", NOON);
    scene.setClock(NOON);
    await scene.look();
    await scene.revise("m1", "m1.v2 m1");
    await scene.look();
    await scene.pass(good);
    return told(scene);
  },

  "retention goes by the day that a file is of, whatever its times say": async () => {
    const scene = await opened({ retention: { archive_days: 30, recent_days: 4 } });
    const ages = [45, 31, 30, 20, 5, 4, 1];
    scene.setClock(NOON + 10 * YEAR);
    scene.setClock(NOON);
    for (const ago of ages) await sayAt(scene, `m${ago}`, NOON - ago * DAY);
    await scene.pass(good);
    for (const { path } of standingOn(scene.disk).days) {
      const node = path.includes("archive") ? NOON + 10 * YEAR : NOON - 10 * YEAR;
      scene.setClock(node);
      scene.disk.writeInPlace(`/w/${path}`, standingOn(scene.disk).files.get(path) ?? "");
    }
    scene.setClock(NOON);
    await scene.archive.rescan();
    await prune(scene.archive.context, await prunePlan(scene.archive.context, new Set()));
    const left = standingOn(scene.disk).days.flatMap(({ blocks }) =>
      blocks.map(({ filed }) => filed.message.id),
    );
    return left.sort().join() === "m1,m20,m30,m4" ? [] : [`retention left ${left.join()}`];
  },

  "a month's summary goes when its last day is old enough, not before": async () => {
    const scene = await opened({ retention: { summary_days: 60 } });
    await sayAt(scene, "m1", Date.parse("2025-12-10T10:00:00Z"));
    await scene.pass(good);
    const isGoing = async (at: string): Promise<boolean> => {
      scene.setClock(Date.parse(at));
      const items = await prunePlan(scene.archive.context, new Set());
      return items.some(({ why }) => why === "summary_days");
    };
    // 31 December and 60 days are 1 March.
    return [
      ...((await isGoing("2026-03-01T12:00:00Z")) ? ["it went on 1 March"] : []),
      ...((await isGoing("2026-03-02T12:00:00Z")) ? [] : ["it stayed on 2 March"]),
    ];
  },

  "drops of one process keep their order when the clock steps back": async () => {
    const { disk, writer } = await memoryWorkspace();
    const ids: string[] = [];
    for (const byMs of [0, 0, -SECOND, -10 * YEAR, 5])
      ids.push(
        await writeDrop(writer, WORKSPACE, { role: "user", text: "x", createdAt: "" }, epochMs(NOON + byMs)),
      );
    const read: string[] = [];
    for await (const { file } of readDrops(disk, WORKSPACE))
      read.push(file.replace(/^.*\/(.+)\.json$/, "$1"));
    return read.join() === ids.join() ? [] : [`said ${ids.join()}, read ${read.join()}`];
  },

  "an input and its copy in history are one message, though their time lies in the future": async () => {
    const ledger = new Ledger(zoneOf("UTC"));
    const message = {
      role: "user" as const,
      text: "see you",
      createdAt: new Date(NOON + 3 * DAY).toISOString(),
    };
    const seen = takeIn(ledger, [{ ...message, id: "d1" as MessageId }], "drop", undefined, epochMs(NOON));
    for (const entry of seen.entries) ledger.apply(entry, { path: "journal/x.jsonl", line: 1 });
    const again = takeIn(ledger, [message], "history", undefined, epochMs(NOON + 5 * SECOND));
    const twice = again.entries.filter(({ op }) => op === "message").length;
    return twice === 0 ? [] : ["the copy was journalled as a second message"];
  },

  "what history.json calls archived stays so through jumps": async () => {
    const scene = await opened();
    for (const [n, ago] of [50, 8, 0].entries()) await sayAt(scene, `m${n}`, NOON - ago * DAY);
    await scene.pass(good);
    for (const at of [NOON + 10 * YEAR, NOON - 10 * YEAR, NOON]) {
      scene.setClock(at);
      await scene.pass(good);
    }
    const marks = historyOf(standingOn(scene.disk)).map(({ archived }) => archived);
    return told(scene, marks.every((mark) => mark === true) ? [] : [`history.json says ${marks.join()}`]);
  },
};
