/**
 * Which files of `src/` have functions that ran, by V8's precise coverage: in
 * this process, in its threads, and in the workers it starts. What a module does
 * because it is loaded does not count.
 */
import childProcess from "node:child_process";
import fs from "node:fs/promises";
import { Session, type Profiler } from "node:inspector";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Where the entries of workers are that run from the sources; what else is started is not the daemon's. */
const SOURCES = path.join(ROOT, "dev") + path.sep;
/** Loaded into each worker: it writes down what ran since it did so last. */
const WRITES_WHEN_ASKED = `data:text/javascript,import v8 from "node:v8";process.on("SIGUSR2",()=>v8.takeCoverage());`;
const PATIENCE_MS = 10_000;
const LOOK_MS = 10;
/** Where nothing ran for so long, all is at rest. */
const QUIET_MS = 500;

export interface Coverage {
  /** Of this process and its threads. What still loads or is done at first is over when it resolves. */
  watch(): Promise<void>;
  /** Files since it was asked last, relative to `src/`, sorted. */
  ran(): Promise<string[]>;
  close(): Promise<void>;
}

/** Workers are watched from here on; they and the threads run from the sources, whose files can be told apart. */
export async function coverageOf(): Promise<Coverage> {
  process.env["MEMD_FROM_SOURCES"] = "1";
  const written = await fs.mkdtemp(path.join(os.tmpdir(), "memd-coverage-"));
  const workers = new Set<childProcess.ChildProcess>();
  const restore = onSpawn((child) => workers.add(child), written);
  const session = new Session();
  /** This one and its threads. */
  const isolates: Ask[] = [];
  const ran = async (): Promise<string[]> => {
    const taken = await Promise.all(isolates.map((ask) => ask("Profiler.takePreciseCoverage")));
    const told = await Promise.all([...workers].filter(lives).map((worker) => writtenBy(worker, written)));
    const scripts = [
      ...(taken as Profiler.TakePreciseCoverageReturnType[]).map(({ result }) => result),
      ...told,
    ];
    return [...new Set(scripts.flat().flatMap(ranIn))].sort();
  };
  return {
    ran,
    watch: async () => {
      session.connect();
      const begin = async (ask: Ask): Promise<void> => {
        await ask("Profiler.enable");
        await ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
        isolates.push(ask);
      };
      await begin(asking(session));
      // A thread may still be on its way.
      await eachThread(session, (ask) => void begin(ask));
      do await after(QUIET_MS);
      while ((await ran()).length > 0);
    },
    close: async () => {
      session.disconnect();
      restore();
      await fs.rm(written, { recursive: true, force: true });
    },
  };
}

/** Workers start with an environment of their own, so each is told here. */
function onSpawn(started: (child: childProcess.ChildProcess) => void, written: string): () => void {
  const { spawn } = childProcess;
  const covered = (
    program: string,
    args: readonly string[],
    options: childProcess.SpawnOptions,
  ): childProcess.ChildProcess => {
    if (args[0]?.startsWith(SOURCES) !== true) return spawn(program, args, options);
    const env = { ...options.env, NODE_V8_COVERAGE: written };
    const child = spawn(program, ["--import", WRITES_WHEN_ASKED, ...args], { ...options, env });
    started(child);
    return child;
  };
  childProcess.spawn = covered as typeof spawn;
  syncBuiltinESMExports();
  return () => {
    childProcess.spawn = spawn;
    syncBuiltinESMExports();
  };
}

/** The result of a method of the inspector. */
type Ask = (method: string, params?: object) => Promise<unknown>;

function asking(session: Session): Ask {
  return (method, params) =>
    new Promise((resolve, reject) => {
      session.post(method, params, (error, result) => (error === null ? resolve(result) : reject(error)));
    });
}

/** Those that there are, and those to come. */
async function eachThread(session: Session, attached: (ask: Ask) => void): Promise<void> {
  const ask = asking(session);
  const waiting = new Map<number, (result: unknown) => void>();
  session.on("NodeWorker.attachedToWorker", ({ params: { sessionId } }) =>
    attached(async (method, params) => {
      const id = waiting.size + 1;
      const answer = new Promise((resolve) => waiting.set(id, resolve));
      const message = JSON.stringify({ id, method, params });
      await ask("NodeWorker.sendMessageToWorker", { sessionId, message });
      return answer;
    }),
  );
  session.on("NodeWorker.receivedMessageFromWorker", ({ params: { message } }) => {
    const { id, result } = JSON.parse(message) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  await ask("NodeWorker.enable", { waitForDebuggerOnStart: false });
}

async function writtenBy(
  worker: childProcess.ChildProcess,
  folder: string,
): Promise<Profiler.ScriptCoverage[]> {
  worker.kill("SIGUSR2");
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
    await after(LOOK_MS);
    if (!lives(worker)) return [];
    const [name] = (await fs.readdir(folder)).filter((each) => each.startsWith(`coverage-${worker.pid}-`));
    const text = name === undefined ? "" : await fs.readFile(path.join(folder, name), "utf8");
    // It may still be being written.
    if (name === undefined || !text.trimEnd().endsWith("}")) continue;
    await fs.rm(path.join(folder, name));
    return (JSON.parse(text) as Profiler.TakePreciseCoverageReturnType).result;
  }
  throw new Error(`worker ${worker.pid} does not tell what it did`);
}

function lives({ exitCode, signalCode }: childProcess.ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function after(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** What running from the sources puts into every file. */
const NAMES = "__name";

/** The file of `src/`, if it is one and a function of it ran. */
function ranIn({ url, functions }: Profiler.ScriptCoverage): string[] {
  if (!url.startsWith("file:")) return [];
  const relative = path.relative(ROOT, fileURLToPath(url.replace(/\?.*$/, ""))).replaceAll(path.sep, "/");
  const [, file] = /^src\/(.*)\.ts$/.exec(relative) ?? [];
  const isRun = functions.some(
    ({ functionName, ranges: [whole] }) =>
      whole !== undefined &&
      whole.count > 0 &&
      functionName !== NAMES &&
      !(functionName === "" && whole.startOffset === 0),
  );
  return file !== undefined && isRun ? [`${file}.ts`] : [];
}
