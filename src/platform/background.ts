/**
 * Work beside the ticks of the loop: what the loop knows of it, and what it may
 * have the loop do.
 *
 * Shapes only. The loop polls each piece of background work once a tick; a poll
 * begins what is due and returns at once, and what a model has answered is
 * written down between two ticks.
 */
import type { ListedMessage, Lists } from "../model/conversations.js";
import type { FiledMessage } from "../model/message.js";

/** What history.json and inbox.json held when they were read; the same objects while they stand. */
export interface Listed {
  history: { messages: readonly ListedMessage[] };
  inbox: { messages: readonly ListedMessage[] };
}

/** What a poll is told of the tick it runs in. */
export interface Tick extends Listed {
  lists: Lists;
  /** The memory tree was looked at, as it is at the start, once a minute, and after a fault. */
  isRescan: boolean;
  /** The tick before it failed: what begins again need not be logged again. */
  isRetry: boolean;
}

export interface Background {
  readonly name: string;
  /** Begins what is due and not under way. True where this wrote files that index and prompts are made of. */
  poll(tick: Tick): Promise<boolean> | Promise<void> | void;
  /** Pieces of work under way. */
  readonly running: number;
  /** After how long it is to be polled though nothing has changed; undefined where there is nothing to wait for. */
  readonly nextMs?: number | undefined;
  /** Somebody waits for it: it is polled also where memd only reads. */
  readonly isAsked?: boolean;
  /** It met a fault and has not got past it: a tick that goes well says nothing about that. */
  readonly isHeldUp?: boolean;
  /** Trouble has begun: whoever waits is refused, and what is half done is planned again from the files. */
  refuse?(trouble: Error): void;
  /** These messages were forgotten: nothing that was read of them is kept. Runs when no tick does. */
  forget?(isGone: (filed: FiledMessage) => boolean): Promise<void> | void;
  /** Begins nothing more; settles when nothing is under way. */
  stop(): Promise<void>;
}

/** What background work may have the loop do. */
export interface Loop {
  /** Runs when no tick does, so that two writers never meet. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Work has ended: the next tick comes at once. `changed`: it wrote files that index and prompts are made of. */
  done(changed: boolean): void;
  /** Somebody else has changed the memory tree: the next tick looks at all of it. */
  rescan(): void;
  wake(): void;
  /** The disk refused, or a bug: nothing gets on until a tick goes well. */
  fault(error: unknown): void;
}

export function tickOf(
  { history, inbox }: Listed,
  flags: Partial<Pick<Tick, "isRescan" | "isRetry">> = {},
): Tick {
  return { history, inbox, lists: listsOf({ history, inbox }), isRescan: false, isRetry: false, ...flags };
}

export function listsOf({ history, inbox }: Listed): Lists {
  return {
    history: history.messages.map(({ filed }) => filed),
    inbox: inbox.messages.map(({ filed }) => filed),
  };
}
