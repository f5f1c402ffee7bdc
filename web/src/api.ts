/** Asks the memd that served this page; nothing else is ever asked. */
import { signal } from "@preact/signals";
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

/** Gives the code of the address back for a key; a page that is loaded again has its key still. */
export async function enter(): Promise<void> {
  const [, code] = /^#code=([a-z0-9]+)$/.exec(location.hash) ?? [];
  if (code !== undefined) {
    history.replaceState(null, "", "#/now");
    const answer = await fetch("/page/key", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    const { key } = (answer.ok ? await answer.json() : {}) as { key?: string };
    if (key !== undefined) sessionStorage.setItem(KEPT, key);
  }
  access.value = sessionStorage.getItem(KEPT) === null ? "locked" : "open";
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
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.ok) return body as AnswerOf<N>;
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

/** What happens from now on, until `stop` aborts; asks again after a pause where the line is cut. */
export async function follow(hear: (one: Happened) => void, stop: AbortSignal): Promise<void> {
  const isStopped = (): boolean => stop.aborted;
  while (!isStopped()) {
    await followOnce(hear, stop).catch(() => undefined);
    if (!isStopped()) await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}

async function followOnce(hear: (one: Happened) => void, stop: AbortSignal): Promise<void> {
  const answer = await fetch("/events", { headers: headers(), signal: stop });
  if (!answer.ok || answer.body === null) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: {")) hear(JSON.parse(line.slice(6)) as Happened);
  }
}
