/**
 * The command line: which commands there are and what they take. Each command's
 * work is a file of its own, loaded only when it is asked for.
 */
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { EXIT, isMemdError } from "../model/errors.js";
import { PASSAGE_KINDS, RECALL_MODES } from "../model/passage.js";
import { RECORD_KINDS } from "../model/record.js";
import { packageVersion } from "../platform/package-root.js";
import { arguments_, endOnClosedPipe, setExitCode } from "../platform/process.js";
import { addTopicCommands } from "./topic-commands.js";
import { printError, type CommonOptions } from "./context.js";
import type {
  DocumentFlags,
  EndFlags,
  EventsFlags,
  ForgetFlags,
  PromptFlags,
  SayFlags,
  SearchFlags,
  StartFlags,
} from "./flags.js";

const READER = "only what may be read from there: user/scope/session (default: the owner, who sees all)";

export async function main(): Promise<void> {
  endOnClosedPipe();
  const program = createProgram();
  try {
    await program.parseAsync([...arguments_()]);
  } catch (error) {
    if (error instanceof CommanderError) {
      setExitCode(error.exitCode === 0 ? EXIT.done : EXIT.usage);
      return;
    }
    printError(error, arguments_().includes("--debug"));
    setExitCode(isMemdError(error) ? error.exit : EXIT.failed);
  }
}

