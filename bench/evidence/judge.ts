/**
 * What of a prompt answers: whether a message stands in it, where, and what a
 * line tells of one. Pure. White space counts as one blank on both sides.
 */
import { termsOf } from "../../src/text/terms.js";

/** Of a longer message this much in one piece; of a shorter one all. */
const STRETCH_CHARS = 120;
/** Of a message's content words so many in one line tell what it says. */
const TOLD_SHARE = 0.5;

export interface Shown {
  /** Where a stretch of the message begins; −1 where none stands there. */
  placeOf(text: string): number;
  /** Whether a line of what was distilled keeps half of the message's content words. */
  isToldIn(text: string): boolean;
}

/** `prompt`: the Markdown of a prompt. What waits for an answer is not counted. */
export function shownIn(prompt: string): Shown {
  const counted = withoutSection(prompt, "Input");
  const flat = blanked(counted);
  const places = new Map<string, number>();
  for (let at = 0; at + STRETCH_CHARS <= flat.length; at++) {
    const stretch = flat.slice(at, at + STRETCH_CHARS);
    if (!places.has(stretch)) places.set(stretch, at);
  }
  const lines = sectionOf(counted, "Memory")
    .split("\n")
    .map((line) => new Set(termsOf(line)));
  return {
    placeOf: (text) => {
      const wanted = blanked(text);
      if (wanted.length <= STRETCH_CHARS) return wanted === "" ? -1 : flat.indexOf(wanted);
      for (let at = 0; at + STRETCH_CHARS <= wanted.length; at++) {
        const place = places.get(wanted.slice(at, at + STRETCH_CHARS));
        if (place !== undefined) return place;
      }
      return -1;
    },
    isToldIn: (text) => {
      const words = [...new Set(termsOf(text))];
      return (
        words.length > 0 &&
        lines.some((line) => words.filter((word) => line.has(word)).length >= TOLD_SHARE * words.length)
      );
    },
  };
}

/** The section below its heading, to the next one; empty where there is none. */
export function sectionOf(prompt: string, title: string): string {
  const from = prompt.indexOf(`\n## ${title}\n`);
  if (from === -1) return "";
  const body = prompt.slice(from + title.length + 5);
  const end = body.search(/^## /m);
  return end === -1 ? body : body.slice(0, end);
}

function withoutSection(prompt: string, title: string): string {
  const heading = `\n## ${title}\n`;
  const from = prompt.indexOf(heading);
  if (from === -1) return prompt;
  // What it says may be said before it as well.
  const end = from + heading.length + sectionOf(prompt, title).length;
  return prompt.slice(0, from + heading.length) + prompt.slice(end);
}

function blanked(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
