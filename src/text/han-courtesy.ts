/** Courtesies in Chinese, which has no blanks between its words. Pure. */
import { HAN_BESIDE, HAN_COURTEOUS, HAN_GOING_ON } from "./courtesy-words.js";

export const HAN_RUN = /\p{Script=Han}+/gu;
const LONGEST_HAN = 6;

export interface HanParts {
  isCourteous: boolean;
  /** Runs of characters that are neither. */
  rest: string[];
}

/** Chinese has no blanks: the longest word that is known is taken, then what follows it. */
export function hanParts(text: string): HanParts {
  const rest: string[] = [];
  let isCourteous = false;
  for (const [run] of text.matchAll(HAN_RUN)) {
    let strange = "";
    const close = (): void => {
      if (strange !== "") rest.push(strange);
      strange = "";
    };
    for (let at = 0; at < run.length;) {
      const word = longestAt(run, at);
      if (word === "") strange += run[at++];
      else {
        close();
        isCourteous ||= HAN_COURTEOUS.has(word);
        at += word.length;
      }
    }
    close();
  }
  return { isCourteous, rest };
}

function longestAt(run: string, at: number): string {
  for (let length = LONGEST_HAN; length > 0; length--) {
    const word = run.slice(at, at + length);
    if (HAN_COURTEOUS.has(word) || HAN_BESIDE.has(word) || HAN_GOING_ON.has(word)) return word;
  }
  return "";
}

/** 晚安小满, 小满早: written together with a courtesy. */
export function isNameBehind(text: string, name: string): boolean {
  const at = text.indexOf(name);
  const beside = at === 0 ? text.charAt(name.length) : text.charAt(at - 1);
  return [...name].length <= 3 && /\p{Script=Han}/u.test(beside);
}
