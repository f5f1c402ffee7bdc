/**
 * Whether a sentence needs the one before it to be understood: "It was worth it", "她同意了". Pure; English and
 * Chinese. It looks at what stands in place of a name or a thing that the sentence does not tell itself.
 */
import { isHan } from "./cues.js";

const LEAD =
  /^(?:(?:and|but|so|well|yeah|yes|oh|also|then|plus|because|though|still|anyway|honestly|wow|haha)[,!.]? )+/i;
const OPENS =
  /^(?:it|this|that|these|those|he|she|they|there's one|one of them|both|her|his|their|him|them|which|the (?:same|other|first|second|former|latter|rest))\b(?!['’]s (?:important|hard|easy|time|true|a pity|raining|cold|hot|late|early|been a (?:dream|while)))/i;
/** Where somebody is named, "he" is they. */
const SOMEBODY =
  /(?<=\S\s)\p{Lu}\p{Ll}+|\b(?:mom|mum|mother|dad|father|brother|sister|son|daughter|wife|husband|friend|boss|teacher|man|woman|guy|girl|boy|kid|dog|cat|baby|colleague|neighbou?r|doctor|aunt|uncle|grandma|grandpa|cousin|partner|girlfriend|boyfriend|coach|mentor)s?\b/u;
const ONE_OF_THEM = /\b(?:he|she|him|her|his|hers)\b/i;
const SEVERAL = /\b(?:they|them|their|theirs)\b/i;
const OPENS_HAN = /^(?:[它他她]们?|这[个些样是]?|那[个些样是]?|其中|其|前者|后者)/u;

export function needsTheOneBefore(text: string): boolean {
  if (isHan(text))
    return OPENS_HAN.test(text.replace(/^(?:而且|但是?|所以|然后|不过|另外|对|嗯)[，, ]?/u, ""));
  const plain = text.replaceAll("’", "'").replace(LEAD, "");
  if (OPENS.test(plain)) return true;
  const pointer = ONE_OF_THEM.exec(plain);
  if (pointer !== null && !SOMEBODY.test(plain.slice(0, pointer.index))) return true;
  const several = SEVERAL.exec(plain);
  return (
    several !== null &&
    !/(?<!\p{L})(?:\p{L}{3,30}s|people|kids|children|everyone|who|family|team|men|women)\b/u.test(
      plain.slice(0, several.index),
    )
  );
}
