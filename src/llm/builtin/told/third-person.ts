/**
 * What somebody says of themselves, told by another: "I've lost my job" is "Jon has lost their job".
 * In the place of the first "I" stands the name; behind it "they" is that person.
 *
 * Pure; English. Undefined rather than wrong: a verb that is not known is not bent.
 */

import { COUNTED_BY_ROMANS } from "../../../text/deictic-words.js";

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Verbs whose form is the same said of anybody. */
const IRREGULAR_PAST = words(`
  was were had did went got came met saw made took began bought brought built caught chose cut drew drank drove
  ate fell felt found flew forgot gave grew heard held hit kept knew learnt led left lent let lost meant paid put
  quit read rode rang rose ran said sold sent set shot sang sat slept spoke spent stood stole stuck swam taught
  told thought threw understood woke wore won wrote became broke fought hid hurt laid split spread struck swore
  tore could would should might must may can will
`);
const PRESENT = words(`
  like love prefer hate dislike want need live work eat drink speak think know use play own run take enjoy sing
  write call hope plan keep come get make bake cook sleep sit wear drive ride feel believe code collect
  train start walk swim travel rent support follow manage lead build design teach study practice practise
  volunteer paint draw coach help grow raise listen watch attend go do have adore specialize specialise lift
  meditate jog hike garden knit sew photograph freelance commute struggle suffer avoid refuse tend try visit
  meet host handle maintain consider admire appreciate aim intend belong operate earn save owe pay
  spend buy sell share care dream bring find give serve act blog stream game camp fish hunt surf ski skate
  track journal exercise stretch dance perform compose record produce direct edit publish organize organise
`);
const HELPERS = /^(?:am|'m|are)$/;
/** Said along the way: without it the statement is the same. */
const ALONG =
  /^(?:just|actually|even|also|kinda|finally|definitely|honestly|literally|basically|really|totally|truly|absolutely|simply|ever|obviously|certainly|personally)\s+/i;
const OFTEN =
  /^(?:always|never|usually|often|sometimes|still|currently|recently|mostly|mainly|rarely|generally|typically|regularly|once|first|already|officially|successfully|accidentally|deeply|only|normally|frequently|occasionally)\s+/i;

/** `clause` begins with "I" or "my". */
export function inThirdPerson(clause: string, speaker: string): string | undefined {
  const plain = clause.replace(/\bgonna\b/gi, "going to").replace(/\bwanna\b/gi, "want to");
  const own = /^my (\p{L}[\p{L}'-]*(?: \p{L}[\p{L}'-]*){0,2}? and) I (.*)$/iu.exec(plain);
  if (own !== null)
    return joined(`${speaker} and their ${(own[1] ?? "").replace(/ and$/, "")}`, own[2] ?? "");
  const theirs = /^my (.*)$/i.exec(plain);
  if (theirs !== null) return joined(`${speaker}'s`, theirs[1] ?? "");
  // Two statements with nothing between them.
  if (/\s(?<!that )I'(?:m|ve|ll|d)\b/.test(plain)) return undefined;
  const said = /^I('m|'ve|'ll)? (.*)$/.exec(plain);
  if (said === null) return undefined;
  const bent = bentAfter(said[1] ?? "", said[2] ?? "");
  return bent === undefined ? undefined : joined(speaker, bent);
}

function bentAfter(ending: string, given: string): string | undefined {
  const rest = given.replace(ALONG, "").replace(ALONG, "").replace(/^now /i, "");
  if (ending === "'m") return `is ${rest}`;
  if (ending === "'ve") return `has ${rest.replace(/^got (?!\w+ed\b|to\b)/, "").replace(ALONG, "")}`;
  if (ending === "'ll") return `will ${rest}`;
  const often = OFTEN.exec(rest)?.[0] ?? "";
  const phrase = rest.slice(often.length).replace(ALONG, "");
  const verb = /^[\w']+/.exec(phrase)?.[0] ?? "";
  const behind = phrase.slice(verb.length);
  const form = formOf(verb);
  return form === undefined ? undefined : `${often}${form}${withSecond(verb, behind)}`;
}

function formOf(verb: string): string | undefined {
  const lower = verb.toLowerCase();
  if (HELPERS.test(lower)) return "is";
  if (lower === "have") return "has";
  if (lower === "don't") return "doesn't";
  if (lower === "haven't") return "hasn't";
  if (/^(?:didn't|wasn't|won't|can't|couldn't|hadn't)$/.test(lower)) return lower;
  if (IRREGULAR_PAST.has(lower) || /^[a-z]{2,}ed$/.test(lower)) return lower;
  return PRESENT.has(lower) ? third(lower) : undefined;
}

function third(verb: string): string {
  if (verb === "do" || verb === "go") return `${verb}es`;
  if (/(?:s|x|z|ch|sh)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

/** "I cook and bake": the second verb as well. */
function withSecond(first: string, behind: string): string {
  if (!PRESENT.has(first.toLowerCase())) return behind;
  const next = / and (\w+)/.exec(behind)?.[1] ?? "";
  // "I practise and train": a verb or not, nobody can tell.
  if (NOUNS_TOO.has(next) && PRESENT.has(next)) return behind.replace(/ and .*$/s, "");
  return behind.replace(
    /( and (?:(?:always|never|usually|often|also|really) )?)([a-z]+)\b/g,
    (all, and: string, verb: string) =>
      PRESENT.has(verb) && !NOUNS_TOO.has(verb) ? `${and}${third(verb)}` : all,
  );
}

/** "salads and drinks" is no verb, "friends and work" neither. */
const NOUNS_TOO = words(`
  work drink love plan call sleep walk swim train design code support hope run play start need use travel help garden
  game camp fish surf ski skate dance record film share care dream journal track stream exercise practice study hike
`);

function joined(subject: string, rest: string): string {
  const [who = ""] = subject.split(/'s$| and their /);
  return `${subject} ${asThey(rest.replace(BESIDE_OTHERS, `$1${who}'s`))}`;
}

/** "they" might be these. */
const BESIDE_OTHERS =
  /(\b(?:people|others|friends|kids|children|students|fans|parents|women|men|guys|folks|clients|customers|colleagues|strangers) (?:[\w'-]+ )*?)\bmy\b/i;

/** "type I" and "Book I" are nobody. */
const ROMAN = new RegExp(`(?<!\\b(?:${COUNTED_BY_ROMANS.join("|")}) )\\bI\\b`, "gi");

/** What somebody says of themselves behind their name. */
export function asThey(text: string): string {
  return text
    .replace(/\bI'm\b/g, "they're")
    .replace(/\bI've\b/g, "they've")
    .replace(/\bI'll\b/g, "they'll")
    .replace(/\bI'd\b/g, "they'd")
    .replace(/\bI am\b/g, "they are")
    .replace(/\bI was\b/g, "they were")
    .replace(ROMAN, (one) => (one === "I" ? "they" : one))
    .replace(/\bmyself\b/g, "themselves")
    .replace(/\bmy\b/gi, "their")
    .replace(/\bmine\b/g, "theirs")
    .replace(/\bme\b/g, "them");
}
