/** `memd topics`: what one conversation is about, in parts, and who of them is awake. */
import pc from "picocolors";
import type { AnswerOf } from "../service/operations.js";
import { printJson, printLine, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";
import { counted, shortTime, table } from "./words.js";

export type TopicsOptions = CommonOptions & { as?: string };

export async function listTopics(options: TopicsOptions & { all?: boolean; stats?: boolean }): Promise<void> {
  const { all, as } = options;
  const { topics, stats } = await askMemd(options, "listTopics", { all, as });
  if (options.json === true) return printJson({ topics, stats });
  if (options.stats === true) return printStats(stats);
  if (topics.length === 0)
    return printLine(
      `No topics yet: ${counted(stats.unsplit, "message")} of ${stats.unsplitTokens} tokens wait to be many enough.`,
    );
  printLine(
    table(
      ["id", "topic", "state", "dates", "messages", "relevance"],
      topics.map(({ id, name, state, dates, messages, relevance }) => [
        id,
        name,
        state,
        dates,
        String(messages),
        relevance.toFixed(2),
      ]),
    ),
  );
  printLine(pc.dim(`\n${counted(stats.unsplit, "message")} in no topic yet. memd topics show ID`));
}

export async function showTopic(topic: string, options: TopicsOptions): Promise<void> {
  const shown = await askMemd(options, "showTopic", { as: options.as, topic });
  if (options.json === true) return printJson(shown);
  printLine(`${pc.bold(shown.name)}  ${shown.state}, ${shown.dates}, ${shown.file}`);
  if (shown.brief !== "") printLine(`\n${shown.brief}`);
  printLine();
  for (const { id, at, name, text } of shown.said)
    printLine(`${pc.dim(`[${id}] ${shortTime(at)}`)} ${name}: ${text.replace(/\s+/g, " ")}`);
}

export async function activateTopics(
  query: string,
  options: TopicsOptions & { from?: string; to?: string },
): Promise<void> {
  const { from, to } = options;
  const told = await askMemd(options, "activateTopics", {
    as: options.as,
    query,
    time_from: from,
    time_to: to,
  });
  if (options.json === true) return printJson(told);
  const { found, candidates } = told;
  if (found.length > 0) {
    printLine("These know of it, and the prompt shows what they know:");
    for (const topic of found) printFound(topic);
  }
  if (candidates.length > 0 && found.length === 0) {
    printLine("No topic surely knows of it. Is one of these meant?");
    for (const topic of candidates) printFound(topic);
  }
  if (found.length + candidates.length === 0)
    printLine(`No topic knows of it. memd search ${JSON.stringify(query)} looks through every word.`);
}

export async function renameTopic(topic: string, name: string, options: TopicsOptions): Promise<void> {
  const renamed = await askMemd(options, "renameTopic", { as: options.as, topic, name });
  if (options.json === true) return printJson(renamed);
  printLine(`${renamed.id} is called ${renamed.name}.`);
}

export async function mergeTopics(into: string, topics: string[], options: TopicsOptions): Promise<void> {
  const merged = await askMemd(options, "mergeTopics", { as: options.as, topics, into });
  if (options.json === true) return printJson(merged);
  printLine(`${merged.name} has ${counted(merged.messages, "message")} now.`);
}

export async function splitTopic(topic: string, options: TopicsOptions): Promise<void> {
  const { topics } = await askMemd(options, "splitTopic", { as: options.as, topic });
  if (options.json === true) return printJson(topics);
  for (const { id, name, messages } of topics) printLine(`${id}  ${name}, ${counted(messages, "message")}`);
}

export async function archiveTopic(topic: string, options: TopicsOptions): Promise<void> {
  const archived = await askMemd(options, "archiveTopic", { as: options.as, topic });
  if (options.json === true) return printJson(archived);
  printLine(`${archived.name} is archived: ${archived.file}. memd topics activate TEXT wakes it.`);
}

export async function reviewTopics(options: TopicsOptions): Promise<void> {
  const done = await askMemd(options, "reviewTopics", { as: options.as });
  if (options.json === true) return printJson(done);
  printLine(`Merged ${done.merged}, archived ${done.archived}.`);
}

function printFound({ id, name, dates, about, woken }: AnswerOf<"activateTopics">["found"][number]): void {
  printLine(`\n${pc.bold(name)}  ${pc.dim(`${id}, ${dates}${woken ? ", woken" : ""}`)}`);
  if (about !== "") printLine(`  ${about}`);
}

function printStats(stats: AnswerOf<"listTopics">["stats"]): void {
  const { active, dormant, archived, unsplit, unsplitTokens, minimum, sleepBelow, reviewedAt } = stats;
  printLine(`active     ${active}`);
  printLine(`dormant    ${dormant}`);
  printLine(`archived   ${archived}`);
  printLine(`unsplit    ${counted(unsplit, "message")}, ${unsplitTokens} tokens`);
  printLine(
    `to wake    an average of ${minimum.toFixed(2)}; below ${sleepBelow.toFixed(2)} a topic goes to sleep`,
  );
  printLine(`reviewed   ${reviewedAt === undefined ? "not yet" : shortTime(reviewedAt)}`);
}
