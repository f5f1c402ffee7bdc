/**
 * `bench paths`: through how many files of `src/` memd goes for what it does
 * most: a look at everything where nothing is new, a message into its day and its
 * summary, a search, an input into the prompt, an observation into its record.
 * A file counts where one of its functions ran, in the daemon, in its threads or
 * in its workers; `--list NAME` names those of one path.
 */
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { becomeOwner, type Running } from "../../src/daemon/own.js";
import { DAY_MS, SECOND_MS } from "../../src/model/time.js";
import { systemClock, type Clock } from "../../src/platform/clock.js";
import { coverageOf } from "./coverage.js";

const BINARY = path.resolve(import.meta.dirname, "../../bin/memd.js");

interface Daemon extends Pick<Running, "memd" | "socket"> {
  root: string;
  /** In a process of its own, which does not count. */
  command: (...args: string[]) => Promise<void>;
}

interface Path {
  settings?: string;
  /** What is in history.json before. */
  history?: readonly object[];
  go: (daemon: Daemon) => Promise<void>;
}

const PATHS: Readonly<Record<string, Path>> = {
  idle_tick: { go: ({ memd }) => memd.settled() },
  message_to_summary: {
    // Else the historian would look through it as well.
    settings: "[cognitive]\nenabled = false\n",
    go: async ({ root, memd }) => {
      await writeList(root, "history", [said("m-1", "The ferry to Naxos leaves at nine.", 10)]);
      const report = await memd.archiveNow();
      if (report.made !== 1) throw new Error(`no summary: ${JSON.stringify(report)}`);
    },
  },
  search: {
    history: [said("m-1", "I booked the ferry for four.", 0)],
    go: async ({ socket }) => {
      // As `memd search` asks.
      const body = { query: "Who booked the ferry?", marks: true };
      const found = await ask(socket, "/agent/memories/search", body);
      if (!found.includes("for four")) throw new Error(`not found: ${found}`);
    },
  },
  inbox_to_prompt: {
    go: async ({ root, memd }) => {
      await writeList(root, "inbox", [said("q-1", "Who booked the ferry?", 0)]);
      await memd.settled();
      const prompt = await fs.readFile(path.join(root, "teller/prompt.json"), "utf8");
      if (!prompt.includes('"q-1"')) throw new Error("the prompt does not know the input");
    },
  },
  observation_to_record: {
    go: async ({ root, command, memd }) => {
      await command("end", "--observe", "Lin Yue booked the ferry to Naxos on 2026-03-04.");
      await memd.settled();
      await memd.idle();
      const records = await fs.readdir(path.join(root, "memory/records"), { recursive: true });
      if (!records.some((name) => name.endsWith(".jsonl"))) throw new Error("there is no record");
    },
  },
};

export async function benchPaths(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const figures: Record<string, number> = {};
  const listed = options.get("list");
  // The inspector's answers keep no process alive.
  const alive = setInterval(() => undefined, SECOND_MS);
  try {
    for (const [name, go] of Object.entries(PATHS)) {
      const files = await filesOn(go);
      figures[name] = files.length;
      if (name === listed) process.stderr.write(`${files.join("\n")}\n`);
    }
  } finally {
    clearInterval(alive);
  }
  return figures;
}

/** Each in a fresh workspace of its own, with a daemon that has come to rest. */
async function filesOn({ settings = "", history = [], go }: Path): Promise<string[]> {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-paths-"));
  const root = path.join(home, "workspace");
  const command = (...args: string[]): Promise<void> => run(home, root, args);
  const coverage = await coverageOf();
  try {
    await command("init");
    await fs.writeFile(path.join(root, "memd.toml"), settings);
    await writeList(root, "history", history);
    const running = await becomeOwner({ root }, path.join(home, "socket"), withoutTicks());
    if (running === undefined) throw new Error("somebody else owns a fresh workspace");
    const { memd, socket } = running;
    await memd.start({ watch: true, work: true });
    await memd.idle();
    await coverage.watch();
    await go({ memd, socket, root, command });
    const files = await coverage.ran();
    await running.stop();
    return files;
  } finally {
    await coverage.close();
    await fs.rm(home, { recursive: true, force: true });
  }
}

/** Whatever would happen by itself after a second or later does not: nothing runs beside the path. */
function withoutTicks(): Clock {
  const machine = systemClock();
  return {
    ...machine,
    after: (ms, run) => (ms < SECOND_MS ? machine.after(ms, run) : { cancel: () => undefined }),
  };
}

function said(id: string, text: string, daysAgo: number): object {
  return { id, role: "user", text, createdAt: new Date(Date.now() - daysAgo * DAY_MS).toISOString() };
}

async function writeList(root: string, name: string, list: readonly object[]): Promise<void> {
  const file = path.join(root, `${name}.json`);
  await fs.writeFile(`${file}.new`, JSON.stringify(list));
  await fs.rename(`${file}.new`, file);
}

function ask(socketPath: string, target: string, body: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const asking = http.request({ socketPath, path: target, method: "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve(text));
    });
    asking.once("error", reject);
    asking.end(JSON.stringify(body));
  });
}

function run(home: string, root: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, XDG_RUNTIME_DIR: home, HOME: home, MEMD_WORKSPACE: root };
  const child = spawn(process.execPath, [BINARY, ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((resolve, reject) => {
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`memd ${args.join(" ")}: ${code}`)),
    );
  });
}
