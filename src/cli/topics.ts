/** `memd topics`: what one conversation is about, in parts, and who of them is awake. */
import pc from "picocolors";
import type { AnswerOf } from "../service/operations.js";
import { tell, type CommonOptions } from "./context.js";
import { dateFlag } from "./dates.js";
import { askMemd } from "./memd.js";
import { counted, shortTime, table } from "./words.js";

type TopicsOptions = CommonOptions & { as?: string };

export async function listTopics(options: TopicsOptions & { all?: boolean; stats?: boolean }): Promise<void> {
  const { all, as } = options;
  tell(options, await askMemd(options, "listTopics", { all, as }), ({ topics, stats }) => {
    if (options.stats === true) return statLines(stats);
    if (topics.length === 0)
      return `No topics yet: ${counted(stats.unsplit, "message")} of ${stats.unsplitTokens} tokens wait to be many enough.`;
    const rows = topics.map(({ id, name, state, dates, messages, relevance }) => [
      id,
      name,
      state,
      dates,
      String(messages),
      relevance.toFixed(2),
    ]);
    return [
      table(["id", "topic", "state", "dates", "messages", "relevance"], rows),
      pc.dim(`\n${counted(stats.unsplit, "message")} in no topic yet. memd topics show ID`),
    ];
  });
}

export async function showTopic(topic: string, options: TopicsOptions): Promise<void> {
  const asked = { as: options.as, topic };
  tell(options, await askMemd(options, "showTopic", asked), ({ name, state, dates, file, brief, said }) => [
    `${pc.bold(name)}  ${state}, ${dates}, ${file}`,
    ...(brief === "" ? [] : [`\n${brief}`]),
    "",
    ...said.map(
      ({ id, at, name, text }) =>
        `${pc.dim(`[${id}] ${shortTime(at)}`)} ${name}: ${text.replace(/\s+/g, " ")}`,
    ),
  ]);
}

export async function activateTopics(
  query: string,
  options: TopicsOptions & { from?: string; to?: string },
): Promise<void> {
  const time_from = await dateFlag(options, "from", options.from);
  const time_to = await dateFlag(options, "to", options.to);
  const asked = { as: options.as, query, time_from, time_to };
  tell(options, await askMemd(options, "activateTopics", asked), ({ found, candidates }) => {
    if (found.length > 0)
      return ["These know of it, and the prompt shows what they know:", ...found.flatMap(foundLines)];
    if (candidates.length > 0)
      return ["No topic surely knows of it. Is one of these meant?", ...candidates.flatMap(foundLines)];
    return `No topic knows of it. memd search ${JSON.stringify(query)} looks through every word.`;
  });
}

export async function renameTopic(topic: string, name: string, options: TopicsOptions): Promise<void> {
  const renamed = await askMemd(options, "renameTopic", { as: options.as, topic, name });
  tell(options, renamed, () => `${renamed.id} is called ${renamed.name}.`);
}

export async function mergeTopics(into: string, topics: string[], options: TopicsOptions): Promise<void> {
  const merged = await askMemd(options, "mergeTopics", { as: options.as, topics, into });
  tell(options, merged, () => `${merged.name} has ${counted(merged.messages, "message")} now.`);
}

export async function splitTopic(topic: string, options: TopicsOptions): Promise<void> {
  const { topics } = await askMemd(options, "splitTopic", { as: options.as, topic });
  tell(options, topics, () =>
    topics.map(({ id, name, messages }) => `${id}  ${name}, ${counted(messages, "message")}`),
  );
}

export async function archiveTopic(topic: string, options: TopicsOptions): Promise<void> {
  const archived = await askMemd(options, "archiveTopic", { as: options.as, topic });
  const how = "memd topics activate TEXT wakes it.";
  tell(options, archived, () => `${archived.name} is archived: ${archived.file}. ${how}`);
}

export async function reviewTopics(options: TopicsOptions): Promise<void> {
  const done = await askMemd(options, "reviewTopics", { as: options.as });
  tell(options, done, () => `Merged ${done.merged}, archived ${done.archived}.`);
}

type FoundTopic = AnswerOf<"activateTopics">["found"][number];

function foundLines({ id, name, dates, about, woken }: FoundTopic): string[] {
  const head = `\n${pc.bold(name)}  ${pc.dim(`${id}, ${dates}${woken ? ", woken" : ""}`)}`;
  return about === "" ? [head] : [head, `  ${about}`];
}

function statLines(stats: AnswerOf<"listTopics">["stats"]): string[] {
  const { active, dormant, archived, unsplit, unsplitTokens, minimum, sleepBelow, reviewedAt } = stats;
  return [
    `active     ${active}`,
    `dormant    ${dormant}`,
    `archived   ${archived}`,
    `unsplit    ${counted(unsplit, "message")}, ${unsplitTokens} tokens`,
    `to wake    an average of ${minimum.toFixed(2)}; below ${sleepBelow.toFixed(2)} a topic goes to sleep`,
    `reviewed   ${reviewedAt === undefined ? "not yet" : shortTime(reviewedAt)}`,
  ];
}
