/** What a text or a question says of its kind by a turn of phrase, in English and Chinese. Pure, and linear in its length. */
import { asks } from "../../text/asking.js";

/** A question that asks when is answered by a text that names a time. */
const ASKS_WHEN =
  /^\s*when\b|\bwhen (?:did|do|does|is|was|were|will|has|have|had)\b|\b(?:what|which) (?:day|date|month|year|time)\b|什么时候|何时|哪[天年月]|几[月号点]|什麼時候|哪一[天年]/i;
const TELLS_TIME =
  /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|weeks?|months?|years?|weekend|morning|evening|recently|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|\d{4})\b|[昨今明前后][天晚早年]|[上下]个?(?:周|星期|月)|去年|\d[年月日号点]|[一二三四五六七八九十]月|周[一二三四五六日末]|星期|最近/i;

/** The question is about what the agent said, not about what the user did. */
const ASKS_THE_AGENT =
  /\byou (?:(?:just|also|once|previously|earlier) )?(?:said|say|suggest\w*|recommend\w*|told|tell|mention\w*|gave|provid\w*|explain\w*|list\w*|advis\w*|propos\w*|describ\w*|offer\w*|wr[oi]te)\b|\byour (?:suggestion|recommendation|advice|answer|response|explanation|list|plan)|[你您](?:上次|之前|刚才|曾经?)?(?:说|建议|推荐|告诉|提到|讲|提过|介绍|列)/i;

const ENDS_ASKING = /[?？]["'”’」』）)\]\s]*(?:\[[^\]]*\]\s*)?$/;

/** The question is about what was said and done, and not about what is to be done. */
const LOOKS_BACK =
  /\b(?:did|(?:have|had|has|was|were) (?:i|we|you|he|she|they|my|our))\b|\b(?:asked|brought up|described|discussed|learned|mentioned|noted|progressed|said|talked|told)\b|\b(?:conversations?|sessions|how has|order in which)\b|\bsummar|[说谈聊提讲]过|提到|[之以]前|上次|总结|回顾/i;

/** What asks nothing and still wants something done. */
const BIDS =
  /^\s*(?:please,? )?(?:add|build|create|design|draft|explain|fix|format|generate|give|help|implement|make|plan|prepare|recommend|rewrite|show|suggest|tell|translate|walk|write) (?:a|an|it|me|my|our|some|that|the|this|us)\b|帮[我忙]|^\s*请|给我/i;

/**
 * How somebody wants things done from now on: an order for always ("Always answer in French", 以后都用表格), or
 * what they prefer. "I never" and "we always" tell what is.
 */
const WISHES =
  /(?:^|[.!?\n]["'”’)\]]*\s{0,4})(?:please,? )?(?:always|never(?! (?:been|had|heard|knew|mind|seen)\b)|from now on|don't ever|do not ever|(?:whenever|every time) i ask)\b|\bplease always\b|\bi(?:'d| would)? (?:much |really |strongly )?prefer\b|\bmy preference\b|\bi(?:'d| would) rather\b|(?:以后|今后|从现在起)[^，。！？\n]{0,12}(?:都|请|要|别)|每次[^，。！？\n]{0,12}(?:请|都要|别)|请(?:始终|总是|一直|每次|务必|永远)|我(?:更|比较)?(?:偏好|偏爱|倾向)|我更喜欢|我宁愿/i;

export interface Wants {
  when: boolean;
  agent: boolean;
  /** Something is to be done or told now, as whoever asks wants it done. */
  help: boolean;
}

export function wantsOf(question: string): Wants {
  return {
    when: ASKS_WHEN.test(question),
    agent: ASKS_THE_AGENT.test(question),
    help: (asks(question) || BIDS.test(question)) && !LOOKS_BACK.test(question),
  };
}

/** What a text says, as a sum of bits: small enough for a column. */
export const CUES = { asks: 1, tellsTime: 2, wishes: 4 } as const;

export function cuesOf(text: string): number {
  return (
    (ENDS_ASKING.test(text) ? CUES.asks : 0) +
    (TELLS_TIME.test(text) ? CUES.tellsTime : 0) +
    (WISHES.test(text) ? CUES.wishes : 0)
  );
}