export function createProgram(): Command {
  const program = new Command("memd")
    .description("A memory made of plain files for an AI agent.")
    .version(packageVersion(), "-V, --version")
    .showHelpAfterError("Run `memd --help` to see the commands.")
    .exitOverride();
  const add = (name: string, description: string): Command =>
    common(program.command(name).description(description));

  add("init", "make a folder a workspace")
    .argument("[folder]", "this one unless it is named here or with --workspace")
    .option("--sample", "with a sample conversation of four months")
    .action(async (folder: string | undefined, options: CommonOptions & { sample?: boolean }) =>
      (await import("./init.js")).init(folder, options),
    );
  add("start", "watch the workspace, archive, and keep the prompt up to date")
    .option("--sample", "make a sample workspace first, when there is none")
    .addOption(new Option("--detach", "in the background").conflicts("untilIdle"))
    .option("--port <port>", "answer on this port of 127.0.0.1 too; the token is in .memd/token", portNumber)
    .option("--until-idle", "stop as soon as there is nothing left to do")
    .action(async (options: StartFlags) => (await import("./start.js")).start(options));
  add("stop", "stop the running memd").action(async (options: CommonOptions) =>
    (await import("./stop.js")).stop(options),
  );
  add("status", "what memd knows and what it is doing").action(async (options: CommonOptions) =>
    (await import("./status.js")).status(options),
  );
  add("archive", "archive what is due")
    .option("--now", "everything that is not archived yet, whatever its next attempt")
    .option("--dry-run", "only show what would be done, and what it would cost")
    .action(async (options: CommonOptions & { now?: boolean; dryRun?: boolean }) =>
      (await import("./archive.js")).archive(options),
    );
  add("search", "find something again")
    .argument("<query...>", "what to look for")
    .option("-n, --limit <n>", "how many hits, 1000 at most", hitLimit)
    .option("--from <date>", "said on or after this day or time")
    .option("--to <date>", "said on or before this day or time")
    .option("--as-of <date>", "only what had been said by then")
    .option("--explain", "why each hit came")
    .addOption(new Option("--kind <kind...>", "only these").choices(PASSAGE_KINDS))
    .addOption(
      new Option("--mode <mode>", "by words, by meaning, by both, or with other words of a model's").choices(
        RECALL_MODES,
      ),
    )
    .option("--no-rerank", "leave the order as it is, where a rerank model is named")
    .option("--scope <scope>", "only this scope")
    .option("--user <user>", "only this user")
    .option("--session <session>", "only this session")
    .option("--as <address>", READER)
    .action(async (query: string[], options: SearchFlags) =>
      (await import("./search.js")).search(query.join(" "), options),
    );
  add("events", "what happened, best first; without a question the newest first")
    .argument("[query...]", "what to look for")
    .option("-n, --limit <n>", "how many, 12 when not given", hitLimit)
    .option("--from <date>", "on or after this day or time")
    .option("--to <date>", "on or before this day or time")
    .addOption(new Option("--kind <kind...>", "these instead of events").choices(RECORD_KINDS))
    .option("--user <user>", "only what is of this user")
    .option("--group <group>", "only what is of this group")
    .option("--as <address>", READER)
    .action(async (query: string[], options: EventsFlags) =>
      (await import("./events.js")).events(query.length === 0 ? undefined : query.join(" "), options),
    );
  add("reindex", "make the index of search anew from the files").action(async (options: CommonOptions) =>
    (await import("./reindex.js")).reindex(options),
  );
  add("prompt", "print the prompt as the agent reads it")
    .option("--wait <id>", "wait until it covers this inbox message")
    .option("--for <address>", "of this conversation: user/scope/session, each may be left empty")
    .option("--explain", "what each section costs, and what was left out and why")
    .option("--patience <seconds>", "so long at most; 30 when not given", wholeNumber)
    .action(async (options: PromptFlags) => (await import("./prompt.js")).prompt(options));
  add("say", "put a message into the inbox")
    .argument("<text...>", "the message; - reads it from standard input")
    .option("--user <user>", "who says it")
    .option("--speaker <name>", "name to show")
    .option("--scope <scope>", "where")
    .option("--session <session>", "in which conversation")
    .action(async (text: string[], options: SayFlags) =>
      (await import("./say.js")).say(text.join(" "), options),
    );
  add("end", "leave behind what is kept of a turn")
    .option("--memo <text>", "one line on what was done")
    .option("--observe <text...>", "what is worth keeping, one thing each")
    .option("--force", "keep it as it is, even where it does not stand alone")
    .option("--close", "the conversation is over: facts that are of it alone go")
    .option("--user <user>", "whose conversation it was")
    .option("--scope <scope>", "where")
    .option("--session <session>", "in which conversation")
    .action(async (options: EndFlags) => (await import("./end.js")).end(options));
  const queue = program.command("queue").description("what waits to become records, and what failed");
  common(queue.command("list").description("every job with its state")).action(
    async (options: CommonOptions) => (await import("./queue.js")).listQueue(options),
  );
  const job = (name: string, says: string): Command =>
    common(queue.command(name).description(says)).argument(
      "<id>",
      "its id, or an end of it that no other has",
    );
  job("show", "what a job says, and why it failed").action(async (id: string, options: CommonOptions) =>
    (await import("./queue.js")).showJob(id, options),
  );
  job("retry", "have a failed job tried again").action(async (id: string, options: CommonOptions) =>
    (await import("./queue.js")).retryJob(id, options),
  );
  job("drop", "take a job away that waits or has failed").action(async (id: string, options: CommonOptions) =>
    (await import("./queue.js")).dropJob(id, options),
  );
  add("chat", "talk to a model that reads the prompt, answers and remembers")
    .argument("[text...]", "one turn with this; without it, line by line")
    .action(async (text: string[], options: CommonOptions) =>
      (await import("./chat.js")).chat(text.join(" "), options),
    );
  const memory = program.command("memory").description("what is pinned into every prompt: memory.md");
  common(memory.command("list").description("its entries, with their numbers")).action(
    async (options: CommonOptions) => (await import("./memory.js")).listMemory(options),
  );
  common(memory.command("add").description("pin something"))
    .argument("<text...>", "one entry; - reads it from standard input")
    .option("--heading <heading>", "under this heading of memory.md; Notes when not given")
    .action(async (text: string[], options: CommonOptions & { heading?: string }) =>
      (await import("./memory.js")).addMemory(text.join(" "), options),
    );
  common(memory.command("update").description("change what an entry says"))
    .argument("<entry>", "its number, its id, its text, or a part of it that no other entry has")
    .argument("<text...>", "what it says from now on; - reads it from standard input")
    .action(async (entry: string, text: string[], options: CommonOptions) =>
      (await import("./memory.js")).updateMemory(entry, text.join(" "), options),
    );
  common(memory.command("remove").alias("delete").description("take an entry away"))
    .argument("<entry...>", "its number, its id, its text, or a part of it that no other entry has")
    .action(async (entry: string[], options: CommonOptions) =>
      (await import("./memory.js")).removeMemory(entry.join(" "), options),
    );
  add("add-document", "add a text that is looked up: searched word for word, and read by the historian")
    .argument("<file>", "a file of text; - reads standard input")
    .option("--id <id>", "what it is known by; its name when not given. The same id again replaces it")
    .option("--title <title>", "what it is called; its first heading when not given")
    .option("--scope <scope>", "whose documents it is of")
    .option("--user <user>", "whose it is")
    .action(async (file: string, options: DocumentFlags) =>
      (await import("./add-document.js")).addDocument(file, options),
    );
  const documents = program.command("documents").description("texts that were added");
  common(documents.command("list").description("every document, and where it came from")).action(
    async (options: CommonOptions) => (await import("./documents.js")).listDocuments(options),
  );
  common(documents.command("remove").description("take a document away, with what was found in it"))
    .argument("<id>", "its id")
    .option("--scope <scope>", "of this scope, where several have it")
    .action(async (id: string, options: CommonOptions & { scope?: string }) =>
      (await import("./documents.js")).removeDocument(id, options),
    );
  const profile = program.command("profile").description("what is known of people and groups");
  const of = (name: string, says: string): Command =>
    common(profile.command(name).description(says)).argument("<who>", "a user's id, or group:ID");
  common(profile.command("list").description("of whom something is known"))
    .option("--as <address>", READER)
    .action(async (options: CommonOptions & { as?: string }) =>
      (await import("./profile.js")).listProfiles(options),
    );
  of("show", "what is known of somebody")
    .option("--revision <version>", "as it was then; see `memd profile history`")
    .option("--as <address>", READER)
    .action(async (who: string, options: CommonOptions & { revision?: string; as?: string }) =>
      (await import("./profile.js")).showProfile(who, options),
    );
  of("history", "older versions, newest first")
    .option("--as <address>", READER)
    .action(async (who: string, options: CommonOptions & { as?: string }) =>
      (await import("./profile.js")).profileHistory(who, options),
    );
  of("diff", "what has changed since an older version")
    .argument("[version]", "the newest of the older ones when not given")
    .option("--as <address>", READER)
    .action(async (who: string, version: string | undefined, options: CommonOptions & { as?: string }) =>
      (await import("./profile.js")).diffProfile(who, version, options),
    );
  of("rollback", "have an older version stand again")
    .argument("[version]", "the newest of the older ones when not given")
    .action(async (who: string, version: string | undefined, options: CommonOptions) =>
      (await import("./profile.js")).rollbackProfile(who, version, options),
    );
  common(profile.command("search").description("of whom something is said"))
    .argument("<query...>", "what to look for")
    .option("-n, --limit <n>", "how many, 8 when not given", hitLimit)
    .option("--as <address>", READER)
    .action(async (query: string[], options: CommonOptions & { limit?: number; as?: string }) =>
      (await import("./profile.js")).searchProfiles(query.join(" "), options),
    );
  addTopicCommands(program, common);
  add("forget", "forget a conversation, a place, a message or a record, for good")
    .option("--session <session>", "this conversation")
    .option("--scope <scope>", "where; alone, all that was said and kept there")
    .option("--user <user>", "only what is of this user's side of the conversation")
    .option("--id <id>", "this message or record")
    .option("--dry-run", "only show what would go")
    .option("-y, --yes", "without asking")
    .action(async (options: ForgetFlags) => (await import("./forget.js")).forget(options));
  add("prune", "remove what verbatim files hold twice and what your retention lets go")
    .option("--dry-run", "only show what would go")
    .action(async (options: CommonOptions & { dryRun?: boolean }) =>
      (await import("./prune.js")).prune(options),
    );
  add("usage", "what the models cost").action(async (options: CommonOptions) =>
    (await import("./usage.js")).usage(options),
  );
  add("doctor", "check this machine and this workspace").action(async (options: CommonOptions) =>
    (await import("./doctor.js")).doctor(options),
  );
  add("logs", "what happened")
    .option("-n, --lines <n>", "how many of the newest lines", wholeNumber, 50)
    .option("-f, --follow", "and what happens next")
    .action(async (options: CommonOptions & { lines: number; follow?: boolean }) =>
      (await import("./logs.js")).logs(options),
    );
  const config = program.command("config").description("settings of the workspace");
  common(config.command("check").description("say whether memd.toml is valid")).action(
    async (options: CommonOptions) => (await import("./config.js")).checkConfig(options),
  );
  add("import", "take in a conversation from a file of JSON lines; safe to repeat")
    .argument(
      "<file>",
      "lines {conversation?, session?, id?, role, speaker?, text, createdAt}; - reads standard input",
    )
    .action(async (file: string, options: CommonOptions) =>
      (await import("./import.js")).importFile(file, options),
    );
  return program;
}

function common(command: Command): Command {
  return command
    .option("-w, --workspace <dir>", "the workspace (default: MEMD_WORKSPACE, else this folder)")
    .option("--json", "machine-readable output")
    .option("--debug", "with stack traces")
    .exitOverride();
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(text);
}

function hitLimit(text: string): number {
  const limit = wholeNumber(text);
  if (limit > 1000) throw new InvalidArgumentError("It must be 1000 at most.");
  return limit;
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65_535) throw new InvalidArgumentError("It must be a port number.");
  return port;
}
