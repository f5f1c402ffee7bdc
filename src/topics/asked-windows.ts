/**
 * The windows that a turn asks: each once, however often its prompt is written, and all together for no more
 * tokens than a turn may cost. Nothing here must survive.
 */
import { entryOf } from "../model/collections.js";
import type { TopicId } from "../model/topic.js";

interface AskedTurn {
  /** What is said in it. */
  of: string;
  asked: Map<TopicId, Promise<void>>;
  /** Tokens. */
  left: number;
  /** One after the other: what is left is known once those before have answered. */
  last: Promise<void>;
}

/** Asks these windows for no more tokens than are left; how many it took. */
type AskFresh = (ids: readonly TopicId[], leftTokens: number) => Promise<number>;

export class AskedWindows {
  /** The newest turn of each set. */
  readonly #turns = new Map<string, AskedTurn>();

  /** Settles once all of them that are asked in this turn have answered. `of`: what is said in it. */
  async ask(
    set: string,
    of: string,
    ids: readonly TopicId[],
    turnTokens: number,
    askFresh: AskFresh,
  ): Promise<void> {
    if (this.#turns.get(set)?.of !== of) this.#turns.delete(set);
    const begin = (): AskedTurn => ({ of, asked: new Map(), left: turnTokens, last: Promise.resolve() });
    const turn = entryOf(this.#turns, set, begin);
    const fresh = ids.filter((id) => !turn.asked.has(id));
    if (fresh.length > 0) {
      turn.last = turn.last
        .catch(() => undefined)
        .then(async () => {
          if (turn.left > 0) turn.left -= await askFresh(fresh, turn.left);
        });
      for (const id of fresh) turn.asked.set(id, turn.last);
    }
    await Promise.all(new Set(ids.flatMap((id) => turn.asked.get(id) ?? [])));
  }

  forget(): void {
    this.#turns.clear();
  }
}
