/**
 * The daemon's log: one JSON line per event in `logs/memd.jsonl`, rotated at 10 MB or with the day and kept
 * for 30 days, and handed to whoever listens. Message text never goes here above `debug`: callers log ids,
 * counts, codes.
 */
import fs from "node:fs";
import path from "node:path";
import { pino, type Logger } from "pino";
import { DAY_MS } from "../model/time.js";
import type { Clock } from "./clock.js";
import { openPlain } from "./files.js";

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
/** What a full disk keeps from being written waits in memory, up to this. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
const HEAD_BYTES = 4096;

export const silentLog: Log = { write: () => undefined, close: () => Promise.resolve() };

/** Hands each event to several logs. */
export function teeLog(...logs: readonly Log[]): Log {
  return {
    write: (event) => logs.forEach((log) => log.write(event)),
    close: async () => void (await Promise.all(logs.map((log) => log.close()))),
  };
}

/** Tells another log what `told` makes of each event. */
export function toldTo(log: Log, told: (event: LogEvent) => LogEvent): Log {
  return { write: (event) => log.write(told(event)), close: () => log.close() };
}

/** Events as they happen, for a terminal, a stream or a test. */
export function listeningLog(listen: (event: LogEvent) => void): Log {
  return { write: listen, close: () => Promise.resolve() };
}

/** Lines in `file`; the folder must be there. A log that cannot be written never stops the work. */
export function fileLog(file: string, clock: Clock, level: LogLevel = "info"): Log {
  const today = (): string => new Date(clock.now()).toISOString().slice(0, 10);
  let { day, bytes } = standing(file) ?? { day: today(), bytes: 0 };
  let out: Destination | undefined;
  const logger: Logger = pino(
    { level, base: null, timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"` },
    { write: writeLine },
  );
  removeOld(file, clock);
  function writeLine(line: string): void {
    const size = Buffer.byteLength(line);
    if (day !== today() || bytes + size > ROTATE_BYTES) {
      out?.end();
      out = undefined;
      if (bytes > 0) setAside(file, day);
      removeOld(file, clock);
      day = today();
      bytes = 0;
    }
    out ??= open(file);
    out?.write(line);
    bytes += size;
  }
  return {
    write: ({ level: at, event, ...fields }) => logger[at]({ event, ...fields }),
    close: async () => out?.end(),
  };
}

type Destination = ReturnType<typeof pino.destination>;

function open(file: string): Destination | undefined {
  try {
    const fd = openPlain(file, fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_CREAT);
    const out = pino.destination({ fd, sync: true, maxLength: MOST_WAITING_BYTES });
    // A full disk must not take the daemon down with its log.
    out.on("error", () => undefined);
    return out;
  } catch {
    // No folder, no right to it, or something else in its place: the next line tries again.
    return undefined;
  }
}

/** How much stands in the file already, and of which day its first line is. */
function standing(file: string): { day: string; bytes: number } | undefined {
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const fd = openPlain(file, fs.constants.O_RDONLY);
    try {
      const read = fs.readSync(fd, head, 0, HEAD_BYTES, 0);
      const { size, mtime } = fs.fstatSync(fd);
      const said = /"time":"(\d{4}-\d{2}-\d{2})T/.exec(head.toString("utf8", 0, read))?.[1];
      return { day: said ?? mtime.toISOString().slice(0, 10), bytes: size };
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    // There is none yet.
    return undefined;
  }
}

/** Gives the present file the name of its day. */
function setAside(file: string, day: string): void {
  try {
    const stem = file.slice(0, -".jsonl".length);
    let name = `${stem}-${day}.jsonl`;
    for (let n = 2; fs.existsSync(name); n++) name = `${stem}-${day}.${n}.jsonl`;
    fs.renameSync(file, name);
  } catch {
    // Rotation is housekeeping: when it fails the log goes on in the present file.
  }
}

/** Removes the files of days that are past keeping. */
function removeOld(file: string, clock: Clock): void {
  try {
    const dir = path.dirname(file);
    const stem = `${path.basename(file, ".jsonl")}-`;
    for (const name of fs.readdirSync(dir)) {
      const end = name.startsWith(stem) ? name.slice(stem.length) : "";
      const day = /^(\d{4}-\d{2}-\d{2})(?:\.\d+)?\.jsonl$/.exec(end)?.[1];
      if (day !== undefined && clock.now() - Date.parse(day) > KEEP_MS + DAY_MS)
        fs.unlinkSync(path.join(dir, name));
    }
  } catch {
    // What cannot be removed today is met again tomorrow.
  }
}
