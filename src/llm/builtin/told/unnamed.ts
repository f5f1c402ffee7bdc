/**
 * Whether a clause speaks of something as if whoever hears it knew which: "my studio", "a tournament", "I met Amy".
 * In its conversation one does; a year later nobody knows of what, who or where. Pure; English.
 */

const NAME = "\\p{Lu}[\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+)?";
const SOMEBODY = "an? (?:[\\w-]+ ){0,2}(?:woman|man|guy|girl|boy|person|lady|couple)";
/** Nothing behind it says which: neither a name nor "of", "for", "at". */
const ENDS = `(?!, ?["“\\p{Lu}])(?=$|[,.;!?]| (?:yesterday|today|tonight|last|this|next|on|and|but|so|since|is|was|has)\\b)`;
const ADJECTIVE =
  "own|big|first|second|third|fourth|fifth|last|next|recent|major|small|local|huge|international|national|regional";

const KINDS_ALONE = [
  // Who that is, or what they did, is cut off.
  `\\bmet (?:up )?(?:with )?(?:${NAME}|${SOMEBODY}(?:, (?:named |called )?${NAME})?)(?: (?:at|in|on|near|by|during|last|yesterday|today)\\b[^,]*)?$`,
  `\\b[Mm]y (?:own )?(?:studio|store|shop|company|channel|class|business)\\b${ENDS}`,
  `\\b(?:[Mm]y|an?|another) (?:(?:${ADJECTIVE}) )*(?:tournament|tourney|competition|contest|match|race)\\b${ENDS}`,
  `\\bplaying professionally\\b(?=$|[,.;!?]| for (?:just|about|almost|over|a|\\d))`,
  // Of what.
  `\\b(?:critiques?|feedback)\\b(?![^,;]* (?:on|about|of)\\b)`,
  `\\bsince (?:the )?launch\\b`,
  `\\bmy (?:plans\\b(?! (?:to|for)\\b)|next move\\b)`,
  `\\bimproved by (?:about )?[\\d.]+%(?! (?:in|on|at)\\b)`,
  // What it was like is not what it was.
  `\\bnot-so-\\w+|\\bbad spot\\b`,
].map((kind) => new RegExp(kind, "u"));

export function isOnlyKind(clause: string): boolean {
  return KINDS_ALONE.some((alone) => alone.test(clause));
}
