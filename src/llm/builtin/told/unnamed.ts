/**
 * Whether a clause speaks of something as if whoever hears it knew which: "my studio", "a tournament", "I met Amy".
 * In its conversation one does; a year later nobody knows of what, who or where. Pure; English.
 */

const NAME = "\\p{Lu}[\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+)?";
const SOMEBODY = "an? (?:[\\w-]+ ){0,2}(?:woman|man|guy|girl|boy|person|lady|couple)";

const KINDS_ALONE = [
  // Who that is, or what they did, is cut off.
  new RegExp(
    `\\bmet (?:up )?(?:with )?(?:${NAME}|${SOMEBODY}(?:, (?:named |called )?${NAME})?)(?: (?:at|in|on|near|by|during|last|yesterday|today)\\b[^,]*)?$`,
    "u",
  ),
  /\bmy (?:own )?(?:studio|store|shop|company|channel|class|business)\b(?! (?:of|for|called|named|in [A-Z])\b)/,
  /\b(?:my|an?|another) (?:(?:own|big|first|second|third|fourth|fifth|last|next|recent|major|small|local|huge|international|national|regional) )*(?:tournament|tourney|competition|contest|match|race)\b(?! (?:for|of|in|about|against|called|between)\b)/,
  // Of what.
  /\b(?:critiques?|feedback)\b(?! (?:on|about|of)\b)|\bsince (?:the )?launch\b|\ba list of\b|\b(?:all )?my plans\b(?! (?:to|for)\b)|\bmy next move\b|\bplaying professionally\b|\blimited edition line\b(?! of\b)|\bimproved by (?:about )?[\d.]+%(?! (?:in|on|at)\b)/,
  // What it was like is not what it was.
  /\bnot-so-\w+|\bbad spot\b/,
];

export function isOnlyKind(clause: string): boolean {
  return KINDS_ALONE.some((alone) => alone.test(clause));
}
