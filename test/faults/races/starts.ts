/**
 * Rounds of real `memd start`: two to four at the same moment on one workspace,
 * free or left by a killed owner, some with another runtime folder. One runs,
 * the others end with exit code 4 and a sentence.
 *
 * Most of a start is Node's own. So in most rounds the starters are held right
 * before they look for an owner for the first time, and let go together, at the
 * moment of the kill where there is an owner: from there to the next owner that
 * answers is what a takeover takes.
 */
import { endAll, isOwned, launch, newPlace, settled, type Daemon, type Program } from "./daemon.js";
import { comesTrue, isStopped } from "./looking.js";
import { quantiles, type Quantiles } from "./quantiles.js";
import type { Dice } from "./random.js";

const TAKEOVER_MS = 1000;
const BUSY = 4;
/** So many rounds are of the built files as they are, the others of the same in one piece. */
const BUILT_EVERY = 4;
const FIRST_LOOK = "connect /memd-";

export interface StartFigures {
  rounds: number;
  started: number;
  refused: number;
  /** From the start of the processes until one of them answers as the owner. */
  startMs: Quantiles;
  /** From the kill of the owner, with the next ones about to look for it, until one of them answers. */
  takeoverMs: Quantiles;
  failures: string[];
}

export async function runStarts(
  { memd, quick }: { memd: Program; quick: Program },
  dir: string,
  slice: boolean,
  dice: Dice,
): Promise<StartFigures> {
  const startMs: number[] = [];
  const takeoverMs: number[] = [];
  const figures: StartFigures = {
    rounds: 0,
    started: 0,
    refused: 0,
    startMs: quantiles([]),
    takeoverMs: quantiles([]),
    failures: [],
  };
  const place = newPlace(dir, "starts", 12);
  let owner: Daemon | undefined;
  try {
    for (let round = 1; round <= (slice ? 2 : 100) && figures.failures.length < 10; round++) {
      const count = slice ? 2 : dice.between(2, 4);
      const alike = dice.next() < 0.6;
      // Held where they look for an owner, so that none of them looks before the kill.
      const held = owner !== undefined || dice.next() < 0.5;
      const startedAt = performance.now();
      const starters = Array.from({ length: count }, (_, n) =>
        launch(round % BUILT_EVERY === 0 ? memd : quick, place, {
          runtime: alike || n % 2 === 0 ? 0 : 1,
          ...(held ? { stopAt: FIRST_LOOK } : {}),
        }),
      );
      if (held && !(await comesTrue(() => starters.every(({ pid }) => isStopped(pid)))))
        figures.failures.push(`round ${round}: the starters do not look for an owner`);
      const goneAt = performance.now();
      await owner?.kill();
      for (const starter of starters) starter.signal("SIGCONT");
      await comesTrue(() => isOwned(place));
      if (owner !== undefined) takeoverMs.push(performance.now() - goneAt);
      else if (!held) startMs.push(performance.now() - startedAt);
      const { runs, wrong } = await oneRuns(starters);
      if (wrong !== undefined) figures.failures.push(`${count} starts, round ${round}: ${wrong}`);
      figures.rounds = round;
      figures.started += count;
      figures.refused += count - 1;
      owner = undefined;
      if (dice.next() < 0.6) owner = runs;
      else runs?.signal("SIGTERM");
      if (owner === undefined && runs !== undefined && !(await comesTrue(() => runs.ended() !== undefined)))
        figures.failures.push(`round ${round}: it does not stop`);
    }
  } finally {
    await endAll(place);
  }
  figures.startMs = quantiles(startMs);
  figures.takeoverMs = quantiles(takeoverMs);
  if (figures.takeoverMs.max > TAKEOVER_MS)
    figures.failures.push(`a start took over only ${figures.takeoverMs.max} ms after the kill`);
  return figures;
}

async function oneRuns(starters: readonly Daemon[]): Promise<{ runs?: Daemon; wrong?: string }> {
  // With another runtime folder one may be ready before it sees that another one has been noted.
  await comesTrue(() => starters.filter((one) => one.ended() === undefined).length <= 1);
  const running = starters.filter((one) => one.ended() === undefined);
  const [runs] = running;
  if (runs === undefined || running.length > 1)
    return {
      wrong: `${running.length} run; ${starters.map((one) => JSON.stringify(one.ended())).join(" ")}`,
    };
  if (!(await settled(runs))) return { wrong: `the one that ran on ended: ${JSON.stringify(runs.ended())}` };
  const refused = starters.filter((one) => one !== runs).map((one) => one.ended());
  const rude = refused.find((end) => end?.code !== BUSY || !/^memd: \S.*\.\n {2}\S/.test(end.stderr));
  return rude === undefined ? { runs } : { runs, wrong: `one was refused with ${JSON.stringify(rude)}` };
}
