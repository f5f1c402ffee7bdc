/**
 * All that was told, as one past: conversations each once, lists of messages, and notes as
 * documents. Pure.
 */
import { groupBy } from "../model/collections.js";
import { idOfSource } from "../protocol/new-document.js";
import { eachToldOnce } from "./assemble.js";
import { type Fields } from "./fields.js";
import type { FileOutcome } from "./gather.js";
import type { Kind } from "./kinds.js";
import { type Conversation, type Note, Skipped } from "./told.js";

/** A text to be looked up. */
export interface NoteText {
  id: string;
  title: string;
  text: string;
  source: string;
}

export interface Past {
  conversations: { kind: Kind; conversation: Conversation }[];
  /** Of each file, as it holds them. */
  lists: { file: string; messages: Fields[] }[];
  notes: NoteText[];
  /** Files that tell nothing, and why. */
  passed: { file: string; why: string }[];
  skipped: Skipped;
}

/** Of one place: Markdown that lies among the files of an agent is the agent's own, and no note of a person's. */
export function withoutOwnNotes(outcomes: readonly FileOutcome[]): FileOutcome[] {
  const talk = outcomes.find((one) => one.is === "told" && one.telling.conversations.length > 0);
  if (talk?.is !== "told") return [...outcomes];
  const own = outcomes.filter((one) => one.is === "told" && one.telling.kind === "notes");
  talk.telling.skipped.note("notes of the agent", own.length);
  return outcomes.filter((one) => !own.includes(one));
}

export function pastOf(outcomes: readonly FileOutcome[]): Past {
  const skipped = new Skipped();
  const told = outcomes.flatMap((outcome) => (outcome.is === "told" ? [outcome.telling] : []));
  for (const { skipped: own } of told) for (const [why, times] of own.counts) skipped.note(why, times);
  const conversations = [...groupBy(told, ({ kind }) => kind)].flatMap(([kind, of]) =>
    eachToldOnce(
      of.flatMap((one) => one.conversations),
      skipped,
    ).map((conversation) => ({ kind, conversation })),
  );
  const noted = told.filter(({ notes }) => notes.length > 0);
  return {
    conversations,
    lists: told.flatMap(({ file, messages }) => (messages.length === 0 ? [] : [{ file, messages }])),
    notes: textsOf(noted.flatMap(({ kind, file, notes }) => notes.map((note) => ({ kind, file, note })))),
    passed: outcomes.flatMap((outcome) => (outcome.is === "passed" ? [outcome] : [])),
    skipped,
  };
}

/** What is of a project or another; notes and lists of messages are of none. */
export function ofConversations(past: Past): Past {
  past.skipped.note("notes, which are of no project", past.notes.length);
  past.skipped.note("lists of messages, which are of no project", past.lists.length);
  return { ...past, notes: [], lists: [] };
}

interface Noted {
  kind: Kind;
  file: string;
  note: Note;
}

/** Facts of one person are lines of one text; everything else is a text of its own. */
function textsOf(noted: readonly Noted[]): NoteText[] {
  const once = [
    ...new Map(noted.map((one) => [JSON.stringify([one.kind, one.note.id, one.note.text]), one])).values(),
  ];
  const facts = groupBy(
    once.filter(({ kind }) => kind === "mem0"),
    ({ note }) => note.about ?? "",
  );
  const ofFacts = [...facts].map(([about, of]): NoteText => {
    const title = about === "" ? "Facts of mem0" : `Facts of mem0 about ${about}`;
    const lines = of.map(
      ({ note: { text, at } }) => `- ${at === undefined ? "" : `${at.slice(0, 10)}: `}${text}`,
    );
    return {
      id: about === "" ? "mem0" : `mem0-${about}`,
      title,
      text: lines.join("\n"),
      source: of[0]?.file ?? "",
    };
  });
  // Two exports may hold one text in two versions.
  const versions = new Map<string, number>();
  const others = once
    .filter(({ kind }) => kind !== "mem0")
    .map(({ kind, file, note }): NoteText => {
      const { title = note.id, text } = note;
      const id = kind === "notes" ? idOfSource(note.id) : note.id;
      const version = (versions.get(id) ?? 0) + 1;
      versions.set(id, version);
      return { id: version === 1 ? id : `${id}-${version}`, title, text, source: file };
    });
  return [...ofFacts, ...others];
}
