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

/** As others tell it: "their weather app"; undefined where none is named, or more than one. */
export function workIn(message: string): string | undefined {
  const prose = message.replaceAll("’", "'").replace(/```[\s\S]*?(?:```|$)/g, " ");
  const names = [...prose.matchAll(NAMED)].map(([, mine, known]) =>
    mine === undefined ? `the ${known}` : `their ${mine}`,
  );
  const [first] = names;
  return new Set(names.map((name) => name.toLowerCase())).size === 1 ? first : undefined;
}

/** Nothing says of which. */
const UNNAMED = /\b(?:their|the) (?:project|app|application|site|website)\b/;
/** Of something that is not named. */
const PART =
  /\b(?:their|the) (?:[\w'-]+ ){0,2}(?:section|gallery|page|component|modal|module|endpoint|checklist|form|layout|navbar|footer|backend|frontend|schema|codebase|repository|tests?|configuration|version)\b/i;
/** Of what it is one is what would tell. */
const VERSION = /\b(?:on|a|the) (?:release |version )v?\d/i;
const SOME_THING = new RegExp(`\\b(?:${THING})\\b`, "i");

/** With what the work is on; undefined where that must be known and is not. */
export function ofWork(text: string, work: string | undefined): string | undefined {
  if (!isOfWork(text)) return text;
  if (work !== undefined && UNNAMED.test(text)) return text.replace(UNNAMED, work);
  if (UNNAMED.test(text)) return undefined;
  if (SOME_THING.test(text)) return text;
  if (work === undefined) return PART.test(text) || VERSION.test(text) ? undefined : text;
  return text.replace(/([.!?]?)$/, ` (working on ${work})$1`);
}
