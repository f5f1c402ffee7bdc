/**
 * What kind of statement about somebody a text is, by what stands behind their name: who they are, whom they
 * live with, what they work at, what they like. Each with how much of a person it tells, and what one has
 * only one of at a time.
 *
 * Data and its lookup; English and Chinese. Pure.
 */
import { KIN, KIN_AT_HOME, OCCUPATION, PETS, ROLE, WHO } from "./told/words.js";

interface Trait {
  says: RegExp;
  /** 1–5. */
  weight: number;
  /** Traits of one kind replace each other: one lives in one place. */
  only?: string;
}

const OFTEN = "(?:really |also |still |always |never |usually |currently |recently |just |finally |now )?";
const say = (pattern: string): RegExp => new RegExp(`^${OFTEN}(?:${pattern})`, "i");

/** Of what one has one at a time: not what is never or always so. */
const once = (pattern: string): RegExp =>
  new RegExp(`^(?:also |still |currently |just |now )?(?:${pattern})`, "u");

/** The first that fits counts. */
const TRAITS: readonly Trait[] = [
  {
    weight: 5,
    only: "name",
    says: once(
      "is called|goes by (?!bus|car|train|bike|foot|the )|wants to be called|叫(?!了|来|上|外卖|车|人)|名叫|希望被称为",
    ),
  },
  { weight: 4.6, says: say(`(?:is|was) (?:an? )?(?:[\\w'-]+ ){0,3}(?:${ROLE}|${WHO})\\b`) },
  {
    weight: 4.5,
    says: say(
      "(?:is|has been) (?:\\w+ly )?(?:allergic|lactose|gluten|diabetic|asthmatic|celiac|vegan|vegetarian|pregnant|married|divorced|engaged|single|widowed|retired|unemployed|transgender|trans|gay|lesbian|bisexual|left-handed|bilingual|deaf|blind|autistic|\\d+ years old)|has (?:asthma|diabetes|a .*(?:condition|disorder|allergy))|was diagnosed|suffers from|started transitioning",
    ),
  },
  {
    weight: 4.4,
    only: "home",
    says: once("(?:lives|is based|is living) (?:in|near)|moved to (?!an? |another |the (?:next|other|new))"),
  },
  { weight: 4.2, says: say("is (?:originally )?from|grew up|was (?:born|raised)|lived in|moved from") },
  { weight: 4.2, says: say("got (?:married|engaged|divorced)|and their \\w+ (?:got|are|have|had)") },
  {
    weight: 4.1,
    only: "work",
    says: once(
      "(?:works|is working) (?:as (?:an? )?\\p{L}|(?:at|for|in) (?!free|nights?|silence|fun|peace|teams?\\b|pairs))",
    ),
  },
  {
    weight: 4,
    says: say(
      `(?:(?:has )?(?:lost|quit|left|started|got|took|opened|launched|founded|runs?|owns?|landed|accepted|leads|manages) (?:an?|their|their own|the) (?:[\\w'-]+ ){0,3}(?:${OCCUPATION})|(?:got|was|has been) (?:promoted|hired|fired|laid|accepted|admitted|elected|offered)|freelances|teaches|coaches|volunteers|majors|specializes|retired|graduated|became|(?:is|has been) (?:volunteering|teaching|studying|coaching|mentoring|fostering|interning|running for|(?:working|starting|opening|expanding|running|launching|building|writing)\\b))`,
    ),
  },
  { weight: 3.9, says: say(`has (?:an?|two|three|four|five|\\d+)? ?(?:[\\w'-]+ ){0,2}(?:${KIN_AT_HOME})`) },
  {
    weight: 3.6,
    says: say(
      `has (?:an?|two|three|four|five|\\d+)? ?(?:[\\w'-]+ ){0,3}(?:${PETS})|(?:has )?(?:adopted|got) an? (?:\\w+ ){0,2}(?:${PETS}|pup)`,
    ),
  },
  {
    weight: 3.6,
    says: say(
      "(?:wants|hopes|plans|dreams|has always wanted|aims|intends|is planning|is hoping|is going) (?:to|of) (?:be|becom|open|start|launch|adopt|publish|own|run|have|move|teach|study|work)",
    ),
  },
  { weight: 3.5, says: say("wants the agent") },
  {
    weight: 3.4,
    says: say(
      "(?:has )?(?:joined|founded|enrolled|converted|adopted|signed up)|(?:is|has been) (?:learning|training|taking)",
    ),
  },
  {
    weight: 3.2,
    says: say(
      "(?:is|has (?:always )?been) (?:a )?(?:\\w+ )?(?:fan of|into|passionate|obsessed|interested in|good at|afraid of|scared of|fluent in|keen on|committed|addicted)|has always|has loved|has been .* since",
    ),
  },
  {
    weight: 3,
    says: say("(?:has )?(?:won|placed|earned|received|published|been awarded|was awarded|started \\w+ing)"),
  },
  { weight: 3, says: say("(?:speaks|plays|collects|practi[cs]es)\\s") },
  {
    weight: 2.6,
    says: say(
      "likes|loves|enjoys|prefers|hates|dislikes|adores|avoids|can't stand|(?:doesn't|does not|never) (?:like|eat|drink|want|use)s?|eats|drinks|owns|uses",
    ),
  },
  {
    weight: 2.3,
    says: say("used to \\w|works? |usually|(?:always|often|typically|regularly|generally) \\w+s "),
  },
  { weight: 4.5, says: /^(?:对.{1,16}过敏|患有|得过|确诊|不能吃|吃不了)/u },
  { weight: 4.4, only: "home", says: /^(?:现在|目前)?(?:住在|家住|搬到了?|搬去了?|定居)/u },
  { weight: 4.1, only: "work", says: /^(?:现在|目前)?在.{1,20}(?:工作|上班|任职|教书|[做当](?!了|过)\S)/u },
  { weight: 4.6, says: /^是(?!不是)(?:一名|一位|一个|个)?\S/u },
  { weight: 4.2, says: /^(?:来自|老家在|出生|毕业于|从.{2,10}毕业|姓|今?年?\d{1,3}岁|属\S$)/u },
  {
    weight: 4,
    says: /^(?:已经|刚刚?)?(?:辞职|离职|跳槽|升职|结婚|订婚|离婚|怀孕|退休|入职|被.{0,8}录取|考上|创办|成立|开了一?家?)|^(?:负责|从事|做.{2,10}工作)/u,
  },
  { weight: 3.8, says: /^(?:家?有|养了?|养着)/u },
  {
    weight: 3.5,
    says: /^(?:打算|计划|准备|想)(?:当|成为|开|考|学|搬)|^(?:一直)?(?:正在|在)(?:学|准备|写|备考|筹备)/u,
  },
  { weight: 3, says: /^(?:获得|赢了|得了|拿到|会说|会弹|擅长|热爱|痴迷)/u },
  {
    weight: 2.6,
    says: /^(?:很|最|特别|非常|更|还|也|比较|一直|从小就?)?(?:喜欢|爱|偏好|偏爱|讨厌|不喜欢|不爱|不吃|不喝|不抽烟|习惯)\S/u,
  },
  { weight: 2.3, says: /^(?:每[天周月年]|平时|通常|一般|总是|经常|从不)/u },
];

