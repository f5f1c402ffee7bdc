/**
 * What is worth remembering, without a model: only what a person says of
 * themselves in so many words, or asks to have remembered. Otherwise nothing:
 * a memory full of guesses is ignored. Pure.
 */
import { redactSecrets } from "../../text/redact.js";
import { sentencesOf } from "../../text/sentences.js";
import type { ObservationsJob } from "../jobs/observations.js";
import { clean } from "../notes.js";
import { isQuestion } from "./cues.js";

const TRAIT: readonly RegExp[] = [
  /\b(?:my name is|call me|I(?:'m| am) allergic to|I (?:really )?(?:like|love|prefer|hate|dislike)|my favou?rite)\b/i,
  /我(?:叫|的名字是|(?:很|最|特别|更)?喜欢|最爱|讨厌|不吃|不喝|对.{1,12}过敏)/,
];
const REMEMBER: readonly RegExp[] = [
  /\b(?:(?:please )?remember(?: that)?[ ,:]|don't forget that|for future reference|from now on)\b/i,
  /(?:请|帮我|你要)?记住|别忘了|以后都|从现在起/,
];

/** What somebody says of themselves in so many words. */
export function isTrait(sentence: string): boolean {
  return TRAIT.some((pattern) => pattern.test(sentence));
}

export function asksToRemember(sentence: string): boolean {
  return REMEMBER.some((pattern) => pattern.test(sentence));
}

const LONGEST_CHARS = 300;

export function builtinObservations(job: ObservationsJob): { observations: string[] } {
  const observations = job.utterances
    .filter(({ role }) => role === "user")
    .flatMap(({ day, name, text }) =>
      sentencesOf(text)
        .map((sentence) => clean(redactSecrets(sentence)))
        .filter((sentence) => sentence.length <= LONGEST_CHARS && !isQuestion(sentence))
        .filter((sentence) => isTrait(sentence) || asksToRemember(sentence))
        .map((sentence) => `${day} ${clean(name)}: ${sentence}`),
    );
  return { observations: [...new Set(observations)] };
}
