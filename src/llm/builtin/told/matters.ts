/**
 * Which statements tell something of a person that is worth keeping: who they are, whom they live with,
 * where, what they work at, what they like, what they have done and mean to do. Each with what a
 * statement of its kind may not hold, so that it stands alone. Fewer and true.
 *
 * Data and its lookup; English. Statements begin with "I" or "my", in present or past.
 */

import { isOnlyKind } from "./unnamed.js";
import { DOING, DONE, KIN, OCCUPATION, PETS, ROLE, WORK } from "./words.js";

/** What lasts is a trait, what happened or is under way a fact. */
export interface Told {
  kind: "trait" | "fact";
  /** More is told first. */
  weight: number;
}

const say = (pattern: string): RegExp => new RegExp(pattern, "i");

const HAVE = "^I(?:'ve| have)? (?:just |recently |finally |also |already |even |officially )?";
const AM = "^I(?:'m| am|'ve been| have been) (?:also |currently |now |still |just |actively |busy )?";

/** What somebody is at for long, and what changes who they are. */
const LASTING: Patterns = [
  [
    2.8,
    say(
      `${HAVE}(?:got|gotten|been|was) (?:promoted|hired|fired|laid off|engaged(?! in)|married|divorced|diagnosed|elected|admitted (?:to|into)|accepted (?:to|into|for|at)|offered)\\b`,
    ),
  ],
  [
    2.8,
    say(
      `^my (?:${KIN}) and I (?:just |recently |finally )?(?:got|are|had|have|tied|moved|adopted|own|run)\\b`,
    ),
  ],
  [
    2.6,
    say(
      `${HAVE}(?:lost|quit|left|started|got|took|opened|launched|founded|run|own|landed|accepted) (?:a|an|my|my own|the) (?:[\\w'-]+ ){0,3}(?:${OCCUPATION})(?! (?:bag|books?|car|search|bus|card|trip|uniform|laptop|phone|lunch|offer|interview|fair)\\b)\\b`,
    ),
  ],
  [2.6, say(`^my (?:[\\w'-]+ ){0,2}(?:${OCCUPATION}) (?:is|has been|opened|was)\\b`)],
  [
    2.4,
    say(
      `${AM}(?:volunteering|teaching (?!nobody|no)|studying|coaching (?!nobody|no)|mentoring|fostering|interning|majoring|learning (?!about|more|from|that|new|a lot|a ton|so)|training for|running for (?!the|a |my)|working (?:as|at)|(?:writing|building|starting|opening|expanding|running|launching) (?:a|an|my|articles|books|poems|poetry|stories|songs|music|screenplays|scripts)\\b) ?\\S`,
    ),
  ],
  [
    2.4,
    say(
      `${HAVE}(?:joined|founded|enrolled in|graduated|retired|became|adopted|converted|signed up for) (?!.*\\b(?:call|meeting|session|chat|party|trip|tour|hike|zoom)\\b)\\S`,
    ),
  ],
  [
    2.3,
    say(
      `${HAVE}(?:won|placed|been awarded|was awarded|got|received|earned|took home) .*\\b(?:tournament|award|prize|competition|contest|championship|medal|title|election|scholarship|race|certificate|certification|black belt|grant)\\b`,
    ),
  ],
  [
    2.2,
    say(
      "^I(?:'ve| have)? (?:always |really )?(?:want|wanted|dream|dreamed|plan|hope|intend|aim)(?: to|ed of| of) (?:become|be|becoming|being|open|opening|start|starting|launch|adopt|adopting|publish|publishing|own|run|have|having|study|move to|raise) (?:a|an|my|kids|children)?",
    ),
  ],
  [
    2.3,
    say(
      `${HAVE}(?:finished|completed|published|released|ran|directed|written|wrote) (?:a|an|my) (?:\\w+ ){0,3}(?:novel|book|screenplay|script|album|marathon|degree|thesis|dissertation|film|movie|documentary|training)\\b`,
    ),
  ],
  [2.2, say("^I used to \\w+ \\S")],
  [
    2.2,
    say(
      "^I(?:'ve)? (?:started|began|been) \\w+ing .*\\b(?:years ago|since|as a (?:kid|child|teen)|when I was|for (?:\\w+ ){1,3}(?:years|months)|\\d{4})",
    ),
  ],
  [2.2, say("^I started \\w+ing (?:\\w+ ){1,2}(?:years|months) ago")],
  [
    2.2,
    /^I(?:'m| am) in (?:my|a|an) .*(?:year|program|band|club|school|college|team|choir|orchestra|grade|semester)\b/,
  ],
];

/** The first that fits says what it is; the object that stands behind must name something. */
const TRAITS: Patterns = [
  [3, say(`^I(?:'m| am| was) (?:an?|the) (?:[\\w'-]+ ){0,3}${ROLE}\\b`)],
  [
    3,
    say(
      "^I(?:'m| am) (?:\\w+ly )?(?:allergic to|lactose[- ]intolerant|gluten[- ]intolerant|diabetic|colou?rblind|asthmatic|dyslexic|celiac|vegan|vegetarian|pregnant|married|divorced|engaged|single|widowed|retired|unemployed|self-employed|transgender|trans|gay|lesbian|bisexual|left-handed|bilingual|deaf|autistic|\\d+ years old|\\d{2}$)\\b",
    ),
  ],
  [3, /^I(?:'m| am) (?:originally )?(?:from|based in|living in) (?:the )?\p{Lu}/u],
  [
    3,
    /^I (?:currently |still )?(?:live|lived|grew up|was born|was raised|used to live|moved) (?:in|near|to|from) (?:the )?(?:[a-z]+ )?\p{Lu}/u,
  ],
  [
    3,
    say(
      `^I(?:'ve)? (?:have|got|'ve got|have got) (?:a|an|two|three|four|five|six|\\d+) (?:[\\w'-]+ ){0,3}(?:${KIN}|${PETS})\\b`,
    ),
  ],
  [
    2.5,
    say(
      `^my (?:[\\w'-]+ )?(?:${KIN}|${PETS})(?:'s)? (?:[\\w,]+ ){0,3}(?:is|are|was|were|has|have|had|works|lives|loves?|likes?|hates?|plays?|teaches|taught|studies|goes|got|moved|died|passed|became|started|runs|owns|speaks|turned|suffers|recommended|suggested|gave|introduced|helped|won|lost|joined|bought|retired|graduated|named)\\b`,
    ),
  ],
  [
    2.5,
    say(
      "^my (?:favou?rite [\\w' -]{3,40}|name|birthday|hometown|native language|mother tongue|dream(?: job)?|hobby|hobbies|passion|blood type|address|e-?mail|phone(?: number)?|number|nickname|pronouns|major|(?:full-time |day |current |new |first )?job|role|position|title|background|salary|rent|budget|goal) (?:is|are|was|were|of)\\b",
    ),
  ],
  [
    2.5,
    say(
      "^I (?:work|freelance|volunteer|teach|coach|specialize|specialise|major|intern) (?:nights |part-time |full-time |remotely )?(?:as|at|for|in|with|on|part-time|full-time|remotely|from)\\b",
    ),
  ],
  [
    2.5,
    say(
      `^I (?:run|own|manage|lead|founded|started|opened|co-founded|teach|coach|direct) (?:a|an|my own|my|the) (?:[\\w'-]+ ){0,4}(?:${WORK}|class|classes|group|club|program)\\b`,
    ),
  ],
  [
    2.5,
    say(
      "^I (?:have|was diagnosed with|suffer from|was born with|struggle with) (?:a |an )?(?:\\w+ )?(?:asthma|diabetes|anxiety|depression|adhd|autism|migraines?|allerg\\w+|arthritis|epilepsy|insomnia|dyslexia|cancer|ptsd|hypertension|condition|disorder|disability)\\b",
    ),
  ],
  [
    2,
    say(
      "^I(?:'m| am) (?:a )?(?:\\w+ )?(?:fan of|into|passionate about|obsessed with|interested in|good at|afraid of|scared of|fluent in|addicted to|hooked on|fond of|terrified of|keen on|committed to|used to) \\S",
    ),
  ],
  [
    2,
    say(
      "^I (?:\\w+ly |always |never |always |don't |can't )?(?:love|like|enjoy|prefer|hate|dislike|adore|eat|drink|stand|collect|play|speak|practi[cs]e|follow|watch|avoid) \\S",
    ),
  ],
  [
    2,
    say(
      "^I(?:'ve| have) (?:always |never )?(?:loved|liked|enjoyed|hated|wanted|dreamed of|been (?:a|an|married|together|into|passionate|interested|vegan|vegetarian)) \\S",
    ),
  ],
  ...LASTING,
  [1.5, say("^I (?:usually|always|often|never|typically|regularly|generally) \\w+ \\S")],
];

const FACTS: Patterns = [
  [2, /^I(?:'m| am) (?:off|flying|heading|moving) to (?:the )?\p{Lu}/u],
  [
    2.5,
    say("^I(?:'ve| have)? (?:decided|agreed|chosen|chose|settled|opted) (?:to|on|against|not to|for) \\S"),
  ],
  [
    2.5,
    say(
      "^I(?:'ve| have)? (?:just )?(?:got|gotten|been|was) (?:promoted|hired|fired|laid off|accepted|engaged|married|divorced|diagnosed|elected|offered|awarded|admitted)\\b",
    ),
  ],
  [
    2.2,
    say(
      `^I(?:'ve)?(?: have)? (?:just |recently |finally |also |already |even |successfully )?(?:${DONE})\\b`,
    ),
  ],
  [
    2,
    say(
      "^I(?:'ve| have) (?:just |recently |finally |also |already |successfully )?(?:been (?:\\w+ing)|\\w+ed|gone|bought|sold|won|run|begun|taken|made|built|written|drawn|met|flown|driven|got|gotten|lost|quit|left|broken|had|become|grown|taught|read|paid|spent|set up|found|seen) \\S",
    ),
  ],
  [
    2,
    say(
      "^I(?:'m| am) (?:also |currently |now |still |just )?(?:going to|planning (?:to|on)|hoping to|about to|set to|due to) \\w+ \\S",
    ),
  ],
  [
    2,
    say(
      "^I (?:plan to|plan on|intend to|aim to|want to (?:be|become|open|start|learn|write|visit|travel|study|move|adopt|buy|build|create|make|pursue|launch|get|try|run|teach|help|join|go|finish|apply)|have to (?!say|admit|tell|agree)|need to (?!know|see|figure|understand)|will|dream of) \\S",
    ),
  ],
  [1.8, say(`^I(?:'m| am) (?:also |currently |now |still |always |actively )?(?:${DOING}) \\S`)],
  [
    2,
    say(
      `^my (?:[\\w'-]+ ){0,3}(?:${WORK}|flight|appointment|interview|exam|wedding|meeting|trip|visa|surgery|house|apartment|car|knee|back|ankle|shoulder|arm|leg|event|game|match|tournament|season|class|goal|plan|team|garden|studio|degree|thesis|presentation|competition|performance|recital|show|exhibition) (?:is|are|was|were|has|have|had|got|starts?|started|ends?|ended|opens?|opened|went|broke|increased|dropped|needs|includes?|requires|uses|runs|sold|won|made)\\b`,
    ),
  ],
];

/** In a statement that holds one of these nobody can tell what is meant, or whether it is so. */
const OPEN =
  /\b(?:you|your|yours|he|him|his|she|her|hers|we|us|our|ours|they|them|their|theirs|it|its|it's|this|that|these|those|here|there|such|same|something|someone|somebody|anything|anyone|everything|everyone|thing|things|stuff|another|other|others|else|ones?(?= (?:that|who|of|too|day|more|for)| ?$)|would|could|should|might|may(?! \d)|maybe|perhaps|probably|possibly|guess|suppose|wish|hope(?!d? to\b| to\b)|seems?|kind of|sort of|a lot(?: of)?|lots|a bit|so much|as well as|what|how|why|whether|if|then|wherever|whatever|yet|ever|good luck|again(?!$)|next one|last one|first one|both|either|neither|each other|similar|latter|former|above|below|following|example(?!\.)|attached|later|(?:on|of|for|with|to|in) one|(?<!^my )dreams?(?! job)|come true|believ(?:e|ing)|give up|keep (?:on\b|\w+ing)|kept (?:on|going)|roller ?coaster|whirlwind|wild ride|tough|confidence|encouraging|inspiring|blessed|lucky|grateful|happy|excited|proud|amazing|incredible|awesome|crazy|together|challenges?|surge|(?:reached|about|at) \d+(?=%)|tried (?:checking|setting|using|adding|changing|running)|favou?rite one|(?:playing|working|studying|trying|practi[cs]ing|training) (?:since|for (?=(?:about |almost |nearly |over )?(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten)\b)|a (?:while|few|couple|year|month|week|long)|some|many|years|months|weeks|hours|ages|so|the))|more(?! than)|better|determined|(?:make|made|making) a difference|as usual|milestone|literally|enough|(?:an|the) hour|new addition|funny story|some (?:\w+ly )?(?:wild|cool|good|great|thrilling|fun|nice|interesting|big|new) \w+|went (?:okay|ok|well|great)|pic|pics|picture|photo|photos|mentioned|said|told|asked|learn(?:ed|ing)? from (?:my )?mistakes|progress(?! (?:in|on|with|toward))|took (?:an? )?(?:[\w-]+ )?break|been thinking)\b/i;
/** "the" of something that was spoken of before; what there is but one of, or what is named behind it, is known. */
const KNOWN_THE =
  /\bthe (?=(?:beach|gym|park|piano|guitar|violin|drums|cello|flute|saxophone|ukulele|internet|world|city|country|countryside|kids|children|family|future|weekends?|army|military|navy|marines|police|hospital|doctor|dentist|ocean|sea|mountains?|woods|forest|outdoors|library|environment|community|news|stage|road|moon|sun|stars|morning|evening|afternoon|night|summer|winter|spring|fall|arts?|piano|elderly|homeless|poor|bible|past|first time|age of|end of|start of|beginning of|help of|support of|early|late|mid|USA?|UK|EU|whole family|lottery|marathon|mall|zoo|aquarium|museum|local|nearby)\b|(?:UK|US|USA|EU|UN|NBA|NFL|LGBTQ\+?)\b|(?!January|February|March|April|May |June|July|August|September|October|November|December)\p{Lu}\p{Ll}|["“]|[\w'-]+(?: [\w'-]+){0,3} (?:of|in|at|for|from|called|named|about|on|to|with) (?:\p{Lu}\p{Ll}|["“\d]))/gu;
/** Said of an object: with this alone it names nothing. */
const VAGUE_OBJECT =
  /^(?:a|an|the|some|my|more|many|few|several|great|good|new|nice|big|huge|amazing|awesome|wonderful|lovely|fun|cool|little|small|important|special|different|own|lot|time|times|way|day|days|life|work|people|person|part|parts|fun|blast|chance|opportunity|moment|moments|experience|experiences|feeling|idea|ideas|issue|issues|problem|problems|question|questions|help|look|break|step|steps|progress|best|hard|sure|back|up|out|on|off|away|around|home|done|through|forward|further|over|in|to|of|for|with|and|at|from|by|about|is|are|was|were|be|been|being|really|very|super|well|too|just|all|every|any|no|not|much|pretty|quite|loads|tons|bunch|couple|something|trying|going|getting|making|doing|having|taking|working|using|looking|seeing|keep|keeping|kept|stay|staying|happy|proud|lucky|grateful|better|stronger|have|has|had|got|once|twice|first|second|third|project|code|app|implementation|approach|options?|understanding|concept|concepts|details?|information|results?|goals?|dreams?|journey|passion)$/i;
/** Formulas, and code that was cut off. */
const IN_SIGNS = /[\\{}<>=|^]|\$(?!\d)|^[^`]*`[^`]*$/;
/** A wish to be helped is no plan, and what somebody is trying to find out here is answered here. */
const ASKS =
  /\b(?:trying to (?:understand|figure|find out|see|decide|determine|calculate|solve|remember|think|grasp|wrap|get (?:a|my|the)|make sense|explain|identify|improve|learn about)|have to (?:say|admit|agree|be)|will (?:be|let|keep|try|do|make sure|definitely|look|check|see|also|never|always|get back|have to|start by|add|use|go with|take)|need help|want to (?:make sure|ensure|know|see|understand|be sure|say|thank|be able|get (?:a|some)|help you|go over|keep|add)|looking (?:for ways|forward|for (?:a way|some|advice|help|more|tips))|using (?:the (?:following|code)|a function)|working on (?:a|the|this|an) (?:problem|question|implementation|function|code))\b/i;

/** Of work on something only what is named tells anything: "the first module is done" is of any project. */
const IS_WORK =
  /\b(?:trying|tried|added|implement\w*|defined|configur\w+|set(?:ting)? up|deploy\w*|integrat\w+|test(?:ed|ing)|improv\w+|reduc\w+|appl(?:y|ied)(?! to| for)|optimi[sz]\w+|achieved?|managed to|using|used(?! to)|chose|chosen|allocated|completed|created|working on|identified|noticed|tracked|tracking|fix(?:ed|ing)|updat\w+|enabled|checked|included|expecting|deadline|focusing|considering|finali[sz]\w+|review\w*|prepar\w+|learned|found|increased|submitted|developed|refactored|migrat\w+|release|goal|researching)\b/i;
const NAMES = /(?<![.!?]\s)\b\p{Lu}\p{Ll}+|\b[\p{L}]+[- ]?v?\d+\.\d|\p{Ll}\p{Lu}\p{Ll}/u;
const MONTH =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b/g;

export function toldIn(clause: string): Told | undefined {
  const plain = clause.replace(/\bgonna\b/gi, "going to").replace(/\bwanna\b/gi, "want to");
  const open = plain.replace(TITLE, '"_"').replace(THIS_TIME, "_").replace(OF_WHOM, "");
  if (OPEN.test(open) || isOnlyKind(open) || ASKS.test(open) || IN_SIGNS.test(plain.replace(/`[^`]*`/g, "")))
    return undefined;
  if (/\bthe\b/i.test(open.replace(KNOWN_THE, ""))) return undefined;
  if (IS_WORK.test(plain) && !NAMES.test(plain.slice(1).replace(MONTH, ""))) return undefined;
  const told = fitting(plain, { trait: TRAITS, fact: FACTS });
  if (told === undefined || !namesSomething(plain, LEAST_NAMED[told.kind])) return undefined;
  return { ...told, weight: told.weight + detailOf(plain) };
}

/** Whether it tells of work on something. */
export function isOfWork(text: string): boolean {
  return IS_WORK.test(text);
}

/** Each with what it weighs. */
export type Patterns = readonly (readonly [weight: number, pattern: RegExp])[];

/** By the first pattern that fits; what may be either lasts. */
export function fitting(text: string, of: Readonly<Record<Told["kind"], Patterns>>): Told | undefined {
  for (const kind of ["trait", "fact"] as const) {
    const [weight] = of[kind].find(([, pattern]) => pattern.test(text)) ?? [];
    if (weight !== undefined) return { kind, weight };
  }
  return undefined;
}

/** What is called so points at nothing. */
const TITLE = /["“][^"“”]{1,80}["”]/g;
/** A time that can be counted points at nothing else. */
const THIS_TIME =
  /\bthis (?:past )?(?:morning|afternoon|evening|week|weekend|month|year|spring|summer|fall|autumn|winter)\b/gi;
/** Is of those who are named before it. */
const OF_WHOM = /(?<=\bwho \w+ )their\b/g;
/** When something was is not what it was. */
const TIME =
  /^(?:weeks?|months?|years?|yesterday|today|tonight|tomorrow|last|next|ago|recently|lately|weekends?|nights?|mornings?|evenings?|afternoons?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|hours?|minutes?)$/i;
/** In front of the verb. */
const LED =
  /^I(?:'\w+)? (?:(?:just|also|actually|even|recently|finally|really|already|still|currently|now|have|had|am|always|never|usually) ){1,3}/i;
const LEAST_NAMED = { trait: 1, fact: 2 } as const;

/** So many words behind the verb at least that tell what it is about, or a name or a number. */
function namesSomething(clause: string, least: number): boolean {
  const plain = clause.replace(LED, "I ");
  const behind = plain.split(/\s+/).slice(2);
  if (behind.some((word) => /^["“]?\p{Lu}\p{L}|\d/u.test(word))) return true;
  const telling = behind
    .map((word) => word.replace(/[^\p{L}'-]/gu, ""))
    .filter((word) => !VAGUE_OBJECT.test(word) && (least === 1 || !TIME.test(word)));
  return telling.length >= least;
}

/** Names, numbers and titles. */
function detailOf(clause: string): number {
  const named = clause.slice(1).match(/(?<=\s["“]?)\p{Lu}\p{L}+|\d+/gu)?.length ?? 0;
  return 0.3 * Math.min(4, named);
}
