/** What one sentence says of whoever says it, as statements about them; none where it says nothing worth keeping, or not so that it stands alone. Pure. */
import { clausesOf, withoutMarks } from "./clause.js";
import { toldInHan } from "./han.js";
import { impliedIn } from "./implied.js";
import { type Told, toldIn } from "./matters.js";
import { asThey, inThirdPerson } from "./third-person.js";

export interface Statement extends Told {
  text: string;
  /** When it was so, as it was said in front of it. */
  when: string;
  /** Who it is about, as the text names them; undefined where it is about something else. */
  about?: string;
}

/** `speaker`: as they are to be called. `names`: of those who speak with one another. */
export function statementsIn(sentence: string, speaker: string, names: readonly string[]): Statement[] {
  if (isInChinese(sentence)) return inChinese(sentence, speaker === "the user" ? "用户" : speaker);
  const [whole] = [toRemember, fromNowOn, called, wantedOfAgent, decidedThat, decided].flatMap(
    (read) => read(sentence, speaker) ?? [],
  );
  return whole === undefined ? ofThemselves(sentence, speaker, names) : [whole];
}

/** A Chinese name in an English sentence makes it no Chinese one. */
function isInChinese(sentence: string): boolean {
  const han = sentence.match(/\p{Script=Han}/gu)?.length ?? 0;
  return han > 0 && han >= (sentence.match(/[A-Za-z][A-Za-z'’-]*/g)?.length ?? 0);
}

function ofThemselves(sentence: string, speaker: string, names: readonly string[]): Statement[] {
  const told = clausesOf(sentence, names).flatMap(({ words, when }): Statement[] => {
    const [, beforeWho] = WHO_IS_ONE.exec(words) ?? [];
    const shorter = IS_ONE.test(words) ? words.replace(UNNAMED_PLACE, "") : beforeWho;
    for (const part of [words, ...(shorter === undefined ? [] : [shorter])]) {
      const is = toldIn(part);
      const text = is && inThirdPerson(part, speaker);
      if (is !== undefined && text !== undefined) return [{ ...is, text, when, about: speaker }];
    }
    return [];
  });
  const implied = impliedIn(sentence, speaker, names).map((is) => ({ ...is, when: "", about: speaker }));
  return [...told, ...implied];
}

/** "from a sailor who told me how": of one somebody all is told without what they did. */
const WHO_IS_ONE = /^(.*\ban? (?:[\w'-]+ )?[\w'-]+(?<!s)) who(?:m|se)? .+$/;
/** "a shooting guard for the team": of which is not said. */
const IS_ONE = /^I(?:(?:'m| am) an?|'m planning| (?:lost|quit|left) my) /;
const UNNAMED_PLACE =
  / (?:for|in|at|on|of|with) the (?:[\w'-]+ ){0,3}(?:team|squad|crew|company|firm|hospital|school|clinic|city|town|area|office|industry|agency|department|club|band|organization|centre|center|fundraiser\b.*|university|store|shop|restaurant)$/u;

const REMEMBER =
  /^(?:(?:hey|hi|ok|okay|and|also|by the way|so)[, ]+)*(?:please |can you |could you )?(?:remember|note|keep in mind|don't forget|make a note)(?: that)?[,:]? /i;

/** What they ask to have remembered, where it says itself what it is about. */
function toRemember(sentence: string, speaker: string): Statement | undefined {
  const [lead] = REMEMBER.exec(sentence) ?? [];
  if (lead === undefined) return undefined;
  const asked = withoutMarks(sentence.slice(lead.length));
  const isAsked = /\b(?:please|can you|could you)\b|\bthat[,:]?\s+$/i.test(lead);
  if (!isAsked || !/^(?:I|my)\b|\s["“]?\p{Lu}\p{L}|\d/u.test(asked)) return undefined;
  const own = /^(?:I|my)\b/i.test(asked) ? inThirdPerson(asked.replaceAll("’", "'"), speaker) : undefined;
  if (own !== undefined)
    return { kind: toldIn(asked)?.kind ?? "fact", weight: 4, text: own, when: "", about: speaker };
  // "Remember to call" is a task, and of what it says somebody must be the subject.
  if (/^(?:to|when|how|what|this|it|me)\b/i.test(asked) || /\b(?:I|me|my|we|us|our|you)\b/i.test(asked))
    return undefined;
  return asked.split(/\s+/).length < 4 ? undefined : { kind: "fact", weight: 4, text: asked, when: "" };
}

/** What holds from then on, of whomever. */
function fromNowOn(sentence: string): Statement | undefined {
  const rest = withoutMarks(/^[Ff]rom now on,? ((?:\p{Lu}|the ).*)$/u.exec(sentence)?.[1] ?? "");
  if (/^I\b/.test(rest) || /\b(?:you|we|us|our|I|me|my)\b/i.test(rest)) return undefined;
  return rest === "" ? undefined : { kind: "fact", weight: 4, text: `From now on ${rest}`, when: "" };
}

const CALL_ME = /\bcall me (["“]?\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)?["”]?)[.!]?$/u;

function called(sentence: string, speaker: string): Statement | undefined {
  const name = CALL_ME.exec(sentence)?.[1];
  const text = `${speaker} wants to be called ${name}`;
  return name === undefined ? undefined : { kind: "trait", weight: 4, text, when: "", about: speaker };
}

const VERBS =
  "use|include|highlight|confirm|provide|give|show|explain|answer|reply|respond|write|format|keep|start|end|begin|mention|specify|list|add|ask|check|suggest|remind|tell|call|address|cite|quote|summari[sz]e|translate|avoid|send|prefer|round|present|offer|double-check|verify|note|state|break|clarify|recommend|focus|prioriti[sz]e|make sure";
const ALWAYS = new RegExp(
  `^(?:please )?(?:from now on,? )?(?:please )?(always|never) (${VERBS})\\b(.+)$`,
  "i",
);

/** "Always include dates when I ask about events": for as long as nothing else is said. */
function wantedOfAgent(sentence: string, speaker: string): Statement | undefined {
  const [, often = "", verb = "", rest = ""] = ALWAYS.exec(sentence.replaceAll("’", "'")) ?? [];
  if (verb === "" || rest.trim().split(/\s+/).length < 2) return undefined;
  const behind = asThey(withoutMarks(rest));
  if (/\b(?:this|that|these|those|it|here|above|below|we|us|our|your?)\b/i.test(behind)) return undefined;
  const text = `${speaker} wants the agent ${often.toLowerCase()} to ${verb.toLowerCase()}${behind}`;
  return { kind: "trait", weight: 4, text, when: "", about: speaker };
}

const DECIDED =
  /^(?:(?:so|and|ok|okay|well|then|good|great|result|in the end)[,.:]? +)*we(?:'ve| have)? (?:just |finally )?(decided|agreed|chose|settled|picked|voted) (to|on|against|for|that|not to) (.+)$/i;

/** "We decided: …", "Agreed and decided: …" */
const DECIDED_THAT =
  /^(?:(?:so|and|ok|okay|well|then|good|great|result|in the end)[,.:]? +)*(?:we(?:'ve| have)? (?:just |finally |all )?)?(?:agreed and )?(?:decided|agreed)(?: with (\p{Lu}[\p{L}'-]+))?: (.+)$/iu;

/** Without what it goes on about, where what is left says by itself what was decided. */
function decidedThat(sentence: string, speaker: string): Statement | undefined {
  const [, other, rest = ""] = DECIDED_THAT.exec(sentence.replaceAll("’", "'")) ?? [];
  const [first = ""] = rest.split(
    /,? (?:and (?:we|I|it|they|he|she|the)|but|because|so|while|since|as long as)\b|;/i,
  );
  const what = withoutMarks(first.replace(/\bme\b/g, speaker));
  if (
    what.split(/\s+/).length < 4 ||
    /\b(?:it|this|that|these|those|I|my|we|us|our|you|he|she|they|them)\b/i.test(what)
  )
    return undefined;
  const text = `${speaker} and ${other ?? "others"} decided: ${what}`;
  return { kind: "fact", weight: 3.5, text, when: "", about: speaker };
}

function decided(sentence: string, speaker: string): Statement | undefined {
  const [, verb = "", joint = "", rest = ""] = DECIDED.exec(sentence.replaceAll("’", "'")) ?? [];
  const what = withoutMarks(rest).replace(/,? (?:but|because|so|and (?:we|I|it|they))\b.*$/i, "");
  if (verb === "" || what.split(/\s+/).length < 2) return undefined;
  const text = `${speaker} and others ${verb.toLowerCase()} ${joint} ${what}`;
  const isOpen = /\b(?:it|this|that|these|those|I|me|my|we|us|our|you|he|she|they|them)\b/i.test(
    `${joint === "that" ? "" : joint} ${what}`,
  );
  return isOpen ? undefined : { kind: "fact", weight: 3.5, text, when: "", about: speaker };
}

const WE_DECIDED =
  /(?:^|[，。；,;\s])我们(?:已经|刚|最后|最终)?(决定|商定|定了|选定|约好|说好)(了?[^，。；！？,;!?]{3,40})/u;

const HAN_REMEMBER = /(?:^|[，。；,;\s])(?:请|帮我|你要)?(?:记住|别忘了)[，,：:\s]*([^。！？!?]{4,60})/u;
const HAN_FROM_NOW_ON = /^(?:从现在起|从今以后)[，,]?[^。！？!?]{4,60}/u;

function inChinese(sentence: string, speaker: string): Statement[] {
  const [, verb = "", rest = ""] = WE_DECIDED.exec(sentence) ?? [];
  if (verb !== "" && !/[我你您他她它这那]/u.test(rest))
    return [{ kind: "fact", weight: 3.5, text: `${speaker}等人${verb}${rest}`, when: "", about: speaker }];
  for (const told of [HAN_REMEMBER.exec(sentence)?.[1], HAN_FROM_NOW_ON.exec(sentence)?.[0]])
    if (told !== undefined && !/[我你您他她它这那]/u.test(told))
      return [{ kind: "fact", weight: 4, text: told, when: "" }];
  return toldInHan(sentence, speaker).map((told) => ({ ...told, when: "", about: speaker }));
}
