/**
 * What is worth remembering of a conversation, without a model: what a person
 * says of themselves or asks to have remembered, what they say they will do on a
 * day that can be counted, and of a whole stretch the sentences that carry it.
 * Otherwise nothing: a memory full of guesses is ignored. What they quote, paste or
 * pass on is nobody's trait (text/own-words.ts).
 *
 * Pure but for loading the date reader. Dates are counted and the speaker is
 * named; whether that is enough is for the historian's gate to say.
 */
import type { Finding } from "../../model/found.js";
import { type Day, isDay, isMonth, lastDayOf } from "../../model/time.js";
import type { Utterance } from "../../model/message.js";
import { type DatePhrases, loadDatePhrases } from "../../text/absolute-dates.js";
import { redactSecrets } from "../../text/redact.js";
import { spokenIn, withoutOthers } from "../../text/own-words.js";
import { isAnothers } from "../../text/told-by.js";
import type { ExtractJob } from "../jobs/extract.js";
import type { ObservationsJob } from "../jobs/observations.js";
import type { SummarySectionInput } from "../jobs/summary.js";
import { clean } from "../notes.js";
import { standing } from "./absolutise.js";
import { candidatesOf, pick } from "./pick.js";
import { isChat, isQuestion } from "./cues.js";

const LONGEST_CHARS = 300;
/** Of one stretch: its best sentences, not all of it again. */
const EPISODE_SENTENCES = 3;

export async function builtinExtract(job: ExtractJob): Promise<{ findings: Finding[] }> {
  const findings = job.of === "document" ? [] : await ofConversation(job);
  const seen = new Set<string>();
  const distinct = findings.filter(({ kind, text }) => {
    const key = `${kind} ${text}`;
    return job.wants.includes(kind) && !seen.has(key) && seen.add(key);
  });
  return { findings: distinct };
}

interface Statement {
  sentence: string;
  /** Of it, what is theirs. */
  own: string;
  day: Day;
  from: number;
}

/** What was said on a day, so that it stands alone. */
type Stand = (text: string, day: Day) => string;

async function ofConversation({ earlier, utterances, wants, speaker }: ExtractJob): Promise<Finding[]> {
  const fresh = statementsIn(utterances, earlier.length + 1);
  const all = [...statementsIn(earlier, 1), ...fresh];
  const phrases = await loadDatePhrases();
  const stand: Stand = (text, day) =>
    standing(text, { day, ...(speaker === undefined ? {} : { speaker }) }, phrases);
  const findings = (kind: Finding["kind"], statements: readonly Statement[]): Finding[] =>
    statements.map(({ sentence, day, from }) => ({ kind, text: stand(opened(sentence), day), from: [from] }));
  const traits = fresh.filter(({ own }) => isTrait(own));
  const isFact = ({ own }: Statement): boolean => asksToRemember(own) || isSettled(own);
  const facts = fresh.filter((statement) => isFact(statement) && !traits.includes(statement));
  return [
    ...findings("trait", traits),
    ...findings("fact", facts),
    ...(wants.includes("foresight")
      ? all.flatMap((statement) => foresightIn(statement, phrases, stand) ?? [])
      : []),
    ...(wants.includes("episode") ? episodeOf([...earlier, ...utterances], stand) : []),
  ];
}

/** What people said of their own, sentence by sentence; no questions, no small talk. */
function statementsIn(utterances: readonly Utterance[], first: number): Statement[] {
  return utterances.flatMap(({ role, name, text, day }, index) =>
    role !== "user"
      ? []
      : ownSentencesIn(text, name)
          .filter(({ sentence }) => !isChat(sentence))
          .map((spoken) => ({ ...spoken, day, from: first + index })),
  );
}

/** On one line each, without what somebody else says in them; no questions, nothing long. */
function ownSentencesIn(text: string, name: string): Pick<Statement, "sentence" | "own">[] {
  return spokenIn(text, [name])
    .filter(({ isPassedOn }) => !isPassedOn)
    .map(({ sentence, own }) => ({ sentence: clean(redactSecrets(sentence)), own }))
    .filter(({ sentence }) => sentence.length <= LONGEST_CHARS && !isQuestion(sentence));
}

