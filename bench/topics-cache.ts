/** How much of a topic's window prompt a provider has seen already one turn later. */
import { topicWindows, windowQuestion } from "../src/llm/jobs/topic-windows.js";
import { loadPrompts } from "../src/llm/prompts.js";
import type { Day } from "../src/model/time.js";
import type { Utterance } from "../src/model/message.js";
import { nodeDisk } from "../src/platform/node-disk.js";
import { promptsFolder } from "../src/platform/package-root.js";
import { estimateTokens } from "../src/text/tokens.js";

const WINDOW_TOKENS = 200_000;
const TOPIC_TOKENS = 100_000;
const UNSPLIT_TOKENS = 5_000;
const TURNS = 5;

/** Of tokens; the least of a few turns, each of which adds what was said in it. */
export async function cacheableShare(): Promise<number> {
  const prompt = (await loadPrompts(nodeDisk, [promptsFolder()], topicWindows.prompts))["topic-window"];
  const utterances = saidUpTo(TOPIC_TOKENS, "topic");
  const recent = saidUpTo(UNSPLIT_TOKENS, "recent");
  let least = 1;
  let before = "";
  for (let turn = 0; turn < TURNS; turn++) {
    recent.push(said(`turn ${turn}`, "What did we say about it?"), said(`turn ${turn}`, "That it goes on."));
    const topic = { name: "Ferry to Naxos", utterances };
    const { turns } = windowQuestion(prompt, topic, recent, WINDOW_TOKENS);
    const text = turns.map((each) => each.text).join("\n");
    if (before !== "") least = Math.min(least, estimateTokens(shared(before, text)) / estimateTokens(text));
    before = text;
  }
  return Math.round(least * 10_000) / 10_000;
}

function saidUpTo(tokens: number, about: string): Utterance[] {
  const all: Utterance[] = [];
  for (let sum = 0; sum < tokens;) {
    const each = said(
      about,
      `The ${all.length}th thing that was said of the crossing, its times and what it costs.`,
    );
    sum += estimateTokens(each.text) + 12;
    all.push(each);
  }
  return all;
}

function said(name: string, text: string): Utterance {
  return { at: "2026-03-01T08:00:00Z", day: "2026-03-01" as Day, clock: "08:00", role: "user", name, text };
}

function shared(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return one.slice(0, at);
}
