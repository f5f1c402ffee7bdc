/**
 * Plays a scenario, has the power cut at every point of it, and looks at what
 * the real recovery makes of each state; then the same with the power cut in
 * the middle of recoveries.
 *
 * A state counts once, by the hash of its tree. What a recovery leaves is looked
 * at whole (with a pass after it) once for each different tree it leaves.
 */
import { eachCut } from "./cuts.js";
import type { Fact } from "./facts.js";
import { ModelFs } from "./file-system.js";
import { copyOf, treeHash, type Image } from "./image.js";
import { startLife, type Life, type World } from "./life.js";
import { brokenFacts, keptBeside, meaningHash, standingIn, type Standing } from "./oracle.js";
import { placeFromStack } from "./places.js";
import { Retelling, type Told } from "./retelling.js";
import type { Scenario } from "./scenarios.js";
import { Stage } from "./stage.js";

export interface Findings {
  states: number;
  /** Of the states, those on which the recovery was told what it had been told before. */
  retold: number;
  /** By place: where the power was cut. */
  places: Map<string, number>;
  lost: number;
  doubled: number;
  unrecoverable: number;
  /** The first few, in words. */
  failures: string[];
}

export interface Search {
  /** Trees that have been looked at, over all scenarios. */
  seen: Set<number>;
  findings: Findings;
  random: () => number;
  /** Of selections of pending names that are not a beginning, at most so many at each point. */
  selections: number;
  /** Every so many bytes a write is torn. */
  tearEvery: number;
  /** At every so many points memd is killed, recovers, and the power goes while it does. */
  killEvery: number;
  /** Of the states after a first cut, this part is recovered with the power cut again. */
  deeper: number;
  /** True once enough states have been seen. */
  enough: () => boolean;
}

interface Play {
  scenario: Scenario;
  search: Search;
  world: World;
  recoveries: Retelling;
  /** What recoveries left, by the hash of their tree. */
  known: Map<number, Standing>;
}

/** In each life temporary names, inodes and times are others than before: the story's own, a recovery's, the next one's. */
const LIVES = { recovery: 30, deeper: 31, second: 33 } as const;
/** Of the recoveries that are retold, so many are run all the same, and must end alike. */
const CHECK_EVERY = 64;

export async function explore(scenario: Scenario, search: Search): Promise<void> {
  const stage = new Stage(scenario.settings);
  try {
    await scenario.before?.(stage);
    await stage.begin(placeFromStack);
    await scenario.play(stage);
  } catch (error) {
    // Cuts are for what works as long as the power is there.
    return tell(search, `unrecoverable: ${wordsOf(error)} (${scenario.name}, without any cut)`);
  }
  const { base, facts, world } = stage;
  const { log, places } = stage.fs;
  const play: Play = { scenario, search, world, recoveries: new Retelling(), known: new Map() };
  const deeper: { image: Image; at: number }[] = [];

  await eachCut(base, log, 0, search, async (image, at) => {
    const isNew = await consider(play, image, places[at - 1] ?? "start", () => facts.at(at));
    if (isNew && search.random() < search.deeper) deeper.push({ image: copyOf(image), at });
  });
  // The process was killed, what it wrote is still only in memory, and then the power goes while the next one recovers.
  for (let at = 0; at <= log.length && !search.enough(); at += search.killEvery) {
    // Whoever looks sees the same before and after a sync; what is pending is cut in what follows in any case.
    if (log[at - 1]?.is.startsWith("sync") === true) continue;
    const fs = ModelFs.replayed(base, log, at, LIVES.recovery);
    if (!(await recoverWhole(play, fs, LIVES.recovery))) continue;
    const place = `recovery after ${places[at - 1] ?? "start"}`;
    await eachCut(base, fs.log, at, search, async (image) => {
      await consider(play, image, place, () => facts.at(at));
    });
  }
  for (const { image, at } of deeper) {
    if (search.enough()) return;
    const fs = new ModelFs(copyOf(image), LIVES.deeper);
    if (!(await recoverWhole(play, fs, LIVES.deeper))) continue;
    const place = `recovery after ${places[at - 1] ?? "start"}`;
    await eachCut(image, fs.log, 0, search, async (again) => {
      await consider(play, again, place, () => facts.at(at));
    });
  }
}

