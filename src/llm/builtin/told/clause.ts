/**
 * The statements of a sentence that begin with whoever says it: each without what only leads up to it, and
 * cut where it goes on about something else. What is left is said by the sentence as it stands.
 *
 * Pure; English.
 */

export interface Clause {
  /** Begins with who it is about: "I …", "My …". */
  words: string;
  /** When it was so, where the sentence begins with that: "last Friday". */
  when: string;
}

const GREETING =
  /^(?:hey|hi|hello|oh|ooh|wow|whoa|yeah|yea|yes|yep|yup|no|nope|nah|well|so|and|but|also|anyway|anyways|actually|honestly|truthfully|haha|lol|hmm|ok|okay|sure|cool|great|nice|awesome|aww?|ah|by the way|btw|guess what|fyi|luckily|thankfully|unfortunately|fortunately|sadly|finally|personally|in fact|of course|plus|besides|then|since then|thanks?(?: you)?(?: (?:so much|a lot|again))?|good (?:morning|evening|night)|morning|for me|as for me|me too|same here|congrats|long time no (?:see|talk)|first|second|next(?! (?:week|month|year|spring|summer|fall|autumn|winter|\w+day|\w+(?:ber|ary|ch|il|ust)|may|june|july)\b)|overall|apparently|definitely|absolutely|exactly|right|anyhow|however|otherwise|additionally|furthermore|moreover|meanwhile|best of all|good (?:news|idea|point))(?:[,!.:…]{1,3}| [-–—]{1,2})? /i;
