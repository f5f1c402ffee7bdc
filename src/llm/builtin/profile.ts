/**
 * A profile without a model: only what somebody was said to be or to like in so
 * many words; of what one has one at a time, the newest. Otherwise it abstains.
 * Pure.
 */
import type { ProfileJob } from "../jobs/profile.js";
import { isHan } from "./cues.js";

interface Trait {
  /** Behind whoever it is about. */
  says: RegExp;
  /** Traits of one kind replace each other: one lives in one place. */
  only?: string;
}

const TRAITS: readonly Trait[] = [
  {
    says: /^(?:really |also |always |never |usually )?(?:likes|loves|enjoys|prefers|hates|dislikes|can't stand)\s+\S/i,
  },
  { says: /^(?:is|are) (?:allergic to|afraid of|interested in|vegan|vegetarian|left-handed)\b/i },
  { says: /^(?:doesn't|does not|never) (?:like|eat|drink|want|use)s?\s+\S/i },
  { says: /^(?:speaks|plays|collects|owns|uses)\s+\S/i },
  { says: /^(?:lives|is based) (?:in|near)\s+\S/i, only: "home" },
  { says: /^moved to\s+\S/i, only: "home" },
  { says: /^(?:works|is working) (?:as|at|for|in)\s+\S/i, only: "work" },
  { says: /^is an? \S/i, only: "work" },
  { says: /^(?:is called|goes by|wants to be called)\s+\S/i, only: "name" },
  { says: /^(?:非常|特别|很|最|更|也)?(?:喜欢|爱|偏好|偏爱|讨厌|不喜欢|不爱|不吃|不喝)\S/u },
  { says: /^对.{1,16}过敏/u },
  { says: /^(?:会说|会弹|养了|习惯)\S/u },
  { says: /^(?:住在|家住|搬到了?|定居)\S/u, only: "home" },
  { says: /^(?:在.{1,20}(?:工作|上班|任职)|是(?:一名|一位|一个)?\S)/u, only: "work" },
  { says: /^(?:叫|名叫|希望被称为)\S/u, only: "name" },
];
const LONGEST_CHARS = 160;

export function builtinProfile(job: ProfileJob): Pick<ProfileJob, "name" | "tags" | "bullets"> {
  const bullets = new Map<string, string>();
  for (const bullet of job.bullets) bullets.set(keyOf(bullet), bullet);
  let isNew = false;
  for (const { date, text } of job.events) {
    const statement = ofEntity(text, job);
    const trait = statement === undefined ? undefined : TRAITS.find(({ says }) => says.test(statement));
    if (statement === undefined || trait === undefined || statement.length > LONGEST_CHARS) continue;
    const dated = /\d{4}-\d{2}/.test(statement) ? "" : isHan(statement) ? `（${date}）` : ` (${date})`;
    const bullet = `${capital(statement.replace(/[.。;；]\s*$/u, ""))}${dated}`;
    const key = trait.only ?? keyOf(bullet);
    if (trait.only !== undefined)
      for (const [other, standing] of bullets) if (onlyOneOf(standing) === trait.only) bullets.delete(other);
    bullets.delete(key);
    bullets.set(key, bullet);
    isNew = true;
  }
  return {
    ...(job.name === undefined ? {} : { name: job.name }),
    tags: [],
    bullets: isNew ? [...bullets.values()] : [],
  };
}

/** What a text says of them; undefined where it is about somebody else. */
function ofEntity(text: string, { entity, target, name, called }: ProfileJob): string | undefined {
  if (entity !== "user") return undefined;
  const line = text.replace(/^\d{4}-\d{2}-\d{2} /, "");
  const subjects = [
    ...[name, called].flatMap((one) => (one === undefined ? [] : [`${one}(${target})`, one])),
    target,
    ...(target === "local" ? ["The user", "the user", "User", "用户"] : []),
  ];
  const subject = subjects.find(
    (one) => line.startsWith(one) && !/^[\p{L}\p{N}'’]/u.test(isHan(one) ? "" : line.slice(one.length)),
  );
  const rest =
    subject === undefined ? undefined : line.slice(subject.length).replace(/^[(（][^)）]*[)）]/u, "");
  // A date between the two is when, not what.
  return rest
    ?.replace(/^[\s:：]+/u, "")
    .replace(/^\d{4}-\d{2}-\d{2}\s*/u, "")
    .trim();
}

/** Of what somebody has one at a time, which; `what` is said behind their name. */
export function onlyOneOf(what: string): string | undefined {
  return TRAITS.find(({ says }) => says.test(uncapital(what)))?.only;
}

/** Without the date that was added. */
function keyOf(bullet: string): string {
  return bullet
    .replace(/(?<!\s)\s*[(（]\d{4}(?:-\d{2}){0,2}[)）]$/u, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function uncapital(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
