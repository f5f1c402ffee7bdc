/**
 * All that was told, as one past: conversations each once, lists of messages, and notes as
 * documents. Pure.
 */
import { groupBy } from "../model/collections.js";
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

/** `withNotes`: those too that lie among the files of an agent, where they are its own and no talk. */
export function pastOf(outcomes: readonly FileOutcome[], withNotes: boolean): Past {
  const skipped = new Skipped();
  const told = outcomes.flatMap((outcome) => (outcome.is === "told" ? [outcome.telling] : []));
  for (const { skipped: own } of told) for (const [why, times] of own.counts) skipped.note(why, times);
  const conversations = [...groupBy(told, ({ kind }) => kind)].flatMap(([kind, of]) =>
    eachToldOnce(
      of.flatMap((one) => one.conversations),
      skipped,
    ).map((conversation) => ({ kind, conversation })),
  );
  const isAgents = conversations.length > 0 && !withNotes;
  const noted = told.filter(({ kind, notes }) => notes.length > 0 && !(isAgents && kind === "notes"));
  skipped.note("notes of the agent", isAgents ? told.filter(({ kind }) => kind === "notes").length : 0);
  return {
    conversations,
    lists: told.flatMap(({ file, messages }) => (messages.length === 0 ? [] : [{ file, messages }])),
    notes: textsOf(noted.flatMap(({ kind, file, notes }) => notes.map((note) => ({ kind, file, note })))),
    passed: outcomes.flatMap((outcome) => (outcome.is === "passed" ? [outcome] : [])),
    skipped,
  };
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
  const others = once
    .filter(({ kind }) => kind !== "mem0")
    .map(({ file, note: { id, title = id, text } }): NoteText => ({ id, title, text, source: file }));
  return [...ofFacts, ...others];
}
