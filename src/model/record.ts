/** What was distilled of a conversation: one remembered thing, one line on what the agent did, and how far its source can be trusted. Pure. */
import type { Belonging, ScopeId } from "./address.js";
import { type Message, type MessageId, type Role, toolsOf } from "./message.js";
import type { EpochMs } from "./time.js";

export type RecordId = string & { readonly __of: "record" };

export const RECORD_KINDS = ["event", "fact", "episode", "foresight"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Most trusted first. */
export const TRUSTS = ["human", "agent", "tool", "document"] as const;
/** Of whose making the text is; a summary is trusted as little as its least trusted source. */
export type Trust = (typeof TRUSTS)[number];

/** Of the line in `memory/records/`. */
export const RECORD_SCHEMA = 1;

export interface MemoryRecord extends Belonging {
  id: RecordId;
  kind: RecordKind;
  /** From whose side it is told: an observation in a group gives one record of the group's and one of the sender's. */
  perspective?: string;
  text: string;
  /** The words that say it, where they were others. */
  said?: string;
  /** When it happened. */
  at: EpochMs;
  /** Only the day of `at` was told. */
  allDay?: true;
  recordedAt: EpochMs;
  /** Whether it stands alone: no pronouns, no relative times. */
  isAbsolute: boolean;
  sources: readonly MessageId[];
  trust: Trust;
  /** The older record that this one contradicts. */
  supersedes?: RecordId;
  /** The newer record that contradicts this one. */
  supersededBy?: RecordId;
  supersededAt?: EpochMs;
  validFrom?: EpochMs;
  validTo?: EpochMs;
}

/** One line on what the agent did in a turn. */
export interface Memo {
  /** Of the job that brought it. */
  id?: string;
  at: EpochMs;
  user?: string;
  scope: ScopeId;
  session: string;
  text: string;
}

/** Of what a message says in words; a text that somebody handed over, `scene: "document"`, is not theirs. */
export function trustOf({ role, scene }: { role: Role; scene?: string | undefined }): Trust {
  if (scene === "document") return "document";
  if (role === "tool") return "tool";
  return role === "user" ? "human" : "agent";
}

/** Of all that a message holds: an agent's that calls a tool is trusted as little as the tool. */
export function leastTrustIn(message: Message): Trust {
  return leastTrusted([trustOf(message), ...toolsOf(message).map(() => "tool" as const)]);
}

/** As little as the least trusted; the agent's own where nothing is known. */
export function leastTrusted(trusts: readonly Trust[]): Trust {
  return trusts.reduce<Trust>(
    (least, trust) => (TRUSTS.indexOf(trust) > TRUSTS.indexOf(least) ? trust : least),
    trusts[0] ?? "agent",
  );
}
