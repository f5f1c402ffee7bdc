/** Entry of a worker subprocess: job lines on stdin, heartbeats and outcomes on stdout. */
import { MemdError, messageOf } from "../model/errors.js";
import type { JobOutcome } from "../model/work.js";
import { systemClock } from "../platform/clock.js";
import { boundedFetch } from "../platform/http-client.js";
import { dirname } from "../platform/files.js";
import { nodeDisk } from "../platform/node-disk.js";
import { workerIo } from "../platform/spawn.js";
import { SECOND_MS } from "../model/time.js";
import { redactSecrets, withoutKey } from "../text/redact.js";
import { useOwnPatterns } from "../text/redact.js";
import { keyIn, parseJobLine, printWorkerLine, type JobLine } from "./job-line.js";
import type { JobResult } from "./jobs/registry.js";
import { runJob } from "./run-job.js";

const io = workerIo();
io.onLine((line) => void work(parseJobLine(line)));

async function work(line: JobLine): Promise<void> {
  const clock = systemClock(line.now);
  useOwnPatterns("job", line.secrets);
  for (const folder of line.promptFolders) nodeDisk.enclose(dirname(folder), NO_LINKS);
  let finished = false;
  const beat = (): void => {
    if (finished) return;
    io.send(printWorkerLine({ beat: true }));
    clock.after(line.beatMs, beat);
  };
  beat();
  const outcome = await runJob(line, {
    clock,
    disk: nodeDisk,
    environment: io.environment,
    onUsage: (usage) => io.send(printWorkerLine({ usage })),
    fetch: boundedFetch({
      timeoutMs: line.llm.request_timeout_seconds * SECOND_MS,
      maxBytes: line.maxBodyBytes,
    }),
  }).catch(crashed);
  finished = true;
  // Whatever an endpoint echoed of it, in a reason or in an answer.
  const key = keyIn(line.llm, io.environment);
  io.send(withoutKey(printWorkerLine({ outcome }), key && JSON.stringify(key).slice(1, -1)));
}

/** Folders are given as they really are: one that has become a link since is not followed. */
const NO_LINKS = { isOwn: () => true, linked: () => Promise.resolve([]) };

/** A bug or a bad prompt file: the job fails, the worker goes on. */
function crashed(error: unknown): JobOutcome<JobResult> {
  const code = error instanceof MemdError ? error.code : "internal";
  return { to: "failed", reason: redactSecrets(`${code}: ${messageOf(error)}`), usage: [] };
}