const isSettled = says([
  /\b(?:(?:I|we)(?:'ve| have)? (?:decided|agreed|settled|chose|switched)|my (?:birthday|address|phone|email|wife|husband|partner|son|daughter|mother|father|brother|sister|boss|dog|cat) (?:is|are|was))\b/i,
  /(?:我们?(?:已经)?(?:决定|商定|定了|选定)|我的?(?:生日|地址|电话|邮箱|妻子|老婆|丈夫|老公|儿子|女儿|妈妈|爸爸|老板|狗|猫)(?:是|叫|在))/,
]);

const isIntended = says([
  /\b(?:(?:I|we)(?:'ll| will|'m going to| am going to|'re going to| are going to| plan to| have to| need to| must)|(?:I|we) (?:fly|leave|start|move|travel|meet|present)\b|my (?:flight|appointment|interview|exam|deadline|wedding|meeting|talk) (?:is|are)|deadline|due (?:on|by))/i,
  /(?:我们?(?:要|会|打算|计划|准备|得|将)|(?:约了|约好|预约|订了|预订|截止|出差|面试|考试|开会|婚礼))/,
]);

const LEAD =
  /^(?:(?:and|also|oh|so|well|by the way|besides)[,:]?\s+|(?:另外|还有|对了|哦|顺便说一下)[，,：:]?\s*|(?<label>\p{Lu}[\p{L}' ]{1,24}):\s+(?=\p{Lu})|(?:please )?remember(?: that)?[ ,:]\s*|(?:请|帮我)?记住[，,：:]?\s*)/iu;

/** Without what only leads up to it; who says it does not only lead up. */
function opened(sentence: string): string {
  const lead = LEAD.exec(sentence);
  const label = lead?.groups?.["label"];
  const rest = sentence.slice(lead?.[0].length ?? 0);
  if (lead === null || rest === "" || (label !== undefined && isAnothers(label))) return sentence;
  return opened(rest.charAt(0).toUpperCase() + rest.slice(1));
}

/** A plan of theirs with a day that lies ahead. */
function foresightIn(statement: Statement, phrases: DatePhrases, stand: Stand): Finding | undefined {
  if (!isIntended(statement.own)) return undefined;
  const written = statement.sentence.match(/\b\d{4}-\d{2}-\d{2}\b/g)?.filter(isDay) ?? [];
  const spans = [...phrases(statement.sentence, statement.day).map(({ date }) => date), ...written].map(
    spanOf,
  );
  const ahead = spans.filter((span) => span !== undefined).filter(({ to }) => to > statement.day);
  const [first] = ahead;
  if (first === undefined) return undefined;
  const until = ahead.reduce((latest, { to }) => (to > latest ? to : latest), first.to);
  const text = stand(opened(statement.sentence), statement.day);
  return { kind: "foresight", text, from: [statement.from], on: first.from, until };
}

/** Of `YYYY-MM-DD`, `YYYY-MM`, `YYYY` or a week, `A – B`. */
function spanOf(date: string): { from: Day; to: Day } | undefined {
  const [from = "", to = from] = date.split("–").map((end) => end.trim());
  if (isDay(from) && isDay(to)) return { from, to };
  if (isMonth(date)) return { from: `${date}-01` as Day, to: lastDayOf(date) };
  return /^\d{4}$/.test(date) ? { from: `${date}-01-01` as Day, to: `${date}-12-31` as Day } : undefined;
}

/** What the person said that carries it, each with its own date. */
function episodeOf(utterances: readonly Utterance[], stand: Stand): Finding[] {
  const people = utterances
    .filter(({ role }) => role === "user")
    .map((utterance) => ({ ...utterance, text: withoutOthers(utterance.text, [utterance.name]) }));
  const section: SummarySectionInput = { utterances: people, days: [] };
  const best = pick(candidatesOf(section, "day"), "day");
  const sentences = best
    .filter(({ text }) => !GOES_ON.test(text))
    .map(({ text, day }) => stand(short(clean(redactSecrets(text))), day))
    .filter(namesSomebody)
    .slice(0, EPISODE_SENTENCES);
  if (sentences.length < 2) return [];
  const from = utterances.flatMap(({ role }, index) => (role === "user" ? [index + 1] : []));
  return [{ kind: "episode", text: sentences.join(" "), from }];
}

/** Of something that was said before it. */
const GOES_ON =
  /^(?:and|but|so|then|also|or|because|which|that|it|this|they|too|yes|no|ok|the same|agreed|decided)\b|^(?:但|所以|然后|也|而且|那|这|它|还有|不过|因为|于是|另外|对|是)/i;
/** Whoever it is about, or when: without either nobody knows what it is of. */
const SOMEBODY = /\p{Lu}\p{Ll}+|\d{4}-\d{2}/u;

function namesSomebody(text: string): boolean {
  const han = text.search(/\p{Script=Han}{2}/u);
  return SOMEBODY.test(text) || (han >= 0 && /\d/.test(text.slice(han)));
}

function short(text: string): string {
  return text.length <= LONGEST_CHARS ? text : `${text.slice(0, LONGEST_CHARS).toWellFormed()}…`;
}

/** What somebody says of themselves in so many words. */
const isTrait = says([
  /\b(?:my name is|call me|I(?:'m| am) allergic to|I (?:really )?(?:like|love|prefer|hate|dislike)|my favou?rite)\b/i,
  /我(?:叫|的名字是|(?:很|最|特别|更)?喜欢|最爱|讨厌|不吃|不喝|对.{1,12}过敏)/,
]);
const asksToRemember = says([
  /\b(?:(?:please )?remember(?: that)?[ ,:]|don't forget that|for future reference|from now on)\b/i,
  /(?:请|帮我|你要)?记住|别忘了|以后都|从现在起/,
]);

function says(patterns: readonly RegExp[]): (sentence: string) => boolean {
  return (sentence) => patterns.some((pattern) => pattern.test(sentence));
}

export function builtinObservations(job: ObservationsJob): { observations: string[] } {
  const observations = job.utterances
    .filter(({ role }) => role === "user")
    .flatMap(({ day, name, text }) =>
      ownSentencesIn(text, name)
        .filter(({ own }) => isTrait(own) || asksToRemember(own))
        .map(({ sentence }) => `${day} ${clean(name)}: ${sentence}`),
    );
  return { observations: [...new Set(observations)] };
}