/** What belongs to somebody: behind "NAME's". */
const OF_THEIRS: readonly Trait[] = [
  {
    weight: 3.2,
    says: new RegExp(
      `^(?:[\\w'-]+ ){0,2}(?:${OCCUPATION}) (?:is|are|was) (?!\\w+ing\\b|going|good|great|a roller)`,
      "i",
    ),
  },
  { weight: 3.4, says: /^(?:dream|goal|passion|hometown|birthday|native|mother tongue|pronouns|major)\b/i },
  {
    weight: 3,
    says: new RegExp(
      `^(?:[\\w'-]+ )?(?:${KIN}|${PETS})(?:'s name)? (?:is|are|was|were|has|have|lives|works|died|passed|named)\\b`,
      "i",
    ),
  },
  { weight: 2.9, says: /^(?:all-time )?favou?rite\b/i },
  {
    weight: 3,
    says: /^(?:妈妈|爸爸|母亲|父亲|老婆|妻子|太太|老公|丈夫|女朋友|男朋友|儿子|女儿|孩子|哥哥|姐姐|弟弟|妹妹|猫|狗|名字|生日|老家|家乡|工作|职业|专业|公司|店|爱好|梦想|目标|血型)/u,
  },
];

/** What kind of statement it is. */
export interface TraitKind {
  weight: number;
  only?: string;
  /** What is said, without the words that only say what kind it is. */
  about: string;
}

/** Undefined where it tells nothing that lasts. `what` stands behind the name; `isTheirs` behind "NAME's". */
export function traitOf(what: string, isTheirs = false): TraitKind | undefined {
  const plain = what.charAt(0).toLowerCase() + what.slice(1);
  for (const { says, weight, only } of isTheirs ? OF_THEIRS : TRAITS) {
    const [kind] = says.exec(plain) ?? [];
    if (kind === undefined) continue;
    return { weight, ...(only === undefined ? {} : { only }), about: plain.replace(VERBS, "") };
  }
  return undefined;
}

/** How it is said, not what. */
const VERBS =
  /\b(?:loves?|likes?|enjoys?|prefers?|passionate|big|huge|fan|wants?|has|have|been|always|started|starts?|starting|going|got|lost|joined|opened?|working|works?|their|own|new|local|years?|time|people|and|the|with|for|now|still|really|keen|making|creating|finding|different|great|good|favou?rite|playing|learning|getting|wants the agent (?:always|never) to|when they ask about)\b|[（(]?\d{4}(?:-\d{2}){0,2}[)）]?|很|最|特别|非常|喜欢|一直|正在/gi;

/** Of what somebody has one at a time, which; `what` is said behind their name. */
export function onlyOneOf(what: string): string | undefined {
  return traitOf(what)?.only;
}
