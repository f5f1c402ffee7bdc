/** Rounds of the contest for a workspace's socket among long-lived processes: how each begins and ends, and what must hold. */
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { bundle } from "../bundle.js";
import type { Plant } from "../plants.js";
import { startContender, type Contender } from "./contenders.js";
import { contest, type Contest, type Outcome } from "./contest.js";
import { parseLedger, twoOwners } from "./ledger.js";
import { planRound, type RoundPlan } from "./plan.js";
import { quantiles, type Quantiles } from "./quantiles.js";
import { dice } from "./random.js";

const CONTENDERS = 8;
/** Leftovers of the dead make each sweep longer: a new folder now and then. */
const ROUNDS_PER_FOLDER = 100;
const TAKEOVER_MS = 1000;

export interface RoundFigures {
  rounds: number;
  /** Rounds in which a contender was stopped on the way and woke up when the others were through. */
  sleepers: number;
  /** Contenders that were killed on the way, and owners that were. */
  killed: number;
  /** Living owners that a sleeper put out; each had stopped before its successor acted. */
  displaced: number;
  /** From the kill of an owner to the next one, told at once to the others, in milliseconds. */
  takeoverMs: Quantiles;
  failures: string[];
}

interface Run {
  contenders: Contender[];
  replace: (dead: Contender) => Promise<void>;
  figures: RoundFigures;
  takeovers: number[];
}

export async function runRounds(options: {
  dir: string;
  rounds: number;
  seed: number;
  plant: Plant | undefined;
  say: (line: string) => void;
}): Promise<RoundFigures> {
  const { dir, rounds, seed } = options;
  const program = {
    preload: await bundle("test/faults/races/slow-calls.ts"),
    entry: await bundle("test/faults/races/contender.ts", { plant: options.plant }),
  };
  const ledger = path.join(dir, "ledger.jsonl");
  let started = 0;
  const start = (): Promise<Contender> => startContender(program, ledger, `p${++started}`);
  const contenders = await Promise.all(Array.from({ length: CONTENDERS }, start));
  const failures: string[] = [];
  const run: Run = {
    contenders,
    replace: async (dead) => {
      contenders[contenders.indexOf(dead)] = await start();
    },
    figures: { rounds: 0, sleepers: 0, killed: 0, displaced: 0, takeoverMs: quantiles([]), failures },
    takeovers: [],
  };
  const random = dice(seed);
  try {
    let folder = dir;
    for (let round = 1; round <= rounds && failures.length < 20; round++) {
      if (round % ROUNDS_PER_FOLDER === 1) {
        if (folder !== dir) fs.rmSync(folder, { recursive: true });
        folder = path.join(dir, `r${round}`);
        fs.mkdirSync(folder, { mode: 0o700 });
      }
      const plan = planRound(random, CONTENDERS);
      const wrong = await playRound(run, path.join(folder, `${round}.sock`), round, plan);
      run.figures.rounds = round;
      if (wrong !== undefined) failures.push(`round ${round} (${JSON.stringify(plan)}): ${wrong}`);
      if (round % 1000 === 0) options.say(`${round} rounds`);
    }
  } finally {
    await Promise.all(contenders.map((contender) => contender.kill()));
  }
  failures.push(...twoOwners(parseLedger(fs.readFileSync(ledger, "utf8"))));
  run.figures.takeoverMs = quantiles(run.takeovers);
  if (run.figures.takeoverMs.max > TAKEOVER_MS)
    failures.push(`a killed owner was followed only after ${run.figures.takeoverMs.max} ms`);
  return run.figures;
}

