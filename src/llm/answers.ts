/**
 * What a model answers, in JSON or in tags.
 *
 * Pure. Topics are told apart by numbers that memd gives (`T3`), messages by
 * their place: whatever an answer names beside those is left out, so that no
 * id of its making gets any further.
 */
import type * as z from "zod";
import type { TopicId } from "../model/topic.js";
import { shown } from "../text/shown.js";
import type { Reading } from "./ask.js";

/** The value that `make` finds in the JSON object of an answer; `problem` says what form is asked for. */
export function readJson<T, V>(
  answer: string,
  shape: z.ZodType<T>,
  problem: string,
  make: (object: T) => V | undefined,
): Reading<V> {
  const parsed = shape.safeParse(jsonIn(answer));
  const value = parsed.success ? make(parsed.data) : undefined;
  return value === undefined ? { problem } : { value };
}

/** As one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The JSON object in an answer; undefined where there is none that can be read. */
export function jsonIn(answer: string): unknown {
  const json = answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1);
  if (!json.startsWith("{")) return undefined;
  try {
    // An escape is how a control character comes through what was cleared of them.
    return JSON.parse(json, (_key, value: unknown) =>
      typeof value === "string" ? shown(value.toWellFormed()) : value,
    );
  } catch {
    return undefined;
  }
}

interface Tag {
  attributes: Readonly<Record<string, string>>;
  /** What stands in it; empty where it closes itself. */
  text: string;
}

/** Tags of a name that are closed, in order; half a tag is none. */
export function tagsIn(answer: string, name: string): Tag[] {
  const pattern = new RegExp(`<${name}\\b([^<>]*?)(?:/>|>([\\s\\S]*?)</${name}\\s*>)`, "gi");
  return [...answer.matchAll(pattern)].map(([, head = "", text = ""]) => {
    const pairs = [...head.matchAll(ATTRIBUTE)].map(([, key = "", value = ""]) => [key.toLowerCase(), value]);
    return { attributes: Object.fromEntries(pairs) as Tag["attributes"], text: text.trim() };
  });
}
const ATTRIBUTE = /(?<![a-z_])([a-z_]+)\s*=\s*"([^"]*)"/gi;

/** `1, 3-5` as places below `count`, from zero; what is none of them is left out. */
export function placesIn(text: string, count: number): number[] {
  const places = new Set<number>();
  for (const [, from = "", to] of text.matchAll(/(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?/g)) {
    const last = Math.min(Number(to ?? from), count);
    for (let number = Math.max(1, Number(from)); number <= last; number++) places.add(number - 1);
  }
  return [...places];
}

/** The same of a list as JSON has it: numbers, or texts that hold some. */
export function placesOf(list: unknown, count: number): number[] {
  const texts = Array.isArray(list) ? list.map(numberOrText) : [asText(list)];
  return [...new Set(texts.flatMap((text) => placesIn(text, count)))];
}

function numberOrText(value: unknown): string {
  return typeof value === "number" ? String(value) : asText(value);
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** `T1`, `T2`, … as prompts call topics. */
export function shownAs(index: number): string {
  return `T${index + 1}`;
}

/** The topic that an answer means; undefined for one that was not given. */
export function meantBy(name: unknown, topics: readonly { id: TopicId }[]): TopicId | undefined {
  const [, number] = /^\s*T?(\d{1,6})\s*$/i.exec(numberOrText(name)) ?? [];
  return number === undefined ? undefined : topics[Number(number) - 1]?.id;
}
