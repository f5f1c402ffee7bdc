/** What memd answered to a question of a view, and that it is asked anew when the question changes. */
import { useLayoutEffect, useState } from "preact/hooks";
import type { OperationName, SentTo } from "../../src/service/operations.js";
import { ask, entered, type AnswerOf, type Refusal } from "./api.js";

export interface Asked<T> {
  answer?: T;
  refusal?: Refusal;
  isAsking: boolean;
  again: () => void;
}

/** `input` undefined: nothing is asked. What was answered before stays until there is more. */
export function useAsk<N extends OperationName>(name: N, input: SentTo<N> | undefined): Asked<AnswerOf<N>> {
  const [state, setState] = useState<Omit<Asked<AnswerOf<N>>, "again">>({ isAsking: true });
  const [times, setTimes] = useState(0);
  const key = input === undefined ? undefined : JSON.stringify(input);
  // Before the first frame is drawn, which in a new window takes longer than the answer.
  useLayoutEffect(() => {
    if (key === undefined) return setState({ isAsking: false });
    const stop = new AbortController();
    setState((before) => ({ ...before, isAsking: true }));
    ask(name, JSON.parse(key) as SentTo<N>, stop.signal).then(
      (answer) => {
        if (!stop.signal.aborted) setState({ answer, isAsking: false });
      },
      (refusal: unknown) => {
        if (!stop.signal.aborted) setState({ refusal: refusal as Refusal, isAsking: false });
      },
    );
    return () => stop.abort();
  }, [name, key, times, entered.value]);
  return { ...state, again: () => setTimes((before) => before + 1) };
}
