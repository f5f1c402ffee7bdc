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
  const members = said?.split(/(?:,)? and /).map((part): Member | undefined => {
    const [, noun, name] = MEMBER.exec(part) ?? [];
    return noun === undefined
      ? undefined
      : { told: part.replace(/(?:,| named| called) .*$/, ""), noun, name };
  });
  return members?.every((member) => member !== undefined) === true ? members : undefined;
}

/** Everybody once, as they were told last; one has one partner at a time. Oldest first. */
export function toldTogether(all: readonly Member[]): string {
  const last = all.findLast(({ noun }) => PARTNER.test(noun));
  const standing = all.filter(
    ({ noun, name, told }, index) =>
      (!PARTNER.test(noun) || noun === last?.noun) &&
      (!ANY_PET.test(noun) || !all.some((other) => A_PET.test(other.noun) && !ANY_PET.test(other.noun))) &&
      !all.some((other, place) =>
        other.noun === noun && name === undefined
          ? other.name !== undefined || (place < index && other.told === told)
          : other.noun === noun && other.name === name && place < index,
      ),
  );
  const rank = ({ noun }: Member): number => (PARTNER.test(noun) ? 0 : A_PET.test(noun) ? 2 : 1);
  const parts = standing
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ told, name }) => (name === undefined ? told : `${told} named ${name}`));
  return `has ${[parts.slice(0, -1).join(", "), parts.at(-1)].filter(Boolean).join(" and ")}`;
}
