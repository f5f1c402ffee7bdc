/** What `memd prompt --explain` shows: what each section costs, and what is not there and why. Pure. */
import pc from "picocolors";
import type { HitData, PromptData, SectionData } from "../context/inputs.js";
import { table } from "./table.js";
import { shortTime } from "./words.js";

const BAR_CHARS = 24;
/** More of what was found and not shown tells nobody anything. */
const MOST_LEFT_OUT = 10;

export function explained({
  viewer,
  generatedAt,
  sections,
  hits,
  leftOut,
  inboxIds,
  warnings,
}: PromptData): string {
  const { user, scope, session } = viewer;
  const tokens = sections.reduce((sum, section) => sum + section.tokens, 0);
  const parts = [
    `${pc.bold(`${user === "" ? "somebody" : user} in ${scope}, session ${session}`)}, ${shortTime(generatedAt)}: about ${tokens} tokens, ${inboxIds.length} waiting.`,
    table(["section", "tokens", "of", "", "cut"], sections.map(row)),
  ];
  if (hits.length > 0) parts.push(`${pc.bold("Memory shows")}\n${hits.map((hit) => lineOf(hit)).join("\n")}`);
  if (leftOut.length > 0) {
    const lines = leftOut.slice(0, MOST_LEFT_OUT).map((hit) => `${lineOf(hit)}  ${pc.dim(hit.why)}`);
    const rest = leftOut.length - lines.length;
    parts.push(
      [pc.bold("Found and not shown"), ...lines, ...(rest > 0 ? [`  and ${rest} more`] : [])].join("\n"),
    );
  }
  if (warnings.length > 0) parts.push(warnings.map((warning) => pc.yellow(warning)).join("\n"));
  return parts.join("\n\n");
}

function row({ name, tokens, budgetTokens, cuts }: SectionData): string[] {
  const filled = Math.min(BAR_CHARS, Math.round((tokens / budgetTokens) * BAR_CHARS));
  const bar = "█".repeat(filled) + "░".repeat(BAR_CHARS - filled);
  return [name, String(tokens), String(budgetTokens), bar, cuts.join(", ")];
}

function lineOf({ path, lines, score, date }: HitData): string {
  return `  ${score.toFixed(2)}  ${date}  ${path}:${lines[0]}`;
}
