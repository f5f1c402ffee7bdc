/**
 * What a prompt is made from and what it becomes. The supervisor reads the
 * files and runs recall; nothing here touches a disk.
 */
import type { Address } from "../model/address.js";
import { mayRead, viewerAt } from "../model/access.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import type { Hit, PassageKind } from "../model/passage.js";
import type { Memo, MemoryRecord, Trust } from "../model/record.js";
import type { SectionName, Settings } from "../model/settings.js";
import type { EpochMs, Zone } from "../model/time.js";
import type { Profile } from "../protocol/profile.js";
import type { Breadth } from "../text/asking.js";
import type { WindowSummary } from "../protocol/window-file.js";
import type { TopicsInput } from "../model/topic-shown.js";

export interface ContextInputs {
  /** On whose behalf the prompt is written: the newest waiting sender. */
  viewer: Address;
  zone: Zone;
  now: EpochMs;
  settings: Settings["context"];
  /** Text of `memory.md`; shown only where `pinnedFor` allows. */
  memoryMd?: string | undefined;
  /** Text of `SOUL.md`. */
  soul?: string | undefined;
  /** Text of `AWARENESS.md`. */
  awareness?: string | undefined;
  /** Of the viewer and, in a group, of the group. */
  profiles?: readonly Profile[] | undefined;
  /** Oldest first; those the viewer may not read are left out here. */
  memos?: readonly Memo[] | undefined;
  /** The same. */
  records?: readonly MemoryRecord[] | undefined;
  /** The rolling summary of what the conversation no longer shows. */
  window?: WindowSummary | undefined;
  /** What was split of the conversation; absent where nothing was. */
  topics?: TopicsInput | undefined;
  /** From recall, for each question that waits. */
  found: readonly Found[];
  /** The viewer's conversation, oldest first. */
  history: readonly FiledMessage[];
  /** What waits for an answer, oldest first. */
  inbox: readonly FiledMessage[];
}

/** One question of what waits. */
export interface Inquiry {
  /** As it was typed. */
  text: string;
  /** What else may be meant, the newest last: it counts less, and the older the less. */
  context: readonly string[];
  breadth: Breadth;
}

/** What recall found for one question. */
export interface Found {
  inquiry: Inquiry;
  /** Most relevant first; more than are shown, since some fall away here. */
  hits: readonly Hit[];
  /** The best score of what its own words find, where others were asked along with them. */
  ownScore?: number;
}

/** What of the prompt stands beside a section. */
export interface ShownBeside {
  /** Bodies of the sections before it. */
  above: string;
  /** Messages that History and Input show whole. */
  wholeIds: ReadonlySet<MessageId>;
}

export interface Prompt {
  /** Content of `prompt.md`. */
  markdown: string;
  /** Content of `prompt.json`. */
  data: PromptData;
}

export interface PromptData {
  version: 1;
  viewer: Address;
  /** ISO 8601. */
  generatedAt: string;
  /** Every waiting message of this conversation that was taken into account, shown in full or not. */
  inboxIds: MessageId[];
  sections: SectionData[];
  /** What recall was asked, in order. */
  questions: QuestionData[];
  /** The hits that are shown. */
  hits: HitData[];
  /** Found and not shown, most relevant first. */
  leftOut: (HitData & { why: string })[];
  warnings: string[];
}

export interface SectionData {
  name: SectionName;
  tokens: number;
  budgetTokens: number;
  /** What was shortened or left out, in words. */
  cuts: string[];
}

export interface QuestionData {
  text: string;
  /** What was said before it that was asked along. */
  context: readonly string[];
  found: number;
  shown: number;
  /** What its lines cost. */
  tokens: number;
}

export interface HitData {
  path: string;
  lines: readonly [number, number];
  score: number;
  date: string;
  kind: PassageKind;
  messageIds: readonly MessageId[];
  trust: Trust;
  /** Place in `questions` of the first that found it. */
  question: number;
  /** What its lines cost; absent where none is shown. */
  tokens?: number;
}

/** `memory.md` is the owner's: in a group, and for another user, there is none. */
export function pinnedFor(viewer: Address, memoryMd: string | undefined): string | undefined {
  return mayRead(viewerAt(viewer), { level: "owner", scope: viewer.scope }) ? memoryMd : undefined;
}
