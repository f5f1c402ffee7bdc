/**
 * What a sentence tells of whoever says it along the way, whatever it is about: "as a nurse, I …" says what
 * they are, "my daughter Sara" whom they have, "pottery is my passion" what they love.
 *
 * Pure; English. Only what stands there for certain: nobody's "late husband", no "future wife".
 */
import type { Told } from "./matters.js";
import { KIN_AT_HOME, PETS, ROLE, WHO } from "./words.js";

export interface Implied extends Told {
  text: string;
}

/** `names`: of those who speak with one another. */
export function impliedIn(sentence: string, speaker: string, names: readonly string[]): Implied[] {
  const said = sentence.replaceAll("’", "'").trim();
  return [identityIn(said, speaker), theirsIn(said, speaker), ...householdIn(said, speaker, names)].flatMap(
    (implied) => implied ?? [],
  );
}

const IS = `((?:[\\w'-]+ ){0,2}(?:${ROLE}|${WHO}))`;
const AS_ONE = new RegExp(
  [
    `^(?:\\w+, )?as (an?) ${IS}(?: of (?:\\w+))?, I\\b`,
    `\\bmy (?:own |whole |personal )?(?:journey|path|identity|story|life) as (an?) ${IS}\\b`,
  ].join("|"),
  "i",
);
/** It is said of another time, of somebody else, or not meant. */
const NOT_NOW =
  /\b(?:if|was|were|used to|former|old|previous|past|future|dream|wish|would|imagine|when|could|hypothetical|aspiring|fake|non|he|she|they|book|film|about)\b/i;

function identityIn(sentence: string, speaker: string): Implied | undefined {
  const found = AS_ONE.exec(sentence);
  if (found === null || NOT_NOW.test(sentence.slice(0, found.index + found[0].length))) return undefined;
  const [article = "", what = ""] = found.slice(1).filter((part) => part !== undefined);
  if (/\b(?:good|great|new|best|better|real|big|little|young|kid|child|team|group|such)\b/i.test(what))
    return undefined;
  return { kind: "trait", weight: 3, text: `${speaker} is ${article.toLowerCase()} ${what.toLowerCase()}` };
}

