/**
 * The daemon's log: one JSON line per event in `logs/memd.jsonl`, rotated at
 * 10 MB or with the day and kept for 30 days, and handed to whoever listens.
 *
 * Message text never goes here above `debug`: callers log ids, counts, codes.
 */
import fs from "node:fs";
import path from "node:path";
import { pino, type Logger } from "pino";
import { DAY_MS } from "../model/time.js";
import type { Clock } from "./clock.js";

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface LogEvent {
  level: LogLevel;
  /** From the list in docs/PROTOCOL.md, such as `archive_started`. */
  event: string;
  [field: string]: unknown;
}

export interface Log {
  write(event: LogEvent): void;
  close(): Promise<void>;
}

const ROTATE_BYTES = 10 * 1024 * 1024;
const KEEP_MS = 30 * DAY_MS;

export const silentLog: Log = { write: () => undefined, close: () => Promise.resolve() };

/** Hands each event to several logs. */
export function teeLog(...logs: readonly Log[]): Log {
  return {
    write: (event) => {
      for (const log of logs) log.write(event);
    },
    close: async () => {
      await Promise.all(logs.map((log) => log.close()));
    },
  };
}

/** Events as they happen, for a terminal, a stream or a test. */
export function listeningLog(listen: (event: LogEvent) => void): Log {
  return { write: listen, close: () => Promise.resolve() };
}

/** Lines in `file`; the folder must be there. A log that cannot be written never stops the work. */
export function fileLog(file: string, clock: Clock, level: LogLevel = "info"): Log {
  rotate(file, clock, true);
  let out = open(file);
  let day = dayOf(clock);
  let bytes = 0;
  const logger: Logger = pino(
    { level, base: null, timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"` },
    { write: (line: string) => writeLine(line) },
  );
  function writeLine(line: string): void {
    bytes += line.length;
    if (bytes > ROTATE_BYTES || dayOf(clock) !== day) {
      out.end();
      rotate(file, clock, false);
      out = open(file);
      bytes = 0;
      day = dayOf(clock);
    }
    out.write(line);
  }
  return {
    write: ({ level: at, event, ...fields }) => logger[at]({ event, ...fields }),
    close: async () => {
      out.end();
    },
  };
}

function open(file: string): ReturnType<typeof pino.destination> {
  const out = pino.destination({ dest: file, append: true, sync: true, mkdir: false, mode: 0o600 });
  // A full disk must not take the daemon down with its log.
  out.on("error", () => undefined);
  return out;
}

function dayOf(clock: Clock): string {
  return new Date(clock.now()).toISOString().slice(0, 10);
}

/** Sets the present file aside under its day, and removes what is older than it may be. */
function rotate(file: string, clock: Clock, onlyWhenOld: boolean): void {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    const dir = path.dirname(file);
    const stem = path.basename(file, ".jsonl");
    if (stat !== undefined) {
      const day = new Date(stat.mtimeMs).toISOString().slice(0, 10);
      const old = day !== new Date().toISOString().slice(0, 10) || stat.size > ROTATE_BYTES;
      if (old || !onlyWhenOld) {
        let name = path.join(dir, `${stem}-${day}.jsonl`);
        for (let n = 2; fs.existsSync(name); n++) name = path.join(dir, `${stem}-${day}.${n}.jsonl`);
        fs.renameSync(file, name);
      }
    }
    for (const name of fs.readdirSync(dir)) {
      const aged = name.startsWith(`${stem}-`) && name.endsWith(".jsonl");
      if (aged && clock.now() - fs.statSync(path.join(dir, name)).mtimeMs > KEEP_MS) fs.unlinkSync(path.join(dir, name));
    }
  } catch {
    // Rotation is housekeeping: when it fails the log goes on in the present file.
  }
}
