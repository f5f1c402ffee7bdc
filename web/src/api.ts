/** Asks the memd that served this page; nothing else is ever asked. */
import { signal } from "@preact/signals";
import { codeHeld, hideCode } from "./route.js";
import type { AnswerOf, OperationName, SentTo } from "../../src/service/operations.js";

export type { AnswerOf } from "../../src/service/operations.js";

/** What memd answered instead: its code, and what to do about it. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly advice: string,
  ) {
    super(message);
  }
}

const KEPT = "memd-key";
/** "locked": the page has no key that counts. */
export const access = signal<"asking" | "open" | "locked">("asking");

/** How often the page was let in: what was refused before is asked again. */
export const entered = signal(0);

/** Gives the code of the address back for a key; a page that is loaded again has its key still. */
export async function enter(): Promise<void> {
  const code = codeHeld();
  if (code !== undefined) {
    hideCode();
    const key = await keyFor(code).catch(() => undefined);
    if (key !== undefined) {
      sessionStorage.setItem(KEPT, key);
      entered.value++;
    }
  }
  access.value = sessionStorage.getItem(KEPT) === null ? "locked" : "open";
}

async function keyFor(code: string): Promise<string | undefined> {
  const answer = await fetch("/page/key", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  return answer.ok ? ((await answer.json()) as { key: string }).key : undefined;
}

function headers(): Record<string, string> {
  return {
    "content-type": "application/json",
    authorization: `Bearer ${sessionStorage.getItem(KEPT) ?? ""}`,
  };
}

/** How many questions are being answered. */
export const asking = signal(0);

/** Throws a `Refusal`. */
export async function ask<N extends OperationName>(
  name: N,
  input: SentTo<N>,
  stop?: AbortSignal,
): Promise<AnswerOf<N>> {
  asking.value++;
  try {
    return await answered(name, input, stop);
  } finally {
    asking.value--;
  }
}

async function answered<N extends OperationName>(
  name: N,
  input: SentTo<N>,
  stop?: AbortSignal,
): Promise<AnswerOf<N>> {
  const asked = { method: "POST", headers: headers(), body: JSON.stringify(input) };
  const answer = await fetch(`/operations/${name}`, stop === undefined ? asked : { ...asked, signal: stop });
  if (answer.ok) return (await answer.json()) as AnswerOf<N>;
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.status === 401) access.value = "locked";
  const { error } = (body ?? {}) as { error?: { code?: string; message?: string; advice?: string } };
  throw new Refusal(error?.code ?? "unknown", error?.message ?? answer.statusText, error?.advice ?? "");
}

export interface Happened {
  event: string;
  level?: string;
  time?: string;
  [field: string]: unknown;
}

/** What happens until `stop`; asks again after a pause where the line is cut, and no more where it is refused. */
export async function follow(hear: (one: Happened) => void, stop: AbortSignal): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const status = await followOnce(hear, stop).catch(() => undefined);
    if (stop.aborted) return;
    if (status === 401) access.value = "locked";
    // A viewer is told nothing of what happens.
    if (status !== undefined && status >= 400 && status < 500 && status !== 429) return;
    if (status === 200) pauseMs = FIRST_PAUSE_MS;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (stop.aborted) return;
  }
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** The status with which it was answered, once the stream is over. */
async function followOnce(hear: (one: Happened) => void, signal: AbortSignal): Promise<number> {
  const answer = await fetch("/events", { headers: headers(), signal });
  if (!answer.ok || answer.body === null) return answer.status;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return answer.status;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines)
      if (line.startsWith(DATA))
        hear({ event: "missed", ...(JSON.parse(line.slice(DATA.length)) as object) });
  }
}

const DATA = "data: ";