const MINE =
  /^(?:(?:well|yeah|yes|and|so|also|honestly|for me|of course|plus|oh),? )?((?:[\p{L}\d'":&-]+ ){0,5}[\p{L}\d'":&-]+)(?:'s| is| are| has always been| have always been|'re) (?:(?:definitely|always|still|also|really|by far|probably|just|for sure) )?(?:my (all-time )?(favou?rites?|passion|hobby|calling|specialty|happy place|first love|dream(?: job)?|escape|therapy)((?: (?:for|of|in|when) \p{L}+ing)?(?: (?!ever|too|so|and|because|but|since|to|that|right|now)\p{L}+){0,3})|(?:such )?(an? (?:huge|big|major|large|important|essential|core) part of) my life)(?=[\s,.!;–—-]|$)/iu;
/** Nobody can tell which that is. */
const UNNAMED_THING =
  /\b(?:it|this|that|these|those|they|he|she|you|your|we|our|us|his|her|their|there|here|what|which|who|one|ones|everything|something|anything|nothing|my|mine|me|I|the|how|both|another|other|first|last|next|thing|things|part|not|never|no|maybe|perhaps|think\w*|says?|said|believes?|claims?|people|nobody|if|fault|only)\b/i;

function theirsIn(sentence: string, speaker: string): Implied | undefined {
  const [said = "", what = "", often = "", of = "", rest = "", part] = MINE.exec(sentence) ?? [];
  if (/\b(?:not|no longer|said|says|according)\b/i.test(sentence.slice(said.length))) return undefined;
  if (what === "" || UNNAMED_THING.test(what) || UNNAMED_THING.test(rest)) return undefined;
  const subject = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  const isMany = !/^\p{L}+ing\b/u.test(what) && (/\s(?:and|&)\s/.test(what) || / (?:are|'re) /.test(said));
  const does = isMany ? "are" : "is";
  const text =
    part === undefined
      ? `${subject} ${does} ${speaker}'s ${often}${of}${rest}`
      : `${subject} ${does} ${part} ${speaker}'s life`;
  return { kind: "trait", weight: 2.3, text: text.trim() };
}

const HOUSEHOLD = new RegExp(
  [
    String.raw`\b([Mm]y|[Oo]ur) (?:(own|lovely|dear|older|younger|little|big|oldest|youngest|beautiful|two|three|four|five) ){0,2}`,
    String.raw`(${KIN_AT_HOME}|${PETS})(?![\p{L}-])`,
    String.raw`(?:,? (?:named|called) (\p{Lu}\p{Ll}+)(?!\p{L}| \p{Lu})| (\p{Lu}\p{Ll}+)(?=['’]s? |[,.!?]|$| (?:and|is|was|has|got|loves?|likes?|plays?|works?|started|turned|goes|went|came|won|made)\b))?`,
    String.raw`(?: and (?:my )?(kids|children|daughters?|sons?|dogs?|cats?)(?![\p{L}-]))?`,
    // What else may follow: "my dog sitter" is no dog.
    String.raw`(?=['’]s? |[,.!?;:)]|$| (?:and|or|is|are|was|were|has|have|had|who|that|to|for|in|at|on|with|from|of|about|by|as|because|but|so|when|while|after|before|out|up|love|loves|like|likes|play|plays|work|works|live|lives|go|goes|went|came|come|got|get|just|also|always|really|never|made|makes|started|turned|said|told|help|helps|helped|took|take|last|this|yesterday|today|again|too|around|home|keep|keeps|cheer|cheers|watch|walk|slowly|can|will|wants?|needs?|thinks?|called|named|celebrated|hosted|I)\b)`,
  ].join(""),
  "gu",
);
const THE_WIFE = /\b(with|and|me,|for|took) the (?:wife|missus)\b(?! of)/g;
const CALENDAR =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter)$/i;
/** Gone, not there yet, or somebody's else. */
const NOT_THEIRS =
  /\b(?:sold|gave away|giving away|buried|put down|ran away|run away|left|leaving|divorced?|no more|no kids|without|don't have|doesn't have|never|met|wonder|who will|imaginary|game|role-?play\w*|pretend|scene|students?|pupils?|passed away|used to|not|late|ex|former|future|first|said|says|told|asked|like|character|story|dream|wish|lost|died|passed|miss|missed|grew up|growing up|childhood|was a|used to|want|wanted|someday|if|when|had)\b/i;
const PLURAL = /(?:kids|children|s|puppies|fish|twins)$/i;

function householdIn(given: string, speaker: string, names: readonly string[]): Implied[] {
  const sentence = given.replace(THE_WIFE, "$1 my wife");
  if (NOT_THEIRS.test(sentence)) return [];
  return [...sentence.matchAll(HOUSEHOLD)].flatMap((found): Implied[] => {
    const [, whose = "", of = "", one = "", called, beside = called, more] = found;
    const mayBeNamed = beside !== undefined && !PLURAL.test(one) && !CALENDAR.test(beside);
    const name = mayBeNamed && !names.includes(beside) ? beside : undefined;
    // "Our kids" are also those of a town.
    if (name === undefined && whose.toLowerCase() === "our") return [];
    const first = `${withArticle(one, of)}${name === undefined ? "" : `, ${name}`}`;
    const others = more === undefined ? "" : `${name === undefined ? "" : ","} and ${withArticle(more, "")}`;
    const text = `${speaker} has ${first}${others}`;
    return [{ kind: "trait", weight: name === undefined ? 1.4 : 2.5, text }];
  });
}

function withArticle(one: string, of: string): string {
  if (!PLURAL.test(one)) return `${/^[aeiou]/i.test(one) ? "an" : "a"} ${one}`;
  return /^(?:two|three|four|five)$/.test(of) ? `${of} ${one}` : one;
}
