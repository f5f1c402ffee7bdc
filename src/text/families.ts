/**
 * Words of one family: allergy and allergic, decide and decision, which no stemmer brings together. What
 * may stand for a word is made by rule and by a list of what no rule makes; most of it is no word at all,
 * so that a vocabulary has to say which of it there is. Pure.
 */

/** Ends that stand for each other, of English. */
const ENDS: readonly (readonly string[])[] = [
  ["y", "ic", "ical", "etic"],
  ["ide", "ision", "isive"],
  ["ude", "usion", "usive"],
  ["ade", "asion", "asive"],
  ["ode", "osion", "osive"],
  ["end", "ension", "ense", "ent"],
  ["ert", "ersion"],
  ["mit", "mission", "missive"],
  ["ceed", "cession", "cess", "cede"],
  ["scribe", "scription", "script"],
  ["ceive", "ception", "ceipt", "ceit"],
  ["sume", "sumption"],
  ["solve", "solution"],
  ["volve", "volution"],
  ["duce", "duction", "duct"],
  ["stroy", "struction"],
  ["fy", "fication", "faction"],
  ["ply", "plication", "pliance"],
  ["ain", "anation", "enance", "ention"],
  ["pete", "petition", "petitor"],
  ["peat", "petition"],
  ["quire", "quisition", "quirement"],
  ["pose", "position", "posal"],
  ["tain", "tention", "tenance"],
  ["vent", "vention"],
  [
    "e",
    "ation",
    "ition",
    "ion",
    "ative",
    "al",
    "ment",
    "ance",
    "ence",
    "er",
    "or",
    "y",
    "age",
    "ous",
    "ity",
    "ing",
    "en",
  ],
  ["ate", "ation", "ator", "ative", "acy"],
  [
    "",
    "ation",
    "ition",
    "ion",
    "ment",
    "ness",
    "al",
    "ance",
    "ence",
    "er",
    "or",
    "ist",
    "ism",
    "ian",
    "ship",
  ],
  [
    "",
    "y",
    "ly",
    "ful",
    "less",
    "ous",
    "ish",
    "ic",
    "ive",
    "age",
    "ity",
    "en",
    "th",
    "t",
    "hood",
    "dom",
    "ee",
  ],
  ["ant", "ance", "ancy"],
  ["ent", "ence", "ency"],
  ["able", "ability"],
  ["ible", "ibility"],
  ["ous", "osity", "ousness"],
  ["ious", "y", "ion", "iety", "iness"],
  ["y", "iness", "ial", "iage", "iance", "ier", "ious", "iful", "ily"],
  ["ic", "ician", "icity", "ically"],
  ["ise", "isation"],
  ["ize", "ization"],
  ["se", "ce"],
  ["se", "sis", "tic", "st"],
  ["ology", "ological", "ologist"],
  ["ography", "ographic", "ographer"],
  ["ve", "f", "ft"],
  ["our", "or", "orous"],
  ["e", "iour", "ior"],
  ["", "ure", "ature", "iture"],
  ["e", "ure", "ature"],
];

