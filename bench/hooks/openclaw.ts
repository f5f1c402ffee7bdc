/**
 * `bench hooks`, its third agent: OpenClaw, which runs memd's plugin in its own process. Turns fail, hosts are killed
 * before they tell and started again, sessions are reset, forked and compacted; what no hook told comes with an
 * import of the store in the end.
 */
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { OpenClawHost, type Played } from "../../test/support/openclaw-host.js";
import { type Daemon, startDaemon } from "../search/daemon.js";
import type { Said } from "./host.js";

const BINARY = path.resolve(import.meta.dirname, "../../bin/memd.js");
const KEYS = ["agent:main:main", "agent:main:whatsapp:direct:+49", "agent:main:telegram:group:-100"];
/** What is said at these turns is asked for later on, in another session. */
const TOLD_EVERY = 10;
/** Nobody types faster; the hooks of other agents take as long to start. */
const PAUSE_MS = 150;

export interface OpenClawPlayed {
  said: Said[];
  /** How long the hooks of each turn took. */
  hookMs: number[];
  /** Texts that stood before a prompt. */
  briefings: string[];
  /** Questions whose answer had been told, and those before which it stood. */
  asked: number;
  answered: number;
}

export interface Play {
  home: string;
  root: string;
  turns: number;
  random: () => number;
  /** What is said now, and what is answered. */
  texts: (turn: number) => { text: string; answer: string };
}

/** Plays all turns; the daemon that is given back still runs. */
export async function playOpenClaw(play: Play): Promise<OpenClawPlayed & { daemon: Daemon }> {
  const { home, root, turns, random, texts } = play;
  const folder = path.join(home, ".openclaw");
  await fs.mkdir(path.join(folder, "workspace"), { recursive: true });
  await fs.writeFile(path.join(folder, "openclaw.json"), "{}\n");
  await memd(play, "connect", "openclaw", "--yes", "--no-start", "--no-import");
  const host = new OpenClawHost(folder);
  await host.start();
  let daemon = await startDaemon(home, root);
  const played: OpenClawPlayed = { said: [], hookMs: [], briefings: [], asked: 0, answered: 0 };
  const say = async (key: string, text: string, answer: string, options: object = {}): Promise<Played> => {
    const turn = await host.turn(key, text, answer, options);
    played.said.push({ role: "user", text }, { role: "agent", text: answer });
    played.hookMs.push(turn.ms.asked + turn.ms.answered);
    if (turn.told !== "") played.briefings.push(turn.told);
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    return turn;
  };
  const facts: { key: string; name: string; pier: string }[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const happens = (share: number): boolean => random() < share;
    const key = KEYS[turn % KEYS.length] as string;
    if (turn % TOLD_EVERY === 0) {
      const fact = { key, name: `Kittiwake${turn}`, pier: `pier ${1000 + turn}` };
      facts.push(fact);
      await say(key, `The ferry ${fact.name} leaves from ${fact.pier}.`, "Noted.");
    } else if (turn % TOLD_EVERY === TOLD_EVERY / 2 && facts.length > 0) {
      const fact = facts[Math.floor(random() * facts.length)] as (typeof facts)[number];
      host.begin(fact.key, "reset");
      const { told } = await say(fact.key, `Where does the ferry ${fact.name} leave from?`, "I look.");
      played.asked++;
      if (told.includes(fact.pier)) played.answered++;
    } else {
      const { text, answer } = texts(turn);
      const isKilled = happens(0.08);
      await say(key, text, answer, isKilled ? { ends: "killed" } : happens(0.08) ? { ends: "failed" } : {});
      if (isKilled) await host.start();
    }
    if (happens(0.05)) host.compact(key);
    if (turn % 40 === 0) host.begin(key, turn % 80 === 0 ? "fork" : "reset");
    if (turn % 70 === 0) {
      await daemon.stop();
      daemon = await startDaemon(home, root);
    }
  }
  await memd(play, "import", host.writeStore());
  return { ...played, daemon };
}

/** With nobody there any more. */
export async function timesWithoutMemd(home: string): Promise<number[]> {
  const host = new OpenClawHost(path.join(home, ".openclaw"));
  await host.start();
  const times: number[] = [];
  for (let run = 0; run < 20; run++) {
    const { ms } = await host.turn("agent:main:main", "go on", "Done.");
    times.push(ms.asked + ms.answered);
  }
  return times;
}

async function memd({ home, root }: Play, ...args: string[]): Promise<void> {
  const env = { ...process.env, XDG_RUNTIME_DIR: home, HOME: home };
  await promisify(execFile)(process.execPath, [BINARY, ...args, "--workspace", root], { env });
}
