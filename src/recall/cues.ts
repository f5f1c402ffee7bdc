/**
 * What kind of answer a question wants, and what kind of thing a text says.
 *
 * Pure. Both sides in one place: a question that asks when is answered by a
 * text that names a time.
 */
const ASKS_WHEN =
  /^\s*when\b|\bwhen (?:did|do|does|is|was|were|will|has|have|had)\b|\b(?:what|which) (?:day|date|month|year|time)\b|什么时候|何时|哪[天年月]|几[月号点]|什麼時候|哪一[天年]/i;
const TELLS_TIME =
  /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|weeks?|months?|years?|weekend|morning|evening|recently|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|\d{4})\b|[昨今明前后][天晚早年]|[上下]个?(?:周|星期|月)|去年|\d+[年月日号点]|[一二三四五六七八九十]+月|周[一二三四五六日末]|星期|最近/i;

/** The question is about what the agent said, not about what the user did. */
const ASKS_THE_AGENT =
  /\byou (?:(?:just|also|once|previously|earlier) )?(?:said|say|suggest\w*|recommend\w*|told|tell|mention\w*|gave|provid\w*|explain\w*|list\w*|advis\w*|propos\w*|describ\w*|offer\w*|wr[oi]te)\b|\byour (?:suggestion|recommendation|advice|answer|response|explanation|list|plan)|[你您](?:上次|之前|刚才|曾经?)?(?:说|建议|推荐|告诉|提到|讲|提过|介绍|列)/i;

const ENDS_ASKING = /[?？]["'”’」』）)\]\s]*(?:\[[^\]]*\]\s*)?$/;

export interface Wants {
  when: boolean;
  agent: boolean;
}

export function wantsOf(question: string): Wants {
  return {
    when: ASKS_WHEN.test(question),
    agent: ASKS_THE_AGENT.test(question),
  };
}

/** What a text says, as a sum of bits: small enough for a column. */
export const CUES = { asks: 1, tellsTime: 2 } as const;

export function cuesOf(text: string): number {
  return (ENDS_ASKING.test(text) ? CUES.asks : 0) + (TELLS_TIME.test(text) ? CUES.tellsTime : 0);
}
