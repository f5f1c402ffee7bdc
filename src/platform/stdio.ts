/**
 * The worker's side of its pipes: lines from its own stdin, lines to its own
 * stdout, its environment.
 *
 * Ends the process as soon as stdin closes, whatever is under way: the one who
 * asked is gone, even when by `kill -9`.
 */
import { lineSplitter } from "./lines.js";

interface WorkerIo {
  onLine(listener: (line: string) => void): void;
  send(line: string): void;
  environment: (name: string) => string | undefined;
}

export function workerIo(): WorkerIo {
  const end = (): never => process.exit(0);
  return {
    onLine: (listener) => {
      process.stdin.on("data", lineSplitter(listener));
      process.stdin.once("end", end).once("error", end);
      process.stdout.once("error", end);
    },
    send: (line) => void process.stdout.write(`${line}\n`),
    environment: (name) => process.env[name],
  };
}
