/**
 * The workers: subprocesses forked on demand, kept a while, few at a time; one
 * job in, one outcome out.
 *
 * Owns their lives, not their work. Every job that is taken ends: with the
 * worker's outcome, or with its death, its silence, its flood of output, a
 * cancel or `close`. Nothing survives a crash: workers end with their stdin,
 * and whoever owed the job asks again.
 */
import { MINUTE_MS, SECOND_MS } from "../model/time.js";
import type { Settings } from "../model/settings.js";
import type { JobOutcome, UsageRecord } from "../model/work.js";
import type { Clock, Timer } from "../platform/clock.js";
import { NODE, type Child, type ChildEnd, type Spawn } from "../platform/spawn.js";
import { redactSecrets, withoutKey } from "../text/redact.js";
import type { Job, JobResult, ResultOf } from "./jobs/registry.js";
import type { Claimant, Places, SharedWorker } from "./places.js";
import { keyIn, parseWorkerLine, printJobLine, workerEnvironment } from "./job-line.js";

export interface PoolOptions {
  spawn: Spawn;
  clock: Clock;
  settings: Pick<Settings, "llm" | "secrets" | "worker">;
  /** This process's environment; a worker gets the few variables it needs. */
  environment: Readonly<Record<string, string | undefined>>;
  /** `workerEntry()` of platform/package-root. */
  entry: string;
  /** Searched in order for each prompt; the last one is memd's own. */
  promptFolders: readonly string[];
  /** Tokens left today, asked at each job's start; undefined without a cap. */
  budgetTokens?: () => number | undefined;
  /** Of all pools of this process together, beside what the settings allow this one. */
  places?: Places | undefined;
  log?: (event: "worker_ended", fields: Record<string, unknown>) => void;
}

export interface PoolCounts {
  processes: number;
  running: number;
  queued: number;
  done: number;
  unavailable: number;
  failed: number;
}

export interface Pool {
  /** Never rejects. An aborted signal kills the worker; the outcome is then `unavailable`. */
  run<J extends Job>(job: J, signal?: AbortSignal): Promise<JobOutcome<ResultOf<J>>>;
  /** Ends all workers; what was under way or waiting is `unavailable`. */
  close(): Promise<void>;
  counts(): PoolCounts;
  /** What the last model that was asked said, where it did not answer. */
  failing(): string | undefined;
}

interface Task {
  job: Job;
  usage: UsageRecord[];
  end(outcome: JobOutcome<JobResult>): void;
}

interface Worker {
  child: Child;
  shared: SharedWorker;
  task?: Task;
  timer?: Timer;
  /** Why it is being killed: the outcome of its task. */
  verdict?: JobOutcome<JobResult>;
}

const GRACE_MS = 2 * SECOND_MS;
const BEAT_MS = 5 * SECOND_MS;
const MEGABYTE = 1024 * 1024;

