/** `memd prompt`. */
import { addAll } from "../model/collections.js";
import pc from "picocolors";
import type { HitData, PromptData, QuestionData, SectionData } from "../context/inputs.js";
import type { Memd } from "../library/running.js";
import { MemdError } from "../model/errors.js";
import { SECOND_MS } from "../model/time.js";
import { terminal } from "../platform/process.js";
import type { AnswerOf } from "../service/operations.js";
import { tell, waitFor, type CommonOptions } from "./context.js";
import { withMemd } from "./memd.js";
import { bar, shortTime, table } from "./words.js";

const PATIENCE_SECONDS = 30;

type PromptFlags = CommonOptions & { wait?: string; for?: string; explain?: boolean; patience?: number };

export async function prompt(options: PromptFlags): Promise<void> {
  const { data, markdown } = await withMemd(options, "finds", (memd) => covering(memd, options));
  if (options.json === true || options.explain === true) return tell(options, data, explained);
  terminal.out(markdown);
}

/** The prompt that covers the message, or any where none is named. Throws `timeout`. */
export async function covering(memd: Memd, options: PromptFlags): Promise<NonNullable<AnswerOf<"prompt">>> {
  const { wait: id, patience = PATIENCE_SECONDS } = options;
  const covering = await waitFor(patience * SECOND_MS, async () => {
    const current = await memd.ask("prompt", { for: options.for });
    const isIt = id === undefined || current?.data.inboxIds.some((one) => one === id) === true;
    return isIt ? (current ?? undefined) : undefined;
  });
  if (covering !== undefined) return covering;
  throw new MemdError("timeout", `No prompt covers the inbox message ${id ?? ""} after ${patience} s.`);
}

/** What `memd prompt --explain` shows: what each section costs, and what is not there and why. Pure. */
const BAR_CHARS = 24;
/** More of what was found and not shown tells nobody anything. */
const MOST_LEFT_OUT = 5;
const SHOWN_CHARS = 160;

export function explained(data: PromptData): string {
  const { generatedAt, sections, questions, hits, leftOut, inboxIds, warnings } = data;
  const { user, scope, session } = data.viewer;
  const tokens = sections.reduce((sum, section) => sum + section.tokens, 0);
  const parts = [
    `${pc.bold(`${user === "" ? "somebody" : user} in ${scope}, session ${session}`)}, ${shortTime(generatedAt)}: about ${tokens} tokens, ${inboxIds.length} waiting.`,
    table(["section", "tokens", "of", "", "cut"], sections.map(row)),
  ];
  for (const [place, question] of questions.entries()) {
    const isItsOwn = (hit: { question: number }): boolean => hit.question === place;
    parts.push(aboutQuestion(question, hits.filter(isItsOwn), leftOut.filter(isItsOwn)));
  }
  if (questions.length === 0 && inboxIds.length > 0)
    parts.push("What waits asks nothing: nothing was looked for.");
  if (warnings.length > 0) parts.push(warnings.map((warning) => pc.yellow(warning)).join("\n"));
  return parts.join("\n\n");
}

/** What was found for it, what of that is shown and what it costs, and why the rest is not. */
function aboutQuestion(
  { text, context, found, shown, tokens }: QuestionData,
  hits: readonly HitData[],
  leftOut: PromptData["leftOut"],
): string {
  const lines = [
    `${pc.bold(`“${shortened(text)}”`)}: ${found} found, ${shown} ${shown === 1 ? "line" : "lines"} shown for about ${tokens} tokens.`,
    ...(context.length === 0 ? [] : [pc.dim(`  with, at less weight: ${shortened(context.join(" · "))}`)]),
    ...hits.map((hit) => lineOf(hit)),
  ];
  if (leftOut.length === 0) return lines.join("\n");
  const why = [...new Set(leftOut.map((hit) => hit.why))].map(
    (reason) => `${leftOut.filter((hit) => hit.why === reason).length} ${reason}`,
  );
  lines.push(`  left out: ${why.join(", ")}`);
  addAll(
    lines,
    leftOut.slice(0, MOST_LEFT_OUT).map((hit) => pc.dim(`${lineOf(hit)}  ${hit.why}`)),
  );
  if (leftOut.length > MOST_LEFT_OUT) lines.push(pc.dim(`  and ${leftOut.length - MOST_LEFT_OUT} more`));
  return lines.join("\n");
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= SHOWN_CHARS ? line : `${line.slice(0, SHOWN_CHARS).toWellFormed()}…`;
}

function row({ name, tokens, budgetTokens, cuts }: SectionData): string[] {
  const filled = bar(tokens / budgetTokens, BAR_CHARS);
  return [name, String(tokens), String(budgetTokens), filled, cuts.join(", ")];
}

function lineOf({ path, lines, score, date, tokens }: HitData): string {
  const cost = tokens === undefined ? "" : `${tokens} t`;
  return `  ${score.toFixed(2)}  ${date}  ${cost.padStart(5)}  ${path}:${lines[0]}`;
}
