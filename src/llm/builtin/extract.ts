/**
 * What is worth remembering of a conversation, without a model: what a person says of themselves, what
 * they decided or ask to have remembered, how they want the agent to work, and what they mean to do on
 * a day that can be counted. Of a sentence only the statement that it begins with, told of whoever said
 * it, and only where that stands alone. Otherwise nothing: a memory full of guesses is ignored. What they
 * quote, paste or pass on is nobody's trait (text/own-words.ts).
 *
 * Pure but for loading the date reader.
 */
import type { Finding } from "../../model/found.js";
import { type Day, isDay, isMonth, lastDayOf } from "../../model/time.js";
import type { Utterance } from "../../model/message.js";
import { type DatePhrases, loadDatePhrases } from "../../text/dates/absolute.js";
import { type Spoken, spokenIn } from "../../text/own-words.js";
import { pointersIn } from "../../text/pointers.js";
import { redactSecrets } from "../../text/redact.js";
import type { ExtractJob } from "../jobs/extract.js";
import type { ObservationsJob } from "../jobs/observations.js";
import { clean } from "../notes.js";
import { withDates } from "./absolutise.js";
import { isHan, isQuestion } from "./cues.js";
import { type Statement, statementsIn } from "./told/statement.js";
import { ofWork, worksIn } from "./told/work.js";

const LONGEST_CHARS = 400;
/** Of what one message says of itself; a letter says more than anybody wants to have remembered. */
const MOST_OF_ONE = 3;

export async function builtinExtract(job: ExtractJob): Promise<{ findings: Finding[] }> {
  const findings = job.of === "document" ? [] : await ofConversation(job);
  const seen = new Set<string>();
  const distinct = findings.filter(({ kind, text }) => {
    const key = `${kind} ${text}`;
    return job.wants.includes(kind) && !seen.has(key) && seen.add(key);
  });
  return { findings: distinct };
}

async function ofConversation({ earlier, utterances, wants, speaker }: ExtractJob): Promise<Finding[]> {
  const phrases = await loadDatePhrases();
  const all = [...earlier, ...utterances];
  const names = [...new Set(all.map(({ name }) => name))];
  const spoken = all.map(({ role, name, text }) => (role === "user" ? spokenIn(text, [name]) : undefined));
  const works = worksIn(all.map(({ name }, at) => spoken[at] && { name, text: ownWordsIn(spoken[at]) }));
  /** `before`: how many messages stand before them. */
  const toldIn = (some: readonly Utterance[], before: number): Finding[] =>
    some.flatMap((utterance, index) => {
      const at = before + index;
      const by = speakerOf(utterance, speaker);
      const work = works[at];
      return ownSentencesIn(spoken[at] ?? [])
        .flatMap((sentence, place, all) =>
          statementsIn(sentence, by, names).flatMap((statement) => {
            if (isGranted(statement, all[place + 1] ?? "")) return [];
            const dated = textOf(statement, utterance.day, phrases);
            if (dated === undefined) return [];
            const text = statement.about === undefined ? dated : ofWork(dated, work?.name, work?.at === at);
            const named = text === dated ? undefined : work?.at;
            return text === undefined ? [] : [{ statement, text, sentence, named }];
          }),
        )
        .toSorted((one, other) => other.statement.weight - one.statement.weight)
        .slice(0, MOST_OF_ONE)
        .flatMap(({ statement, text, sentence, named = at }): Finding[] => {
          // Counted from one.
          const from = [...new Set([named + 1, at + 1])];
          const finding = { text, said: sentence, from };
          const ahead = aheadIn(text, utterance.day);
          const plan = ahead && ({ ...finding, kind: "foresight", ...ahead } as const);
          return plan !== undefined && wants.includes("foresight")
            ? [plan]
            : [{ ...finding, kind: statement.kind }];
        });
    });
  const before = wants.includes("foresight")
    ? toldIn(earlier, 0).filter(({ kind }) => kind === "foresight")
    : [];
  return [...before, ...toldIn(utterances, earlier.length)];
}

/** Without what they quote, paste and pass on; questions too. */
function ownWordsIn(spoken: readonly Spoken[]): string {
  return spoken.flatMap(({ own, isPassedOn }) => (isPassedOn ? [] : [own])).join(". ");
}

