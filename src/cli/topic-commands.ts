/** The commands of `memd topics`. */
import type { Command } from "commander";
import type { TopicsOptions } from "./topics.js";

const WHOSE_TOPICS = "of this user in this place: user/scope (default: the owner's, in main)";

/** `common` adds the options that every command takes. */
export function addTopicCommands(program: Command, common: (command: Command) => Command): void {
  const topics = program.command("topics").description("what the conversation is about, in parts");
  const ofTopics = (name: string, says: string): Command =>
    common(topics.command(name, { isDefault: name === "list" }).description(says)).option(
      "--as <address>",
      WHOSE_TOPICS,
    );
  ofTopics("list", "active ones first")
    .option("--all", "with those that are archived, divided or merged")
    .option("--stats", "how many of each, and what it takes to wake")
    .action(async (options: TopicsOptions & { all?: boolean; stats?: boolean }) =>
      (await import("./topics.js")).listTopics(options),
    );
  ofTopics("show", "what it is about, and what was said in it")
    .argument("<topic>", "its id or its whole name")
    .action(async (topic: string, options: TopicsOptions) =>
      (await import("./topics.js")).showTopic(topic, options),
    );
  ofTopics("activate", "look for what may have been forgotten, archived topics too, and wake who knows of it")
    .argument("<query...>", "what to look for")
    .option("--from <day>", "only topics of that day or later")
    .option("--to <day>", "only topics of that day or earlier")
    .action(async (query: string[], options: TopicsOptions & { from?: string; to?: string }) =>
      (await import("./topics.js")).activateTopics(query.join(" "), options),
    );
  ofTopics("rename", "call a topic by another name")
    .argument("<topic>", "its id or its whole name")
    .argument("<name...>", "what it is called from now on")
    .action(async (topic: string, name: string[], options: TopicsOptions) =>
      (await import("./topics.js")).renameTopic(topic, name.join(" "), options),
    );
  ofTopics("merge", "make several topics one")
    .argument("<into>", "the one that stays, by id or name")
    .argument("<topics...>", "those that become part of it")
    .action(async (into: string, others: string[], options: TopicsOptions) =>
      (await import("./topics.js")).mergeTopics(into, others, options),
    );
  ofTopics("split", "divide a topic into sub-topics")
    .argument("<topic>", "its id or its whole name")
    .action(async (topic: string, options: TopicsOptions) =>
      (await import("./topics.js")).splitTopic(topic, options),
    );
  ofTopics("archive", "put a topic away until somebody asks for it")
    .argument("<topic>", "its id or its whole name")
    .action(async (topic: string, options: TopicsOptions) =>
      (await import("./topics.js")).archiveTopic(topic, options),
    );
  ofTopics("review", "the daily review, now: merge what is one, archive what is over").action(
    async (options: TopicsOptions) => (await import("./topics.js")).reviewTopics(options),
  );
}