/** True when the state was new. */
async function consider(play: Play, image: Image, place: string, facts: () => Fact[]): Promise<boolean> {
  const { search, known } = play;
  const { seen, findings } = search;
  const hash = treeHash(image);
  if (seen.has(hash)) return false;
  seen.add(hash);
  findings.states++;
  findings.places.set(place, (findings.places.get(place) ?? 0) + 1);
  try {
    const recovered = await recover(play, image);
    const beside = keptBeside(recovered.fs.image);
    const after = meaningHash(recovered.fs.image);
    let standing = known.get(after);
    if (standing === undefined) {
      standing = await recovered.passes();
      known.set(after, standing);
    }
    for (const broken of [...standing.broken, ...brokenFacts(standing, beside, facts())])
      fault(play, place, broken);
  } catch (error) {
    fault(play, place, `unrecoverable: ${wordsOf(error)}`);
  }
  return true;
}

function diskOf(image: Image): ModelFs {
  return new ModelFs(copyOf(image), LIVES.second);
}

/** A disk after the recovery. */
interface Recovered {
  fs: ModelFs;
  /** What stands on it after a pass, and after another one that has nothing to do. */
  passes: () => Promise<Standing>;
}

/** Retold where every answer has been given before, and run where one is new. */
async function recover(play: Play, image: Image): Promise<Recovered> {
  const { findings } = play.search;
  const fs = diskOf(image);
  const mark = play.recoveries.retell(fs);
  if (mark === undefined) return run(play, image);
  if (findings.retold++ % CHECK_EVERY === 0) {
    const checked = await run(play, image);
    if (mark.told.error !== undefined || treeHash(checked.fs.image) !== treeHash(fs.image))
      throw new Error("a recovery that was told the same did something else");
    return checked;
  }
  if (mark.told.error !== undefined) throw mark.told.error as Error;
  const passes = async (): Promise<Standing> => {
    const end = play.recoveries.retell(fs, mark);
    if (end === undefined) return (await run(play, image)).passes();
    if (end.told.error !== undefined) throw end.told.error as Error;
    return standingAfter(fs, end.told);
  };
  return { fs, passes };
}

/** Runs the code on it, and writes down what it does. */
async function run({ recoveries, world }: Play, image: Image): Promise<Recovered> {
  const fs = diskOf(image);
  const mark = recoveries.write(fs);
  const marked = async <T>(work: Promise<T>, broken: (value: T) => string[]): Promise<T> => {
    try {
      const value = await work;
      mark({ broken: broken(value) });
      return value;
    } catch (error) {
      mark({ error, broken: [] });
      throw error;
    }
  };
  const life = await marked(startLife(fs, world, LIVES.second), () => []);
  const passes = async (): Promise<Standing> => {
    const broken = await marked(passesOf(life), (found) => found);
    return standingAfter(fs, { broken });
  };
  return { fs, passes };
}

/** A pass, and another one that has nothing to do; what was broken in them. */
async function passesOf(life: Life): Promise<string[]> {
  await life.pass();
  const asked = life.jobs.length;
  await life.pass();
  return [
    ...(life.jobs.length > asked ? ["doubled: a model was asked for a summary that stands"] : []),
    ...(life.archive.owed().length > 0 ? ["lost: a summary is owed and not made"] : []),
  ];
}

function standingAfter(fs: ModelFs, { broken }: Told): Standing {
  const standing = standingIn(fs.image);
  standing.broken.push(...broken);
  return standing;
}

/** A recovery with the pass that follows, for its log; false when it failed, which is counted elsewhere. */
async function recoverWhole(play: Play, fs: ModelFs, name: number): Promise<boolean> {
  try {
    const life = await startLife(fs, play.world, name);
    await life.pass();
    return true;
  } catch {
    // The same state is looked at without a second cut, and there the failure counts.
    return false;
  }
}

function fault({ scenario, search }: Play, place: string, broken: string): void {
  tell(search, `${broken} (${scenario.name}, cut at ${place})`);
}

function tell({ findings }: Search, broken: string): void {
  if (broken.startsWith("lost")) findings.lost++;
  else if (broken.startsWith("doubled")) findings.doubled++;
  else findings.unrecoverable++;
  if (findings.failures.length < 40) findings.failures.push(broken);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
