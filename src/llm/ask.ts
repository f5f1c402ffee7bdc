/**
 * One question to a model until its answer can be used: the day's budget
 * before, a strict reading after, one repair round between.
 */
import type { UsageRecord } from "../model/work.js";
import { estimateTokens } from "../text/tokens.js";
import type { ChatProvider, ChatRequest, ChatTurn } from "./provider.js";

/** What a reader made of an answer: a value, or what is wrong with it, in words for the model. */
export type Reading<T> = { value: T } | { problem: string };

export type Asked<T> =
  | { to: "answer"; value: T }
  | { to: "unavailable"; reason: string; retryAfterMs?: number }
  | { to: "failed"; reason: string };

export interface Ask {
  /** `read` gets the answer and whether it was cut by the output limit; the second answer is the last. */
  question<T>(
    request: ChatRequest,
    read: (text: string, cut: boolean, last: boolean) => Reading<T>,
  ): Promise<Asked<T>>;
  modelOf: ChatProvider["modelOf"];
}

interface AskOptions {
  provider: ChatProvider;
  onUsage: (usage: UsageRecord) => void;
  /** Tokens that may still be spent; undefined without a cap. */
  budgetTokens: number | undefined;
}

const ROUNDS = 2;

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
      for (let round = 1; round <= ROUNDS; round++) {
        if (tokensOf(turns) > leftTokens) return { to: "unavailable", reason: "budget" };
        const answer = await provider.chat({ ...request, turns });
        if (answer.to !== "answer") {
          const { calls, ...rest } = answer;
          spend(calls);
          return rest;
        }
        const reading = read(answer.text, answer.cut, round === ROUNDS);
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
export function mapAnswer<T, V>(asked: Asked<T>, make: (value: T) => V): Asked<V> {
  return asked.to === "answer" ? { to: "answer", value: make(asked.value) } : asked;
}

/** One question after the other, as long as each is answered; all answers in order. */
export async function askInTurn<T, V>(
  about: readonly T[],
  ask: (one: T) => Promise<Asked<V>>,
): Promise<Asked<V[]>> {
  const values: V[] = [];
  for (const one of about) {
    const asked = await ask(one);
    if (asked.to !== "answer") return asked;
    values.push(asked.value);
  }
  return { to: "answer", value: values };
}

function repair(problem: string): string {
  return `That answer cannot be used: ${problem} Answer again, complete, in the required format, and write nothing else.`;
}

export function tokensOf(turns: readonly ChatTurn[]): number {
  return turns.reduce((sum, turn) => sum + estimateTokens(turn.text), 0);
}
