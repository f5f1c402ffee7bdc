/** What the loop drives. Shapes only: service/ puts them together from the stages. */
import type { Lists } from "../model/address.js";
import type { FiledMessage } from "../model/message.js";
import type { Background, Listed, Tick } from "../platform/background.js";
import type { Clock } from "../platform/clock.js";
import type { Log } from "../platform/log.js";
import type { WatchPort } from "../platform/watch.js";
import type { Workspace } from "../protocol/workspace.js";

export interface LoopParts {
  workspace: Workspace;
  clock: Clock;
  watch: WatchPort;
  log: Log;
  /** Throws `ownership_lost` or `workspace_moved` once this process may not write any more. */
  guard: () => Promise<void>;
  /** Hears what is begun, for who is told what the loop is held up by. */
  doing?: (what: string) => void;
}

export interface Stages {
  intake: Intake;
  index: Index;
  prompts: Prompts;
  /** In the order in which they are polled. */
  background: readonly Background[];
  /** Once, after the first look: what a killed process had begun is ended. `works`: what it had under way waits again. */
  recover(works: boolean): Promise<void>;
  /** In every tick, before anything else: what a fault cut off is ended. */
  resume(): Promise<void>;
  /** After a trouble of the disk: throws what keeps anything from being written. */
  probe(): Promise<void>;
  /** In every tick, also where memd only reads: what is new is kept, before the intake may let go of it. */
  keep(tick: Tick): Promise<void>;
  /** At the end of every tick: what waits to be written with it. */
  flush(): Promise<void>;
  /** Whether work has come that no file at the top of the workspace shows. Asked every second. */
  hasNews(): Promise<boolean>;
}

/** Takes in what others write. */
export interface Intake extends Listed {
  start(): Promise<void>;
  /** What waits, where it alone has changed and is not taken in yet. */
  peek(): Promise<FiledMessage[] | undefined>;
  look(): Promise<void>;
  /** Looks at the whole memory tree. */
  rescan(): Promise<void>;
  /** Writes back what has become of the messages. */
  mirror(): Promise<void>;
  /** Files that were replaced are looked at every second for a while. */
  readonly watchesReplaced: boolean;
  /** An import comes in, piece by piece. */
  readonly isTakingIn: boolean;
  /** Messages that are not in their place yet. */
  readonly unsettled: number;
  /** Counts up with everything that is forgotten. */
  readonly epoch: number;
}

export interface Index {
  /** Reads what has changed, file by file until it `isCalled`; true where other things may be found than before. */
  refresh(isCalled?: () => boolean): Promise<boolean>;
  /** Files that have changed were left. */
  readonly isBehind: boolean;
  /** Does ahead what the first question would wait for. */
  warm(): Promise<void>;
}

export interface Prompts {
  /** The next refresh looks at the files that a prompt is made of; until then what they were is believed. */
  look(): void;
  /** How many were written. `isTaken`: whether what waits is durable, before which no prompt is said to cover it. */
  refresh(lists: Lists, hasFound: boolean, isTaken: Promise<boolean>): Promise<number>;
  /** What writes the prompts that models made better; undefined where there are none. */
  better(): Promise<(() => Promise<boolean>) | undefined>;
  /** Makes prompts for nobody, for as long as `mayGoOn` says so. */
  rehearse(lists: Lists, mayGoOn: () => Promise<boolean>): Promise<void>;
}
