/**
 * The whole supervisor, timers and all, through days with a model that is dead,
 * while its clock is set about: it is asked again when the retry says so, and
 * neither hammered nor left alone for years. Then the model is well again.
 */
import { Memd } from "../../../src/service/memd.js";
import { settingsSchema } from "../../../src/model/settings.js";
import { epochMs } from "../../../src/model/time.js";
import type { SummaryJob, SummaryOutcome } from "../../../src/llm/jobs/summary.js";
import { listeningLog } from "../../../src/platform/log.js";
import { nodeDisk } from "../../../src/platform/node-disk.js";
import { promptsFolder, workerEntry } from "../../../src/platform/package-root.js";
import { systemRandom } from "../../../src/platform/clock.js";
import { indexInMemory } from "../../../src/recall/index/open.js";
import { workerIn } from "../../support/worker.js";
import { DAY, HOUR, isTooEarly, nextTry, YEAR } from "./calendar.js";
import { diceOf } from "./random.js";
import { ROOT } from "./standing.js";
import { handClock } from "../../support/hand-clock.js";
import { memoryLocks } from "../../support/memory-locks.js";
import { memoryDisk } from "../../support/memory-disk.js";

export interface DeadModel {
  calls: number;
  jumps: number;
  hours: number;
  broken: string[];
}

const START = Date.parse("2026-02-20T12:00:00Z");
const MINUTE = 60_000;
const EVERY_MS = 10 * MINUTE;

export async function deadModel(seed: number, hours: number): Promise<DeadModel> {
  const dice = diceOf(seed);
  const found: DeadModel = { calls: 0, jumps: 0, hours, broken: [] };
  const clock = handClock(epochMs(START));
  const failed = new Map<string, { attempts: number; nextAt: number }>();
  let isDead = true;
  const answer = (job: SummaryJob): SummaryOutcome => {
    const { id, date, sections } = job;
    if (!isDead) {
      const result = {
        kind: "summary" as const,
        id,
        by: "test",
        sections: sections.map(({ user }) => ({ ...(user === undefined ? {} : { user }), text: "- well" })),
      };
      return { to: "done", result, usage: [] };
    }
    found.calls++;
    const { attempts, nextAt } = failed.get(date) ?? { attempts: 0, nextAt: 0 };
    if (isTooEarly(nextAt, clock.now()))
      found.broken.push(`${date} was tried at ${clock.now() - START} ms, before ${nextAt - START} ms`);
    failed.set(date, { attempts: attempts + 1, nextAt: nextTry(attempts + 1, clock.now()) });
    return { to: "unavailable", reason: "dead", usage: [] };
  };
  const { supervisor, disk } = await opened(clock, answer);
  let right = 0;
  try {
    for (let passed = 0; passed < hours * HOUR; passed += EVERY_MS) {
      await clock.advance(EVERY_MS);
      right += EVERY_MS;
      if (dice.chance(0.05)) {
        clock.set(
          epochMs(
            dice.chance(0.6)
              ? START + right
              : clock.now() + dice.pick([-10 * YEAR, 10 * YEAR, -HOUR, -MINUTE, MINUTE]),
          ),
        );
        found.jumps++;
      }
      await supervisor.idle();
    }
    // Five steps of the retry and one a day, for each of two targets in each tier that a jump may give them; one more for each jump.
    const most = 4 * (5 + hours / 24 + 1) + 2 * found.jumps;
    if (found.calls > most)
      found.broken.push(
        `a dead model was asked ${found.calls} times in ${hours} hours and ${found.jumps} jumps`,
      );
    isDead = false;
    clock.set(epochMs(START + right));
    let waited = 0;
    do {
      await clock.advance(HOUR);
      await supervisor.idle();
      waited += HOUR;
    } while (waited <= 2 * DAY && supervisor.archive.owed().length > 0);
    const left = supervisor.archive.owed().map(({ date }) => date);
    if (left.length > 0)
      found.broken.push(`two days after the model was well again ${left.join()} is still owed`);
    const summaries = Object.keys(disk.files()).filter((file) => file.includes("/summary/"));
    if (summaries.length === 0) found.broken.push("there is no summary");
  } finally {
    await supervisor.stop();
  }
  return found;
}

async function opened(clock: ReturnType<typeof handClock>, answer: (job: SummaryJob) => SummaryOutcome) {
  const disk = memoryDisk(() => clock.now());
  await disk.makeDir(ROOT);
  await disk.makeDir(promptsFolder());
  for (const { name } of await nodeDisk.list(promptsFolder())) {
    const bytes = await nodeDisk.read(`${promptsFolder()}/${name}`);
    disk.writeInPlace(`${promptsFolder()}/${name}`, new TextDecoder().decode(bytes));
  }
  const old = [9, 60].map((ago, n) => ({
    id: `m${n}`,
    role: "user",
    text: `said ${ago} days ago`,
    createdAt: new Date(START - ago * DAY).toISOString(),
  }));
  disk.writeInPlace(`${ROOT}/history.json`, JSON.stringify(old));
  const supervisor = new Memd({
    workspace: { root: ROOT },
    settings: settingsSchema.parse({ timezone: "UTC", historian: { extract: false } }),
    disk,
    clock,
    random: systemRandom,
    locks: memoryLocks(),
    watch: { watch: () => Promise.resolve({ close: () => Promise.resolve() }) },
    spawn: workerIn(answer),
    ripgrep: () => Promise.resolve([]),
    openIndex: indexInMemory,
    log: listeningLog(() => undefined),
    systemZone: "UTC",
    environment: {},
    workerEntry: workerEntry(),
    promptFolders: [promptsFolder()],
    guard: () => Promise.resolve(),
  });
  await supervisor.start({ watch: false, work: true });
  await supervisor.idle();
  return { supervisor, disk };
}
