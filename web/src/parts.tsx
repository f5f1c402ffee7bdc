/** What several views are made of. */
import type { ComponentChildren } from "preact";
import type { AnswerOf } from "./api.js";
import { linkTo } from "./route.js";
import type { Asked } from "./use-ask.js";
import { w } from "./words.js";

/** What was answered, or why not. */
export function Answered<T>({ asked, of }: { asked: Asked<T>; of: (answer: T) => ComponentChildren }) {
  if (asked.refusal !== undefined)
    return <Trouble text={`${asked.refusal.message} ${asked.refusal.advice}`} />;
  if (asked.answer === undefined) return asked.isAsking ? <p class="quiet">{w("asking")}</p> : null;
  return <>{of(asked.answer)}</>;
}

/** What went wrong, told at once; nothing where there is no text. */
export function Trouble({ text }: { text: string }) {
  return text === "" ? null : (
    <p role="alert" class="refusal">
      {text}
    </p>
  );
}

interface PlaceProps {
  path: string;
  line?: number;
  /** What stood there when it was used: the link tells whether it still does. */
  revision?: string;
  /** By the name of the file alone. */
  brief?: boolean;
}

/** Where something is written, as a link to it. */
export function Place({ path, line, revision, brief = false }: PlaceProps) {
  const at = line === undefined || line === 0 ? "" : `:${line}`;
  return (
    <a
      class="place"
      href={linkTo("source", { path, line: line === undefined ? undefined : String(line), revision })}
      title={brief ? path : undefined}
    >
      {`${brief ? path.slice(path.lastIndexOf("/") + 1) : path}${at}`}
    </a>
  );
}

/** `path:line`, as sources are told. */
export function SourcePlace({ source }: { source: string }) {
  const [, path = source, line] = /^(.*?)(?::(\d+)(?:-\d+)?)?$/.exec(source) ?? [];
  return line === undefined ? <Place path={path} /> : <Place path={path} line={Number(line)} />;
}

export type Hit = AnswerOf<"searchMemories">["hits"][number];

/** Written here: the browser's own formats take 50 ms of a new window before the first of them stands there. */
export function count(number: number): string {
  return String(Math.round(number)).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

export function messagesOf(number: number): string {
  return `${count(number)} ${w(number === 1 ? "message" : "messages")}`;
}

export function dayOf(iso: string): string {
  return iso.slice(0, 10);
}

/** As files tell it, where the reader is: "09:30". */
export function timeOf(at: number | string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "" : `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** "2026-11-24 09:30", where the reader is. */
export function momentOf(iso: string): string {
  const date = new Date(iso);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} ${timeOf(iso)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
