/**
 * One question to a model until its answer can be used: the day's budget
 * before, a strict reading after, one repair round between.
 */
import type { ChatRole, Refused, UsageRecord } from "../model/work.js";
import { shown } from "../text/shown.js";
import { estimateTokens } from "../text/tokens.js";

/** What a reader made of an answer: a value, or what is wrong with it, in words for the model. */
export type Reading<T> = { value: T } | { problem: string };

export type Reply<T> = { to: "answer"; value: T } | Refused;

export interface Ask {
  /** `read` gets the answer and whether it was cut by the output limit; the second answer is the last. */
  question<T>(
    request: ChatRequest,
    read: (text: string, cut: boolean, last: boolean) => Reading<T>,
  ): Promise<Reply<T>>;
  modelOf: ChatProvider["modelOf"];
}

interface AskOptions {
  provider: ChatProvider;
  onUsage: (usage: UsageRecord) => void;
  /** Tokens that may still be spent; undefined without a cap. */
  budgetTokens: number | undefined;
}

const MOST_QUESTIONS = 2;

export function createAsk({ provider, onUsage, budgetTokens }: AskOptions): Ask {
  let leftTokens = budgetTokens ?? Number.POSITIVE_INFINITY;
  const spend = (calls: readonly UsageRecord[]): void => {
    for (const call of calls) {
      leftTokens -= call.tokensIn + call.tokensOut;
      onUsage(call);
    }
  };

  return {
    modelOf: (role) => provider.modelOf(role),
    question: async (request, read) => {
      let turns: readonly ChatTurn[] = request.turns;
      let problem = "";
      const most = request.once === true ? 1 : MOST_QUESTIONS;
      for (let attempt = 1; attempt <= most; attempt++) {
        if (tokensOf(turns) > leftTokens) return { to: "unavailable", reason: "budget" };
        const answer = await provider.chat({ ...request, turns });
        if (answer.to !== "answer") {
          const { calls, ...rest } = answer;
          spend(calls);
          return rest;
        }
        // Nothing that drives a terminal or stands unseen goes any further.
        const reading = read(shown(answer.text.toWellFormed()), answer.cut, attempt === most);
        if ("value" in reading) {
          spend(answer.calls);
          return { to: "answer", value: reading.value };
        }
        spend(answer.calls.map((call) => (call.outcome === "ok" ? { ...call, outcome: "invalid" } : call)));
        problem = reading.problem;
        turns = [
          ...request.turns,
          { role: "assistant", text: answer.text },
          { role: "user", text: repair(problem) },
        ];
      }
      return { to: "failed", reason: `unusable answer: ${problem}` };
    },
  };
}

/** The same outcome with what is made of an answer, where there is one. */
export function mapAnswer<T, V>(reply: Reply<T>, make: (value: T) => V): Reply<V> {
  return reply.to === "answer" ? { to: "answer", value: make(reply.value) } : reply;
}

/** One question after the other, as long as each is answered; all answers in order. */
export async function askInTurn<T, V>(
  about: readonly T[],
  ask: (one: T) => Promise<Reply<V>>,
): Promise<Reply<V[]>> {
  const values: V[] = [];
  for (const one of about) {
    const reply = await ask(one);
    if (reply.to !== "answer") return reply;
    values.push(reply.value);
  }
  return { to: "answer", value: values };
}

function repair(problem: string): string {
  return `That answer cannot be used: ${problem} Answer again, complete, in the required format, and write nothing else.`;
}

export function tokensOf(turns: readonly ChatTurn[]): number {
  return turns.reduce((sum, turn) => sum + estimateTokens(turn.text), 0);
}

/** What a language model is to memd: turns in, text out, and what it cost. */
export interface ChatTurn {
  role: "system" | "user" | "assistant";
  text: string;
}

export interface ChatRequest {
  role: ChatRole;
  /** What the call is for: `day_summary`, `month_summary`, … */
  feature: string;
  /** Whose memory it works on, for the totals. */
  user?: string | undefined;
  turns: readonly ChatTurn[];
  /** One attempt, whatever comes back. */
  once?: true;
}

/** One call with its retries; `cut`: ended by the limit of output tokens. `calls` has one record per attempt. */
export type ChatAnswer = ({ to: "answer"; text: string; cut: boolean } | Refused) & { calls: UsageRecord[] };

export interface ChatProvider {
  /** The model that answers for a role; undefined when none is named. */
  modelOf(role: ChatRole): string | undefined;
  /** Never rejects for what an endpoint does. */
  chat(request: ChatRequest): Promise<ChatAnswer>;
}
