/** A worker that lives in this process: lines in, lines out, as over pipes. */
import { parseJobLine, printWorkerLine } from "../../src/llm/job-line.js";
import type { SummaryJob, SummaryOutcome } from "../../src/llm/jobs/summary.js";
import type { Spawn } from "../../src/platform/spawn.js";

/** `told`: what it says before its outcome. */
export function workerIn(
  answer: (job: SummaryJob) => SummaryOutcome | Promise<SummaryOutcome>,
  told: (outcome: SummaryOutcome) => readonly Parameters<typeof printWorkerLine>[0][] = () => [],
): Spawn {
  return (request) => {
    let end: (ended: { overflowed: boolean }) => void = () => undefined;
    const ended = new Promise<{ overflowed: boolean }>((resolve) => {
      end = resolve;
    });
    return {
      pid: 1,
      ended,
      send: (line) => {
        void Promise.resolve(answer(parseJobLine(line).job as SummaryJob)).then((outcome) => {
          for (const said of [...told(outcome), { outcome }]) request.onLine(printWorkerLine(said));
        });
      },
      stderrTail: () => "",
      killGroup: () => {
        end({ overflowed: false });
        return ended;
      },
    };
  };
}
