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

/** Where something is written, as a link to it; `brief`: by the name of the file alone. */
export function Place({ path, line, brief = false }: { path: string; line?: number; brief?: boolean }) {
  const at = line === undefined || line === 0 ? "" : `:${line}`;
  return (
    <a
      class="place"
      href={linkTo("source", { path, line: line === undefined ? undefined : String(line) })}
      title={brief ? path : undefined}
    >
      {brief ? path.slice(path.lastIndexOf("/") + 1) : path}
      {at}
    </a>
  );
}

/** `path:line`, as sources are told. */
export function SourcePlace({ source }: { source: string }) {
  const [, path = source, line] = /^(.*?)(?::(\d+)(?:-\d+)?)?$/.exec(source) ?? [];
  return line === undefined ? <Place path={path} /> : <Place path={path} line={Number(line)} />;
}

export type Hit = AnswerOf<"searchMemories">["hits"][number];

export function count(number: number): string {
  return Math.round(number).toLocaleString();
}

export function messagesOf(number: number): string {
  return `${count(number)} ${w(number === 1 ? "message" : "messages")}`;
}

export function dayOf(iso: string): string {
  return iso.slice(0, 10);
}

export function timeOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime())
    ? ""
    : date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}
