/**
 * What somebody works on, where one of their sentences names it ("my weather app") and another tells only of a
 * part of it ("I've added a cache"): a year later nobody knows of what. Pure; English.
 */
import { isOfWork } from "./matters.js";

const THING =
  "app|application|site|website|project|dashboard|portfolio|tracker|plugin|bot|blog|platform|game|paper|essay|thesis|dissertation|novel|screenplay|resume|cover letter|personal statement";
/** Says nothing of which. */
const ANY_WORD =
  "own|new|current|whole|entire|existing|next|first|single|latest|final|same|full|local|old|big|small|simple|main|overall|second|last|previous|other|different|favou?rite|best|recent|upcoming|actual|real|good|great|little|of|for|in|on|to|and|with|my|our|your|his|her|their|its|the|an?|is|are|was|that|this|those|such|or|at|by|from|about|into|code|team|group|school|work";
const WHICH = `(?:(?!(?:${ANY_WORD}) )[A-Za-z][\\w.+#-]* ){1,3}`;
/** What is called so is not part of another name: "my blog post". */
const ENDS =
  "(?=[.,;:!?)]|$| (?:and|but|so|that|which|with|using|on|in|for|to|by|is|has|because|from|while|when|where|at|as|since|uses|needs|we|I)\\b)";
const NAMED = new RegExp(`\\b(?:[Mm]y (${WHICH}(?:${THING}))|[Tt]he (${WHICH}project))${ENDS}`, "g");

/** Nothing says of which. */
const UNNAMED = /\b(?:their|the) (?:project|app|application|site|website)\b/;
/** Of something that is not named. */
const PART =
  /\b(?:(?:their|the) (?:[\w'-]+ ){0,2}|(?:added|adding|wrote|cut|revised|drafted) (?:an? |\d+ )(?:[\w'-]+ ){0,2})(?:draft|chapters?|paragraphs?|introduction|conclusion|outline|metaphors?|transitions?|examples?|quotes?|section|gallery|page|component|modal|module|endpoint|checklist|form|layout|navbar|footer|backend|frontend|schema|codebase|repository|tests?|configuration|version)\b/i;
/** Of what it is one is what would tell. */
const VERSION = /\b(?:on|a|the) (?:release |version )v?\d/i;
/** Of the work itself, or of its schema? */
const OF_ITS_PART = /\bon version v?\d/i;
/** Tools and parts of programs: which they are used for is what would tell. */
const OF_PROGRAM =
  /\b\p{Lu}(?=[A-Za-z.-]{0,30}[a-z])[A-Za-z.-]{0,30} ?\d{1,3}\.\d(?![\d.]* (?:million|billion|%))|\bv\d{1,3}(?:\.\d{1,3}){0,3}\b|\b(?:API|HTTP|CORS|CSRF|CSS|HTML|SQL|JSON|CI\/CD|CLI|SDK|ORM|DOM|CDN)\d?\b|\b(?:JavaScript|TypeScript|Python|GitHub|Docker|Flask\w*|Django|React|Node|Redis|Bootstrap|DevTools|[A-Z]\w+SQL|\w+\.js)\b|\b(?:backend|frontend|codebase|database|repository|endpoints?|navbar|caching|debounce|autocomplete|authentication|form validation|unit tests?|memory leaks?|commit messages?|pull requests?|static files?|components?)\b/u;
const SOME_THING = new RegExp(`\\b(?:${THING})\\b`, "i");

export interface Work {
  /** As others tell it: "their weather app". */
  name: string;
  /** Index of the message that names it. */
  at: number;
}

/**
 * What each of these messages tells of work on: what it names, else the only work that its speaker named before
 * it among them; undefined where that may be one or another. An undefined message is nobody's to tell of.
 */
export function worksIn(
  messages: readonly ({ name: string; text: string } | undefined)[],
): (Work | undefined)[] {
  const ofSpeakers = new Map<string, Work[]>();
  return messages.map((message, at) => {
    if (message === undefined) return undefined;
    const here = namesIn(message.text).reduce<Work[]>((works, name) => withWork(works, { name, at }), []);
    const known = here.reduce(withWork, ofSpeakers.get(message.name) ?? []);
    ofSpeakers.set(message.name, known);
    const [work, ...others] = here.length > 0 ? here : known;
    return others.length === 0 ? work : undefined;
  });
}

/** One that is called otherwise now is not told twice: "their single-page portfolio website" is "their portfolio site". */
function withWork(works: readonly Work[], work: Work): Work[] {
  const words = new Set(wordsOf(work));
  const isSame = (other: Work): boolean =>
    other.name.toLowerCase() === work.name.toLowerCase() || wordsOf(other).some((word) => words.has(word));
  return [...works.filter((other) => !isSame(other)), work];
}

/** Which of its kind it is. */
function wordsOf({ name }: Work): string[] {
  const words = name.replace(KIND, "").toLowerCase().split(" ").slice(1);
  return words.filter((word) => !OF_MANY.has(word));
}

const KIND = new RegExp(` (?:${THING})$`, "i");
/** Very many things are called so. */
const OF_MANY = new Set(
  "app site website project web personal react vue node flask django python javascript typescript".split(" "),
);

/** As others tell it: "their weather app". */
function namesIn(message: string): string[] {
  const prose = message.replaceAll("’", "'").replace(/```[\s\S]*?(?:```|$)/g, " ");
  return [...prose.matchAll(NAMED)].map(([, mine, known]) =>
    mine === undefined ? `the ${known}` : `their ${mine}`,
  );
}

/** What somebody has learned, or does for a living, lasts longer than any work. */
const LASTS =
  /\b(?:learn(?:ed|t|ing)|studying|course|degree|job|certificate|certified|bootcamp|taught|teach(?:es|ing)?)\b/i;
/** Of a tool, and of work only then. */
const OF_TOOL = /\b(?:looking into|drafted|(?:planning|decided) to use)\b/i;

/**
 * With what the work is on; undefined where that must be known and is not. `named`: in its own message, or before
 * it, which tells of work on a program and of nothing else.
 */
export function ofWork(text: string, named: string | undefined, isNamedHere: boolean): string | undefined {
  const isPart = PART.test(text);
  const isOfProgram = OF_PROGRAM.test(text) && !LASTS.test(text);
  if (!isOfWork(text) && !(OF_TOOL.test(text) && (isPart || isOfProgram))) return text;
  const work = isNamedHere || isOfProgram ? named : undefined;
  if (OF_ITS_PART.test(text)) return undefined;
  if (work !== undefined && UNNAMED.test(text)) return text.replace(UNNAMED, work);
  if (UNNAMED.test(text)) return undefined;
  if (SOME_THING.test(text)) return text;
  if (work === undefined) return isPart || isOfProgram || VERSION.test(text) ? undefined : text;
  return text.replace(/([.!?]?)$/, ` (working on ${work})$1`);
}