/** What no end tells. */
const LISTED = `
choose choice chosen|wake awake woken|sleep asleep sleepy|shame ashamed|like alike likely|fly flight|sell sale|lose loss lost|believe belief|prove proof|succeed success|speak speech|live life alive
die death dead deadly|deep depth|long length lengthen|strong strength strengthen|wide width|broad breadth|high height|hot heat
sit seat|sing song singer|see sight|think thought|give gift|weigh weight|know knowledge|feed food|shoot shot|bleed blood
tell tale|do deed|strike stroke|breathe breath|bathe bath|clothe clothing clothes cloth|grieve grief|relieve relief|save safe safety
hunger hungry|anger angry|thirst thirsty|winter wintry|enter entry entrance|remember remembrance|hinder hindrance
pursue pursuit|complain complaint|restrain restraint|join joint|extend extent extension|respond response|defend defence defense
offend offence offense|compare comparison|pronounce pronunciation|maintain maintenance|obey obedience|repeat repetition
appear apparent appearance|able ability|poor poverty|proud pride|young youth|honest honesty|difficult difficulty|certain certainty
free freedom|wise wisdom|bored boredom boring|noise noisy|bear birth born|marry marriage|laugh laughter|receive receipt reception
include inclusion|exclude exclusion|describe description|sick sickness ill illness|warm warmth|true truth|grow growth|heal health healthy
steal stealth theft thief|run runner|win winner|swim swimmer|shop shopper|plan planner|gift gifted|day daily|week weekly|month monthly
year yearly annual|night nightly|friend friendship friendly|child childhood childish|mother maternal|father paternal|home homely
art artist artistic|science scientist scientific|music musician musical|piano pianist|violin violinist|guitar guitarist|magic magician
politics politician political|library librarian|history historian historical|vegetable vegetarian|dentist dental teeth|doctor medical medicine
nation national|race racial|face facial|office official|benefit beneficial|finance financial|space spatial|part partial|use usage useful
sun sunny|fun funny|mud muddy|fog foggy|fat fatty|bag baggage|luggage lug|pack package|store storage|short shortage shorten
operate operation surgery|employ employee employer employment|pay payment payee|train trainee training|absent absence|present presence
patient patience|silent silence|violent violence|distant distance|important importance|pregnant pregnancy|urgent urgency|frequent frequency
fluent fluency|efficient efficiency|private privacy|accurate accuracy|pirate piracy|secret secrecy|literate literacy|urge urgent
beauty beautiful beautify|duty dutiful|pity pitiful|plenty plentiful|mercy merciful|fancy fanciful|bounty bountiful|envy envious
courage courageous|advantage advantageous|outrage outrageous|religion religious|ambition ambitious|caution cautious|nutrition nutritious
fame famous|nerve nervous|danger dangerous|mystery mysterious|adventure adventurous|disaster disastrous|monster monstrous|humour humorous
rely reliable reliance|vary various variety variation variable|apply application applicant|supply supplier|carry carrier|deny denial
try trial|bury burial|betray betrayal|deliver delivery|recover recovery|discover discovery|master mastery|brave bravery|rob robbery robber
bake bakery baker|brew brewery|fish fishery|nurse nursery|slave slavery|trick trickery|machine machinery|scene scenery|jewel jewelry
italy italian|china chinese|japan japanese|spain spanish spaniard|germany german|france french|england english|sweden swedish swede
poland polish pole|turkey turkish turk|greece greek|russia russian|america american|mexico mexican|norway norwegian|denmark danish dane
finland finnish finn|portugal portuguese|switzerland swiss|netherlands dutch holland|europe european|asia asian|africa african|canada canadian
brazil brazilian|india indian|korea korean|vietnam vietnamese|thailand thai|ireland irish|scotland scottish|wales welsh|australia australian
peru peruvian|egypt egyptian|israel israeli|iran iranian|iraq iraqi|cuba cuban|argentina argentinian|chile chilean|ukraine ukrainian
hungary hungarian|austria austrian|belgium belgian|czechia czech|taiwan taiwanese|hawaii hawaiian|paris parisian|rome roman|venice venetian`;

/** The others of a word's family that no end tells. */
export const LISTED_FAMILIES: ReadonlyMap<string, readonly string[]> = listedIn(LISTED);
const SHORTEST_ROOT = 3;
const LONG_END = 4;
/** The word itself, what it is made of, and what that makes. */
const MOST_FORMS = 400;

/** Of a word in small letters; nothing of one that is too short to tell. */
export function familyOf(word: string): ReadonlySet<string> {
  const found = new Set<string>(LISTED_FAMILIES.get(word));
  // What it is made of first: what that makes in turn is further away.
  const near = madeFrom(word);
  for (const form of near) found.add(form);
  for (const form of near) {
    for (const listed of LISTED_FAMILIES.get(form) ?? []) found.add(listed);
    if (found.size < MOST_FORMS && form.length < word.length)
      for (const far of madeFrom(form)) found.add(far);
  }
  found.delete(word);
  return found;
}

function madeFrom(word: string): Set<string> {
  const found = new Set<string>();
  for (const ends of ENDS)
    for (const end of ends) {
      if (!word.endsWith(end) || word.length - end.length < shortestRoot(end)) continue;
      const root = word.slice(0, word.length - end.length);
      for (const other of ends) if (other !== end) for (const form of joined(root, other)) found.add(form);
    }
  return found;
}

/** A long end is a word by itself: solve, and dissolve. */
function shortestRoot(end: string): number {
  return end.length < LONG_END ? SHORTEST_ROOT : 0;
}

/** As they are written together: run + er is runner, and runner without er is run. */
function joined(root: string, end: string): string[] {
  const last = root.at(-1) ?? "";
  const isDouble = root.at(-2) === last && /[bdglmnprt]/.test(last);
  if (end === "") return isDouble ? [root, root.slice(0, -1)] : [root];
  const doubled = /[aeiou][bdglmnprt]$/.test(root) && /^[aeiouy]/.test(end) ? [`${root}${last}${end}`] : [];
  return [`${root}${end}`, ...doubled];
}

function listedIn(list: string): Map<string, string[]> {
  const families = new Map<string, string[]>();
  for (const line of list.trim().split(/[|\n]/)) {
    const words = line.split(" ");
    for (const word of words)
      families.set(word, [...(families.get(word) ?? []), ...words.filter((other) => other !== word)]);
  }
  return families;
}