/** Only behind a comma or a mark: else it is who is spoken of. */
const CALLED =
  /^(?!(?:Yesterday|Today|Tonight|Tomorrow|Recently|Lately|Currently|Nowadays|Now)\b)\p{Lu}[\p{L}'’]{1,19}(?:[,!:]| [-–—]) /u;
/** What only says that something is going to be said. */
const FRAME =
  /^(?:I(?:['’]m| am) (?:so |really |super |very |just )?(?:excited|happy|thrilled|glad|pleased|proud|stoked|pumped) to (?:tell|share|announce|say|let)(?: you)?(?: know)?(?: with you)?(?: that)?:?|(?:I )?just wanted to (?:let you know|tell you|share|say)(?: with you)?(?: that)?|(?:I )?wanted to (?:let you know|tell you|share|say)(?: with you)?(?: that)?|I (?:have|need|had|gotta|must) (?:to )?(?:tell you|share|admit|say|confess)(?: with you)?(?: that)?|I (?:should|can|must) mention(?: that)?|just so you know,?|for (?:context|reference|background),?|as you know,?|did I tell you(?: that)?|please remember that|remember that|(?:the )?(?:good|big|great) news(?: is)?(?: that)?[,:]?) (?=(?:I|my|we)\b)/i;

const MONTH = "january|february|march|april|may|june|july|august|september|october|november|december";
const UNITS = "days?|weeks?|weekends?|months?|years?";
const DAYS = "mon|tues|wednes|thurs|fri|satur|sun";
const WHEN = new RegExp(
  `^((?:(?:just |only )?yesterday|the day before yesterday|today|tonight|this (?:morning|afternoon|evening|week|weekend|month|year)|(?:last|next) (?:night|week|weekend|month|year|spring|summer|fall|autumn|winter|(?:${DAYS})day|${MONTH})|on (?:${DAYS})day|(?:in|on|since) (?:\\d{4}|(?:${MONTH})\\b[^,]{0,12})|(?:a|an|one|two|three|four|five|six|\\d+) (?:${UNITS}) ago|recently|lately|currently|right now|these days|nowadays|the other day|now))(?:,\\s*|\\s+)(?=(?:I|my)\\b)`,
  "i",
);

/** What is spoken of from here on is something else, or somebody: the statement ends before it. */
const TURNS = new RegExp(
  [
    String.raw` [-–—]{1,3} |[;…]|\.{3}| ?\((?!\d)|: |!| (?=\p{Extended_Pictographic})`,
    // A word with which something else begins.
    String.raw`,? (?:but|because|'cause|cuz|although|though|whereas|so|which|who|whose|whom|where|while|whenever|when|once|even though|unlike|given|considering|especially|can you|could you|would you|do you|how about|how do|what do|right|you know|let me|please|any (?:ideas|tips|advice|suggestions|thoughts))(?![\w'-])`,
    String.raw`,? cause (?=(?:I|it|we|they|he|she)\b)`,
    String.raw`,? since (?!I was (?:a|an|in|\d|young|little|born|very))(?=(?:I|it|we|they|he|she|that|the)\b)`,
    String.raw`,? as (?=(?:I|it|we|they|he|she|well|if|that|this)\b)`,
    String.raw`,? and (?=(?:I|it|he|she|they|we|you|that|this|there|my|the|now|then|so|can|could|would|am|was|is|are|were|our|your|hope|hoping|wonder|wondering|thinking|think|trying|looking|feel|felt|want|wanted|need|not|how|what|if|maybe|her|his|their|its)\b)`,
    String.raw`, and (?=(?:after|before|during|since|despite|for|by|with|once)\b)`,
    String.raw`,? and (?=\w+ (?:it|them|him|her)\b)`,
    String.raw`,? or (?=(?:should|if|I|is|do|maybe|not|whether)\b)`,
    String.raw`, (?:it|he|she|they|you|we|I|this|that|the|there|what|plus|then|yet|not|even|too|thanks|making|giving|thinking|hoping|wondering|including|huh|lol|haha|actually|honestly|man|dude|bro|guys|if|as|like|with|after|before|until|unless|feeling|being|having|leaving|allowing|showing)\b`,
  ].join("|"),
  "iu",
);
/** Of what somebody likes every part is so. */
const LIKES = /^I (?:\w+ )?(?:like|love|enjoy|prefer|hate|dislike)\b/i;
/** Nothing turns inside of one. */
const TITLE = /["“][^"“”]{1,80}["”]/g;
/** Said only under a condition. */
const DEPENDS = /^(?:,?\s+)?(?:if|unless|or|until|depending|assuming|as long as|whether)\b/i;
const LEAST_WORDS = 3;
/** What happened there is what they tell: "I had a game where we came back". */
const HAD_ONE = /^I(?:'ve)? had an? /;
/** With no comma before it this says which are meant: "folks who lost their jobs". That they need it says little. */
const WHICH_ONES = /^ who(?:m|se)? (?!needs?\b)/i;
/** What is theirs they have, whatever it is like. */
const HAS_SOME = /^I(?:'ve)? (?:have|got|have got) /;

/** What begins in a sentence with "I" or "my", in order. `names`: of those who speak with one another. */
export function clausesOf(sentence: string, names: readonly string[] = []): Clause[] {
  const said = withSubject(withoutCalled(plainly(sentence), names));
  const begins = [0, ...[...said.matchAll(ANEW)].map(({ 0: joint, index }) => index + joint.length)];
  const clauses = begins.flatMap((from) =>
    HANGS.test(said.slice(0, from)) ? [] : (clauseOf(said.slice(from)) ?? []),
  );
  // "Last week, I …" begins twice, once with when it was.
  return clauses.filter(({ words }, index) => clauses.findIndex((one) => one.words === words) === index);
}

/** Chat leaves out who did it: "Lost my job", "Been volunteering". */
const SUBJECTLESS =
  /^((?:just |also |finally |recently )?)(?:(been (?:so |really |super )?(?:busy )?(?:with )?\w+ing)|((?:lost|got|started|quit|went to|took|bought|sold|met|joined|finished|gave|moved|visited|attended|wrote|painted|taught|decided|celebrated|adopted|opened|launched)))\b(?= )/i;

function withSubject(sentence: string): string {
  const led = withoutLead(sentence);
  const [head = "", , been, did] = SUBJECTLESS.exec(led) ?? [];
  if (been !== undefined) return `I've ${lower(head)}${led.slice(head.length)}`;
  // Of what is theirs nobody else can be meant.
  if (did !== undefined && /\bmy\b/.test(led)) return `I ${lower(head)}${led.slice(head.length)}`;
  return sentence;
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

const TAKEN_IN =
  /\b(adopted|bought|got|found|met|made|painted|drew|wrote|built) this (?!(?:with|for|in|on|at|to|by|from|and|as|after|before|since|so|too|all|last|once|one|thing|myself|while|when|because|recently|just|yesterday|today|morning|afternoon|evening|week|weekend|month|year)\b)(?=(\p{Ll})\p{Ll}* ?\p{Ll})/gu;
const PRAISE = /\ban? (?:(?:amazing|incredible|awesome|crazy|lovely|wonderful)(?:,? and )? ?)+(?=(\p{Ll}))/gu;

const A_DREAM =
  /^(?:\w+ing [^—–-]{1,40} [—–-] )?it(?:'s| has| is) (?:always )?(?:been )?(?:a|my) (?:\w+ )?dream(?: of mine)? to (?=\p{Ll})/iu;

/** With plain marks; what was shown beside it is "a", and how good it was is left out. */
function plainly(sentence: string): string {
  return sentence
    .replaceAll("’", "'")
    .trim()
    .replace(TAKEN_IN, (_all, did: string, next: string) => `${did} ${articleBefore(next)} `)
    .replace(PRAISE, (_all, next: string) => `${articleBefore(next)} `)
    .replace(/\b(joined|visited|attended) a (?:nearby|local) /g, "$1 a ")
    .replace(A_DREAM, "My dream is to ")
    .replace(/\blater (?=this (?:week|month|year)\b)/g, "")
    .replace(/\bbeen (?:so |really |super |pretty )?busy (?:with )?(?=\w+ing\b)/g, "been ");
}

function articleBefore(letter: string): string {
  return /[aeiou]/.test(letter) ? "an" : "a";
}

/** Where another statement may begin. */
const ANEW =
  /(?:[:;] | [-–—]{1,3} |, (?:(?:and|but|so|yes|no|then|honestly|because|since)\b,? ){0,2}| (?:and|but|because) |(?:^|, )(?:everyone|everybody|they all|you) knows? (?:that )?|\b(?:ever )?since (?=I (?:started|began|moved|got|joined|became|was (?:a|an|\d))\b)|^I (?:said|say|must say|'d say|told (?:him|her|them|my \w+))(?: that)? |^I'd say )(?=(?:I|my)\b)/gi;
/** What stands behind one of these is so on a condition, for somebody else, or not at all. */
const HANGS =
  /\b(?:if|unless|whether|when|whenever|until|imagine|suppose|wish|would|could|might|as long as|assuming|in case|not sure|unsure|wonder(?:ing)?|doubt|don't think|didn't think|he|she|says|quote|example|like)\b|["“]/i;

/** Undefined where it begins with somebody or something else. */
function clauseOf(sentence: string): Clause | undefined {
  const led = withoutLead(sentence);
  const [lead = "", when = ""] = WHEN.exec(led) ?? [];
  const body = led.slice(lead.length);
  if (!/^(?:I|my)\b/i.test(body)) return undefined;
  const words = cut(body)?.replace(UNNAMED, "");
  if (words === undefined) return undefined;
  const day = when === "" ? WEEKDAY.exec(words) : null;
  if (day !== null) return { words: words.slice(0, day.index), when: day[1] ?? "" };
  const now = when === "" ? NOW.exec(words)?.[0] : undefined;
  if (now === undefined) return { words, when: when.toLowerCase().replace(/^(?:just|only) /, "") };
  const rest = words.replace(NOW, "").replace(/ {2,}/g, " ").trim();
  if (NAMES_A_DATE.test(rest)) return { words: rest, when: "" };
  // Told at its end, where a date can stand in its place.
  const isGoingOn =
    /^I(?:'m|'ve been| am| have been)\b/.test(rest) ||
    /\b(?:current|now|moment|present|nowadays|days)/i.test(now);
  return { words: rest, when: isGoingOn ? "now" : "recently" };
}

/** At its end, so that it can be left out where nobody can tell which it is. */
const WEEKDAY =
  /,? ((?:last|next|this|this past|on) (?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)(?:day|nesday|sday|urday)?)$/i;

/** Which it is of several nobody is told by it. */
const UNNAMED = / (?:for|in|on|of) my (?:current )?(?:projects?|application|app|code|codebase)\b/g;

const NAMES_A_DATE = new RegExp(`\\b(?:19|20)\\d\\d\\b|\\b(?:${MONTH}) \\d`, "i");

const NOW =
  /\b(?:currently|right now|at the moment|at present|presently|nowadays|these days|(?<!\b(?:from|for|until|by) )now|recently|lately)\b,?/i;

function withoutLead(sentence: string): string {
  for (const lead of [GREETING, CALLED, FRAME]) {
    const rest = sentence.replace(lead, "");
    if (rest !== sentence && rest !== "") return withoutLead(rest);
  }
  return sentence;
}

/** "…, Gina!" */
function withoutCalled(sentence: string, names: readonly string[]): string {
  const [, rest = "", last = ""] = /^(.+), (\p{Lu}[\p{L}']+)[\s.!?~]*$/su.exec(sentence) ?? [];
  const isCalled = names.some((name) => last.length > 1 && name.toLowerCase().startsWith(last.toLowerCase()));
  return isCalled ? rest : sentence;
}

/** "I prefer paper books, or I'll never sleep": what they like holds either way. */
function isOtherwise(body: string, at: number): boolean {
  return LIKES.test(body) && /^,? or (?=I\b)/.test(body.slice(at));
}

function cut(body: string): string | undefined {
  const open = body.replace(TITLE, (title) => "_".repeat(title.length));
  let from = 0;
  for (;;) {
    const turn = TURNS.exec(open.slice(from));
    if (turn === null) break;
    const at = from + turn.index;
    // What stands behind a colon says what was meant.
    if (
      (DEPENDS.test(body.slice(at)) && !isOtherwise(body, at)) ||
      (turn[0].startsWith(":") && !LIKES.test(body))
    )
      return undefined;
    const head = body.slice(0, at);
    if (HAD_ONE.test(head) && /^ (?:where|who|which)\b/.test(turn[0])) return undefined;
    if (WHICH_ONES.test(body.slice(at)) && !HAS_SOME.test(head)) {
      from = at + turn[0].length;
      continue;
    }
    if (head.trim().split(/\s+/).length >= LEAST_WORDS) return ended(head);
    // Too little stands before it: "So, I …" is no statement.
    if (!/^[!:;…]|^\s+[-–—]/.test(turn[0])) return undefined;
    from = at + turn[0].length;
  }
  if (/,?\s(?:if|unless|until|depending on|assuming|as long as|whether)\b/i.test(body)) return undefined;
  return ended(body);
}

const TRAILING =
  /(?:,? (?:too|as well|though|btw|by the way|of course|lol|haha+|anyway|so far|already|as always|for sure|at all|specifically|especially|including|such as|like|because|as|right now|now|and|or|with|to|the|a|an))$/i;

/** Without the marks at its end, but for one that closes a quotation. */
export function withoutMarks(text: string): string {
  let end = text.length;
  while (end > 0 && " ,.!?~–—-\n".includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Without what is left hanging at its end. */
function ended(text: string): string | undefined {
  let words = withoutMarks(text);
  while (TRAILING.test(words)) words = words.replace(TRAILING, "").trim();
  // What was to be shown stands behind it.
  if (words.endsWith(":")) return undefined;
  // A mark of quotation without its other one.
  if (((words.match(/["“”]/g) ?? []).length & 1) === 1) return undefined;
  return words.split(/\s+/).length < 3 ? undefined : words;
}