/** What is wrong, if anything; afterwards nobody owns anything. */
async function playRound(
  run: Run,
  socket: string,
  round: number,
  plan: RoundPlan,
): Promise<string | undefined> {
  const { contenders, figures } = run;
  if (plan.place === "dead") await deadSocket(socket);
  let fought = await contest(contenders, socket, round, plan.mishaps);
  if (fought.slept) figures.sleepers++;
  const fallen = contenders.filter((_, index) => fought.outcomes[index]?.is === "gone");
  figures.killed += fallen.length;
  await Promise.all(fallen.map(run.replace));
  // Who was killed may have had the name already: then the others have only seen that somebody had it.
  if (fallen.length > 0 && !fought.outcomes.some(({ is }) => is === "owner"))
    fought = await contest(contenders, socket, round);
  const begun = await soleOwner(contenders, fought);
  if (typeof begun === "string") return `start: ${begun}`;
  figures.displaced += begun.displaced;
  const ended = await endRound(run, begun.owner, socket, round, plan.end);
  // Whoever has the name, or believes to, gives it back: the next round begins with nobody.
  await Promise.all(contenders.map((contender) => contender.ask({ do: "release" })));
  return ended === undefined ? undefined : `${plan.end}: ${ended}`;
}

async function endRound(
  run: Run,
  owner: Contender,
  socket: string,
  round: number,
  end: RoundPlan["end"],
): Promise<string | undefined> {
  const others = run.contenders.filter((contender) => contender !== owner);
  switch (end) {
    case "release":
      return undefined;
    case "sleeps": {
      owner.sleep();
      const { outcomes } = await contest(others, socket, round);
      await owner.wake();
      if (outcomes.some(({ is }) => is !== "busy"))
        return `the owner sleeps and listens, the others: ${words(outcomes)}`;
      return (await isOwner(owner)) ? undefined : "the owner woke up and was none any more";
    }
    case "unnamed": {
      owner.sleep();
      fs.unlinkSync(socket);
      const next = await soleOwner(others, await contest(others, socket, round));
      await owner.wake();
      if (typeof next === "string") return next;
      if (await isOwner(owner)) return "an owner whose name another one has believes to have it";
      await owner.ask({ do: "release" });
      return (await isOwner(next.owner)) ? undefined : "what had lost the name took it from the next owner";
    }
    case "renamed": {
      const file = `${socket}-file`;
      fs.writeFileSync(file, "no socket");
      fs.renameSync(file, socket);
      const next = await soleOwner(others, await contest(others, socket, round));
      if (typeof next === "string") return next;
      return (await isOwner(owner)) ? "an owner whose name another one has believes to have it" : undefined;
    }
    case "killed": {
      const killedAt = performance.now();
      void owner.kill();
      let fought: Contest;
      do {
        fought = await contest(others, socket, round);
      } while (
        fought.outcomes.every(({ is }) => is === "busy") &&
        performance.now() < killedAt + 10 * TAKEOVER_MS
      );
      run.takeovers.push((fought.ownedAt ?? Infinity) - killedAt);
      run.figures.killed++;
      await run.replace(owner);
      const next = await soleOwner(others, fought);
      return typeof next === "string" ? next : undefined;
    }
    default:
      return end satisfies never;
  }
}

/** The one of them that owns now; else what is wrong. Others that came to own must have been put out since. */
async function soleOwner(
  contenders: readonly Contender[],
  { outcomes, slept }: Contest,
): Promise<{ owner: Contender; displaced: number } | string> {
  if (outcomes.some(({ is }) => is === "failed")) return words(outcomes);
  const winners = contenders.filter((_, index) => outcomes[index]?.is === "owner");
  const owners: Contender[] = [];
  for (const winner of winners) if (await isOwner(winner)) owners.push(winner);
  const [owner] = owners;
  if (owner === undefined || owners.length > 1) return `${owners.length} owners: ${words(outcomes)}`;
  // Only somebody who slept through the life of the lock can put a living owner out.
  if (winners.length > 1 && !slept) return `${winners.length} came to own: ${words(outcomes)}`;
  return { owner, displaced: winners.length - 1 };
}

async function isOwner(contender: Contender): Promise<boolean> {
  const answer = await contender.ask({ do: "mine" });
  return answer.is === "mine" && answer.mine;
}

function words(outcomes: readonly Outcome[]): string {
  return outcomes.map((outcome) => (outcome.is === "failed" ? outcome.why : outcome.is)).join(" ");
}

/** What a killed owner leaves: the name of a socket that nobody listens on. */
export async function deadSocket(socket: string): Promise<void> {
  const server = net.createServer();
  await new Promise<void>((done) => server.listen(`${socket}.bound`, done));
  fs.linkSync(`${socket}.bound`, socket);
  await new Promise((done) => server.close(done));
}
