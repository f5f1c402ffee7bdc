/** A real daemon on a workspace, asked over its socket, and what it takes of the machine. */
import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs/promises";
import http from "node:http";
import path from "node:path";

const BINARY = path.resolve(import.meta.dirname, "../../bin/memd.js");
const READY_MS = 600_000;

export interface Daemon {
  /** From the start of the process until it says that nothing is left to do. */
  readyMs: number;
  /** Until the prompt of what waited stands. */
  promptMs: number;
  pid: number;
  ask<T>(method: "GET" | "POST", path: string, body?: unknown): Promise<T>;
  rssMb(): Promise<number>;
  /** The most it was since it was asked before, or ever. */
  peakMb(): Promise<number>;
  /** Of the processor, since its start, of all its threads. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

/** Of Linux: so many ticks of the processor's clock are a second. */
const TICKS_PER_S = 100;

export async function startDaemon(home: string, root: string): Promise<Daemon> {
  const env = { ...process.env, XDG_RUNTIME_DIR: home, HOME: home, MEMD_WORKSPACE: root };
  const started = performance.now();
  const child = spawn(process.execPath, [BINARY, "start"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const prompt = path.join(root, "teller", "prompt.json");
  const [promptMs, readyMs] = await Promise.all([
    written(prompt, Date.now()).then(() => Math.round(performance.now() - started)),
    ready(child).then(() => Math.round(performance.now() - started)),
  ]);
  const [socket = ""] = (await fs.readFile(path.join(root, ".memd", "owner"), "utf8")).split("\n");
  return {
    readyMs,
    promptMs,
    pid: child.pid ?? 0,
    ask: (method, target, body) => request(socket, method, target, body),
    rssMb: () => memoryMb(child, "VmRSS"),
    peakMb: async () => {
      const peak = await memoryMb(child, "VmHWM");
      await fs.writeFile(`/proc/${child.pid}/clear_refs`, "5");
      return peak;
    },
    cpuMs: async () => {
      const stat = await fs.readFile(`/proc/${child.pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_S;
    },
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function written(file: string, since: number): Promise<void> {
  for (const late = since + READY_MS; Date.now() < late; await new Promise((done) => setTimeout(done, 20))) {
    const stat = await fs.stat(file).catch(() => undefined);
    if (stat !== undefined && stat.mtimeMs >= since) return;
  }
  throw new Error(`${file} is not written`);
}

async function memoryMb({ pid }: ChildProcess, which: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await fs.readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(new RegExp(`^${which}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) / 1024);
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("the daemon is not ready")), READY_MS);
    let told = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      told += chunk.toString();
      if (!told.includes("Ready.")) return;
      clearTimeout(late);
      resolve();
    });
    child.once("exit", (code) => reject(new Error(`the daemon ended with ${code}`)));
  });
}

const agent = new http.Agent({ keepAlive: true });

function request<T>(socketPath: string, method: string, target: string, body: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const asking = http.request({ socketPath, path: target, method, headers, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => {
        if (response.statusCode === 200) resolve(JSON.parse(text) as T);
        else reject(new Error(`${target}: ${response.statusCode} ${text}`));
      });
    });
    asking.once("error", reject);
    asking.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