export function createPool(options: PoolOptions): Pool {
  const { clock, settings, places } = options;
  const idleMs = settings.worker.idle_timeout_minutes * MINUTE_MS;
  const outputLimitBytes = settings.worker.output_limit_mb * MEGABYTE;
  const key = keyIn(settings.llm, (name) => options.environment[name]);
  const program = {
    argv: [NODE, options.entry] as const,
    environment: workerEnvironment(settings.llm, options.environment),
    outputLimitBytes,
  };
  const alike = JSON.stringify(program);
  const workers = new Set<Worker>();
  const queue: Task[] = [];
  const ended = { done: 0, unavailable: 0, failed: 0 };
  let failing: string | undefined;
  let closed = false;

  const started = (): SharedWorker => {
    const child = options.spawn({
      ...program,
      graceMs: GRACE_MS,
      onLine: (line) => shared.user?.onLine(line),
    });
    const shared: SharedWorker = { child, alike, user: undefined };
    void child.ended.then((end) => shared.user?.onEnd(end));
    return shared;
  };

  const fork = (): Worker => {
    const shared = places?.handedOn(alike) ?? started();
    const worker: Worker = { child: shared.child, shared };
    shared.user = { onLine: (line) => onLine(worker, line), onEnd: (end) => onEnd(worker, end) };
    workers.add(worker);
    return worker;
  };

  const onLine = (worker: Worker, line: string): void => {
    if (worker.task === undefined || worker.verdict !== undefined) return;
    const message = parseWorkerLine(line);
    if ("usage" in message) worker.task.usage.push(message.usage);
    if (!("outcome" in message)) return watch(worker);
    const { outcome } = message;
    // A job that failed had an answer, of no use.
    if (outcome.to === "unavailable") failing = outcome.reason;
    else if (outcome.to === "failed" || outcome.result.by !== "builtin") failing = undefined;
    finish(worker, outcome);
    if (places?.isWanted === true) handOn(worker);
    else worker.timer = clock.after(settings.worker.keep_seconds * SECOND_MS, () => end(worker));
    dispatch();
  };

  const onEnd = (worker: Worker, ended: ChildEnd): void => {
    workers.delete(worker);
    places?.give(claimant);
    const outcome =
      worker.verdict ?? outcomeOfEnd(ended, withoutKey(worker.child.stderrTail(), key), outputLimitBytes);
    if (worker.task !== undefined) {
      options.log?.("worker_ended", {
        pid: worker.child.pid,
        job: worker.task.job.id,
        reason: reasonOf(outcome),
      });
    }
    finish(worker, outcome);
    dispatch();
  };

  const finish = (worker: Worker, outcome: JobOutcome<JobResult>): void => {
    worker.timer?.cancel();
    const { task } = worker;
    delete worker.task;
    task?.end(outcome);
  };

  const kill = (worker: Worker, verdict: JobOutcome<JobResult>): void => {
    worker.verdict ??= verdict;
    void worker.child.killGroup();
  };

  /** Of a worker that has nothing to do. */
  const end = (worker: Worker): void => kill(worker, unavailable("it was ended"));

  /** Another pool's turn. */
  const handOn = (worker: Worker): void => {
    worker.timer?.cancel();
    workers.delete(worker);
    places?.give(claimant, worker.shared);
  };

  const watch = (worker: Worker): void => {
    worker.timer?.cancel();
    worker.timer = clock.after(idleMs, () =>
      kill(worker, failed(`the worker was silent for ${idleMs / 1000} s`)),
    );
  };

  const start = (worker: Worker, task: Task): void => {
    worker.task = task;
    watch(worker);
    const budgetTokens = options.budgetTokens?.();
    worker.child.send(
      printJobLine({
        job: task.job,
        llm: settings.llm,
        secrets: settings.secrets.patterns,
        now: clock.now(),
        beatMs: Math.min(BEAT_MS, idleMs / 4),
        maxBodyBytes: outputLimitBytes,
        promptFolders: options.promptFolders,
        ...(budgetTokens === undefined ? {} : { budgetTokens }),
      }),
    );
  };

  const dispatch = (): void => {
    while (!closed && queue.length > 0) {
      const free = [...workers].find(isIdle);
      if (free === undefined && workers.size >= settings.worker.max_processes) return;
      if (free === undefined && places?.take(claimant) === false) return;
      const task = queue.shift();
      if (task !== undefined) start(free ?? fork(), task);
    }
  };

  const claimant: Claimant = {
    mayFork: dispatch,
    spare: () => {
      const idle = queue.length > 0 ? undefined : [...workers].find(isIdle);
      if (idle !== undefined) handOn(idle);
      return idle !== undefined;
    },
  };
  places?.join(claimant);

  const run = <J extends Job>(job: J, signal?: AbortSignal): Promise<JobOutcome<ResultOf<J>>> =>
    new Promise((resolve) => {
      const task: Task = {
        job,
        usage: [],
        end: (outcome) => {
          signal?.removeEventListener("abort", cancel);
          ended[outcome.to] += 1;
          const answer = isFor(job, outcome) ? outcome : failed("the worker answered another job");
          resolve({ ...answer, usage: task.usage });
        },
      };
      const cancel = (): void => {
        const worker = [...workers].find((candidate) => candidate.task === task);
        if (worker !== undefined) return kill(worker, unavailable("cancelled"));
        queue.splice(queue.indexOf(task), 1);
        task.end(unavailable("cancelled"));
      };
      if (closed) return task.end(unavailable("memd is stopping"));
      if (signal?.aborted === true) return task.end(unavailable("cancelled"));
      signal?.addEventListener("abort", cancel);
      queue.push(task);
      dispatch();
    });

  const close = async (): Promise<void> => {
    closed = true;
    for (const task of queue.splice(0)) task.end(unavailable("memd is stopping"));
    const all = [...workers];
    for (const worker of all) kill(worker, unavailable("memd is stopping"));
    await Promise.all(all.map((worker) => worker.child.ended));
    places?.leave(claimant);
  };

  const counts = (): PoolCounts => ({
    processes: workers.size,
    running: [...workers].filter((worker) => worker.task !== undefined).length,
    queued: queue.length,
    ...ended,
  });

  return { run, close, counts, failing: () => failing };
}

function isIdle({ task, verdict }: Worker): boolean {
  return task === undefined && verdict === undefined;
}

function isFor<J extends Job>(job: J, outcome: JobOutcome<JobResult>): outcome is JobOutcome<ResultOf<J>> {
  return outcome.to !== "done" || outcome.result.kind === job.kind;
}

function outcomeOfEnd(end: ChildEnd, stderr: string, limitBytes: number): JobOutcome<JobResult> {
  // Too many processes or no memory for one: nothing to do with the job.
  if (end.fault !== undefined) return unavailable(`no worker could be started: ${end.fault}`);
  if (end.overflowed) return failed(`the worker wrote more than ${limitBytes} bytes`);
  const how = end.signal === undefined ? `with exit code ${end.code ?? "?"}` : `by ${end.signal}`;
  const detail = redactSecrets(stderr.trim());
  return failed(`the worker ended ${how}${detail === "" ? "" : `: ${detail}`}`);
}

function reasonOf(outcome: JobOutcome<JobResult>): string {
  return outcome.to === "done" ? "done" : outcome.reason;
}

function failed(reason: string): JobOutcome<never> {
  return { to: "failed", reason, usage: [] };
}

function unavailable(reason: string): JobOutcome<never> {
  return { to: "unavailable", reason, usage: [] };
}
