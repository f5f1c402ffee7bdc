/**
 * Whom somebody lives with, told in one line: of "has a husband and kids" and "has a daughter, Sara" it is
 * "has a husband, kids and a daughter named Sara". Pure; English.
 */
import { KIN_AT_HOME, PETS } from "./told/words.js";

interface Member {
  /** As it is told: "a daughter", "two cats". */
  told: string;
  /** "daughter" */
  noun: string;
  name: string | undefined;
}

const MEMBER = new RegExp(
  `^(?:an? |two |three |four |five |\\d+ )?(${KIN_AT_HOME}|${PETS})(?:(?:,| named| called) (\\p{Lu}[\\p{L}'-]+))?$`,
  "u",
);
const PARTNER = /^(?:wife|husband|spouse|fianc[eé]e?|girlfriend|boyfriend)$/;
const ANY_PET = /^pets?$/;
const A_PET = new RegExp(`^(?:${PETS})$`);

/** What stands behind the name: "has a wife and kids"; undefined where it tells of anything besides. */
export function householdIn(what: string): readonly Member[] | undefined {
  const said = /^has (.+?)[.]?$/i.exec(what)?.[1];
  const members = said
    ?.split(/,? and |, (?=an? |two |three |four |five |\d|kids|children|[a-z]+s\b)/)
    .map((part): Member | undefined => {
      const [, noun, name] = MEMBER.exec(part) ?? [];
      return noun === undefined
        ? undefined
        : { told: part.replace(/(?:,| named| called) .*$/, ""), noun, name };
    });
  return members?.every((member) => member !== undefined) === true ? members : undefined;
}

/** Everybody once, as they were told last; one has one partner at a time. Oldest first. */
export function toldTogether(all: readonly Member[]): string {
  const partner = all.findLast(({ noun }) => PARTNER.test(noun));
  const newest = new Map<string, Member>();
  for (const member of all) {
    const { noun, name } = member;
    if (PARTNER.test(noun) && noun !== partner?.noun) continue;
    const key = PARTNER.test(noun) ? "partner" : `${singular(noun)} ${name ?? ""}`;
    const before = newest.get(key);
    // Of a partner the name is kept where it is told again without it.
    newest.set(key, before?.name !== undefined && name === undefined ? before : member);
  }
  const members = [...newest.values()];
  const standing = members.filter(
    (member) => !members.some((other) => other !== member && tellsMore(other, member)),
  );
  const rank = ({ noun }: Member): number => (PARTNER.test(noun) ? 0 : A_PET.test(noun) ? 2 : 1);
  const parts = standing
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ told, name }) => (name === undefined ? told : `${told} named ${name}`));
  return `has ${[parts.slice(0, -1).join(", "), parts.at(-1)].filter(Boolean).join(" and ")}`;
}

/** A daughter of a name tells more than a daughter, and a cat more than pets. */
function tellsMore(other: Member, { noun, name }: Member): boolean {
  const isOne = singular(other.noun) === singular(noun);
  if (ANY_PET.test(noun)) return A_PET.test(other.noun) && !ANY_PET.test(other.noun);
  return isOne && name === undefined && other.name !== undefined;
}

function singular(noun: string): string {
  if (/^(?:kids?|children)$/.test(noun)) return "child";
  return noun.replace(/ies$/, "y").replace(/s$/, "");
}
