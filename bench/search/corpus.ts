/**
 * Made-up conversations of any size: words drawn by Zipf's law, two thirds
 * English and one third Chinese, written as the verbatim days they would be.
 */
import fs from "node:fs/promises";
import path from "node:path";
import type { MessageId } from "../../src/model/message.js";
import { LOCAL_USER, type ScopeId } from "../../src/model/address.js";
import { addDays, DAY_MS, epochMs, HOUR_MS, MINUTE_MS, zoneOf, type Day } from "../../src/model/time.js";
import { newPreamble, printBlock, printVerbatim } from "../../src/protocol/verbatim.js";
import { verbatimDir } from "../../src/protocol/workspace.js";

/** Below 1, at least 0, at each call. */
export type Chance = () => number;

const ZONE = zoneOf("UTC");
const MESSAGES_PER_DAY = 100;
const LAST_DAY = "2026-01-31" as Day;
const VOCABULARY = 30_000;
const SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split(" ");
const FIRST_HAN = 0x4e00;
const HAN_IN_USE = 3_000;

export interface Language {
  sentence(words: number): string;
  /** Of the rank, 0 the commonest. */
  word(rank: number): string;
  /** A rank by Zipf's law. */
  rank(): number;
}

export function english(chance: Chance): Language {
  const rank = zipf(VOCABULARY, chance);
  const word = (index: number): string => {
    let rest = index + SYLLABLES.length;
    let built = "";
    while (rest > 0) {
      built += SYLLABLES[rest % SYLLABLES.length];
      rest = Math.floor(rest / SYLLABLES.length);
    }
    return built;
  };
  return {
    rank,
    word,
    sentence: (words) => `${Array.from({ length: words }, () => word(rank())).join(" ")}.`,
  };
}

export function chinese(chance: Chance): Language {
  const rank = zipf(VOCABULARY, chance);
  const word = (index: number): string =>
    String.fromCodePoint(
      FIRST_HAN + ((index * 7 + 13) % HAN_IN_USE),
      FIRST_HAN + ((index * 31 + 101) % HAN_IN_USE),
    );
  return {
    rank,
    word,
    sentence: (words) => `${Array.from({ length: words }, () => word(rank())).join("")}。`,
  };
}

/** Writes so many messages into a scope of the workspace; the paths of its days. */
export async function writeScope(
  root: string,
  scope: ScopeId,
  passages: number,
  chance: Chance,
  { perDay = MESSAGES_PER_DAY, lastDay = LAST_DAY } = {},
): Promise<string[]> {
  const languages = [english(chance), chinese(chance)] as const;
  const days = Math.ceil(passages / perDay);
  const paths: string[] = [];
  for (let index = 0; index < days; index++) {
    const day = addDays(lastDay, index - days + 1);
    const count = Math.min(perDay, passages - index * perDay);
    const texts = Array.from({ length: count }, () => textOf(languages, chance));
    const relative = path.join(verbatimDir(scope, day, true), `${day}-made-up.md`);
    await fs.mkdir(path.dirname(path.join(root, relative)), { recursive: true });
    await fs.writeFile(path.join(root, relative), dayOf(scope, day, texts));
    paths.push(relative);
  }
  return paths;
}

/** A whole verbatim file. */
export function dayOf(scope: ScopeId, day: Day, texts: readonly string[]): string {
  const begins = Date.parse(`${day}T08:00:00Z`);
  const blocks = texts.map((text, index) => ({
    raw: printBlock(
      {
        message: {
          id: `${day}-${index}` as MessageId,
          role: index % 2 === 0 ? "user" : "agent",
          text,
          createdAt: new Date(begins + index * MINUTE_MS).toISOString(),
          ...(scope === "main" ? {} : { scope }),
          session: `${day}-${Math.floor(index / 20)}`,
        },
        filedAt: epochMs(Math.min(begins + index * MINUTE_MS, begins + 15 * HOUR_MS, begins + DAY_MS)),
        belongsTo: LOCAL_USER,
      },
      ZONE,
    ),
  }));
  return printVerbatim({ day, scope, preamble: newPreamble(day), blocks });
}

/** 8 to 40 words in one to three sentences. */
function textOf(languages: readonly Language[], chance: Chance): string {
  const language = languages[chance() < 2 / 3 ? 0 : 1];
  const sentences = 1 + Math.floor(chance() * 3);
  return Array.from({ length: sentences }, () => language?.sentence(8 + Math.floor(chance() * 6)) ?? "").join(
    " ",
  );
}

/** Ranks 0 … size−1, drawn with a share of 1 / (rank + 1). */
function zipf(size: number, chance: Chance): () => number {
  const sums = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank++) sums[rank] = sum += 1 / (rank + 1);
  return () => {
    const wanted = chance() * sum;
    let [low, high] = [0, size - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