/** "I've always wanted to learn it. I just started." */
function isGranted(wish: Statement, next: string): boolean {
  return / has always wanted /.test(wish.text) && BEGUN.test(next);
}

/** With nothing behind it of which it might be said. */
const BEGUN =
  /^(?:and |so |now |but )*I(?:['’]ve| have)? (?:just|finally|recently|already|now) (?:began|begun|started|signed up|did|got one|bought one|\w+ed(?: (?:with|on|doing))? it|(?:did|got|bought|made) it)[.!]*$/i;

/** Who says "I": whoever the line is of. */
function speakerOf({ name }: Utterance, speaker: string | undefined): string {
  const isNameless = name === "" || name === "user" || name === "local";
  const isTheirs = isNameless || speaker === name || speaker?.startsWith(`${name}(`) === true;
  return isTheirs ? (speaker ?? "the user") : name;
}

/** On one line each, without what somebody else says in them; no questions, nothing long. */
function ownSentencesIn(spoken: readonly Spoken[]): string[] {
  return spoken
    .filter(({ sentence, own, isPassedOn }) => !isPassedOn && !isMostlyOthers(sentence, own))
    .map(({ sentence }) => clean(redactSecrets(sentence)))
    .filter(
      (sentence) => sentence.length <= LONGEST_CHARS && !isQuestion(sentence) && !sentence.includes(GONE),
    );
}

/** In the place of a secret: what is said of it nobody can tell any more. */
const GONE = "[redacted:";

/** A title is quoted, too: what is somebody else's is more than that. */
function isMostlyOthers(sentence: string, own: string): boolean {
  let others = 0;
  for (let at = 0; at < sentence.length; at++) if (own.charAt(at) !== sentence.charAt(at)) others++;
  return 2 * others > sentence.length;
}

/** With its dates, as one sentence; undefined where it does not stand alone. */
function textOf({ text, when, about }: Statement, day: Day, phrases: DatePhrases): string | undefined {
  for (const time of when === "" ? [""] : [when, ""]) {
    const dated = withDates(time === "" ? text : `${text} ${time}`, day, phrases);
    if (pointersIn(dated, about).length === 0) return sentenceOf(dated);
  }
  return undefined;
}

function sentenceOf(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  if (/[.!?。！？]["”」』]?$/u.test(begun)) return begun;
  const last = [...begun].findLast((char) => /\p{L}/u.test(char)) ?? "";
  return `${begun}${isHan(last) ? "。" : "."}`;
}

/** A plan of theirs with a day that lies ahead. */
function aheadIn(text: string, day: Day): Pick<Finding, "on" | "until"> | undefined {
  const spans = (text.match(DATES) ?? []).flatMap((date) => spanOf(date) ?? []);
  const isOpen = GOING_TO.test(text);
  const ahead = spans.filter(({ from, to }) => (isOpen ? to : from) > day);
  const [first] = ahead;
  if (first === undefined) return undefined;
  const until = ahead.reduce((latest, { to }) => (to > latest ? to : latest), first.to);
  return { on: first.from, until };
}

/** A month that has begun lies ahead only of what is still to be done. */
const GOING_TO =
  /\b(?:is|are|will|plans?|wants?|needs?|hopes?|intends?|has (?:to|an?)|starts?|ends?)\b|要|将|会|打算|计划|准备|想/u;

const DATES = /\b\d{4}-\d{2}-\d{2} – \d{4}-\d{2}-\d{2}\b|\b\d{4}-\d{2}(?:-\d{2})?\b/g;

/** Of `YYYY-MM-DD`, `YYYY-MM` or a week, `A – B`. */
function spanOf(date: string): { from: Day; to: Day } | undefined {
  const [from = "", to = from] = date.split("–").map((end) => end.trim());
  if (isDay(from) && isDay(to)) return { from, to };
  return isMonth(date) ? { from: `${date}-01` as Day, to: lastDayOf(date) } : undefined;
}

export function builtinObservations(job: ObservationsJob): { observations: string[] } {
  const observations = job.utterances
    .filter(({ role }) => role === "user")
    .flatMap(({ day, name, text }) =>
      ownSentencesIn(spokenIn(text, [name]))
        .filter((sentence) => statementsIn(sentence, clean(name), []).some(({ kind }) => kind === "trait"))
        .map((sentence) => `${day} ${clean(name)}: ${sentence}`),
    );
  return { observations: [...new Set(observations)] };
}
