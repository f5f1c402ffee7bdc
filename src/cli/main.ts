/** The command line: which commands there are and what they take. What they do is loaded only when it is asked for. */
import { Argument, Command, CommanderError, Option } from "commander";
import { EXIT, isMemdError, MemdError, problemOf } from "../model/errors.js";
import { PASSAGE_KINDS, RECALL_MODES } from "../model/passage.js";
import { RECORD_KINDS } from "../model/record.js";
import { packageVersion } from "../platform/package-root.js";
import { arguments_, endOnClosedPipe, setExitCode, terminal } from "../platform/process.js";
import { adding } from "./adding.js";
import { addAgents } from "./agents.js";
import { hitLimit, inOne, portNumber, wholeNumber } from "./arguments.js";
import { printError, printJson } from "./context.js";
import { withExamples } from "./examples.js";
import { addLettingIn } from "./letting-in.js";
import { addMany } from "./many.js";
import { addPast } from "./past.js";

const READER = "only what may be read from there: user/scope/session (default: the owner, who sees all)";
const WHOSE_TOPICS = "of this user in this place: user/scope (default: the owner's, in main)";
const PORCELAIN = "a line for each, as in a pipe";
const MODES = "by words, by meaning, by both, or with other words of a model's";

export async function main(): Promise<void> {
  endOnClosedPipe();
  const program = createProgram();
  try {
    await program.parseAsync([...arguments_()]);
  } catch (error) {
    const [json, debug] = ["--json", "--debug"].map((option) => arguments_().includes(option));
    if (error instanceof CommanderError) {
      const isMistake = error.exitCode !== 0;
      if (isMistake && json === true)
        printJson({ error: problemOf(new MemdError("usage", error.message.replace(/^error: /, ""))) });
      return setExitCode(isMistake ? EXIT.usage : EXIT.done);
    }
    printError(error, { json: json === true, debug: debug === true });
    setExitCode(isMemdError(error) ? error.exit : EXIT.failed);
  }
}

export function createProgram(): Command {
  const program = new Command("memd")
    .description("A memory made of plain files for an AI agent.")
    .version(packageVersion(), "-V, --version")
    .showHelpAfterError("Run `memd --help` to see the commands.")
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .exitOverride();
  const { add, group } = adding(program);

  add("init", () => import("./init.js"))
    .description("make a folder a workspace")
    .argument("[folder]", "this one unless it is named here or with --workspace")
    .option("--sample", "with a sample conversation of four months")
    .option("--git", "with a repository in which memd commits what it writes; in a workspace, too")
    .option("--dry-run", "only show what is there, and whether it can become one");
  add("start", () => import("./start.js"))
    .description("watch the workspace, archive, and keep the prompt up to date")
    .option("--sample", "make a sample workspace first, when there is none")
    .addOption(new Option("--detach", "in the background").conflicts("untilIdle"))
    .option("--port <port>", "answer on this port of 127.0.0.1 too; the token is in .memd/token", portNumber)
    .addOption(
      new Option("--root <folder>", "serve every workspace below it").conflicts(["sample", "detach"]),
    )
    .option("--until-idle", "stop as soon as there is nothing left to do");
  add("stop", () => import("./stop.js"))
    .description("stop the running memd")
    .option("--root <folder>", "the one that serves every workspace below it");
  add("status", () => import("./status.js")).description("what memd knows and what it is doing");
  add("archive", () => import("./upkeep.js"))
    .description("archive what is due")
    .option("--now", "everything that is not archived yet, whatever its next attempt")
    .option("--dry-run", "only show what would be done, and what it would cost");
  add("search", () => import("./find.js"))
    .description("find something again")
    .argument("<query...>", "what to look for", inOne)
    .option("-n, --limit <n>", "how many hits, 1000 at most", hitLimit)
    .option("--from <date>", "said on or after this day or time")
    .option("--to <date>", "said on or before this day or time")
    .option("--as-of <date>", "only what had been said by then")
    .option("--explain", "why each hit came")
    .option("--porcelain", PORCELAIN)
    .addOption(new Option("--kind <kind...>", "only these").choices(PASSAGE_KINDS))
    .addOption(new Option("--mode <mode>", MODES).choices(RECALL_MODES))
    .option("--no-rerank", "leave the order as it is, where a rerank model is named")
    .option("--scope <scope>", "only this scope")
    .option("--user <user>", "only this user")
    .option("--session <session>", "only this session")
    .option("--as <address>", READER);
  add("events", () => import("./find.js"))
    .description("what happened, best first; without a question the newest first")
    .argument("[query...]", "what to look for")
    .option("-n, --limit <n>", "how many, 12 when not given", hitLimit)
    .option("--from <date>", "on or after this day or time")
    .option("--to <date>", "on or before this day or time")
    .addOption(new Option("--kind <kind...>", "only these, plans and likings too").choices(RECORD_KINDS))
    .option("--user <user>", "only what is of this user")
    .option("--group <group>", "only what is of this group")
    .option("--porcelain", PORCELAIN)
    .option("--as <address>", READER);
  add("scopes", () => import("./scopes.js"))
    .description("where something was said; with a scope, its conversations")
    .argument("[scope]", "as `memd scopes` lists it")
    .option("--as <address>", READER);
  add("read", () => import("./read.js"))
    .description("read what stands in a source")
    .argument("<source>", "as a search prints it: memory/2026-03-07.md:12, notes/boat.md:3")
    .option("--from <line>", "from this line on", wholeNumber)
    .option("--to <line>", "up to this line", wholeNumber)
    .option("--as <address>", READER);
  add("mcp", () => import("./mcp.js"))
    .description("answer an agent over MCP, on standard input and output")
    .addOption(new Option("--tools <set>", "which tools it is shown").choices(["basic", "all"]))
    .option("--as <address>", "as whom it reads: user/scope/session (default: the owner)");
  add("reindex", () => import("./upkeep.js")).description("make the index of search anew from the files");
  add("prompt", () => import("./prompt.js"))
    .description("print the prompt as the agent reads it")
    .option("--wait <id>", "wait until it covers this inbox message")
    .option("--for <address>", "of this conversation: user/scope/session, as lin/main/s-1")
    .option("--explain", "what each section costs, and what was left out and why")
    .option("--patience <seconds>", "so long at most; 30 when not given", wholeNumber);
  add("say", () => import("./turn.js"))
    .description("put a message into the inbox")
    .argument("<text...>", "the message; - reads it from standard input", inOne)
    .option("--user <user>", "who says it")
    .option("--speaker <name>", "name to show")
    .option("--scope <scope>", "where")
    .option("--session <session>", "in which conversation");
  add("end", () => import("./turn.js"))
    .description("leave behind what is kept of a turn")
    .option("--memo <text>", "one line on what was done")
    .option("--observe <text...>", "what is worth keeping, one thing each")
    .option("--force", "keep it as it is, even where it does not stand alone")
    .option("--close", "the conversation is over: facts that are of it alone go")
    .option("--user <user>", "whose conversation it was")
    .option("--scope <scope>", "where")
    .option("--session <session>", "in which conversation");

  const queue = group("queue", "what waits to become records, and what failed", () => import("./queue.js"));
  const JOB = ["<id>", "its id, or an end of it that no other has"] as const;
  queue("list", "every job with its state", (file) => file.listQueue);
  queue("show", "what a job says, and why it failed", (file) => file.showJob).argument(...JOB);
  queue("retry", "have a failed job tried again", (file) => file.retryJob).argument(...JOB);
  queue("drop", "take a job away that waits or has failed", (file) => file.dropJob).argument(...JOB);

  add("chat", () => import("./chat.js"))
    .description("talk to a model that reads the prompt, answers and remembers")
    .argument("[text...]", "one turn with this; without it, line by line");

  const memory = group("memory", "what is pinned into every prompt: memory.md", () => import("./memory.js"));
  const ENTRY = "its number, its id, its text, or a part of it that no other entry has";
  const WHOSE = ["--as <address>", "of this user instead: user/scope (default: memory.md)"] as const;
  memory("list", "its entries, with their numbers", (file) => file.listMemory).option(...WHOSE);
  memory("add", "pin something", (file) => file.addMemory)
    .argument("<text...>", "one entry; - reads it from standard input", inOne)
    .option("--heading <heading>", "under this heading of memory.md; Notes when not given")
    .option(...WHOSE);
  memory("update", "change what an entry says", (file) => file.updateMemory)
    .argument("<entry>", ENTRY)
    .argument("<text...>", "what it says from now on; - reads it from standard input", inOne)
    .option(...WHOSE);
  memory("remove", "take an entry away", (file) => file.removeMemory)
    .alias("delete")
    .argument("<entry...>", ENTRY, inOne)
    .option(...WHOSE);

  add("add-document", async () => ({
    "add-document": (await import("./documents.js")).addDocument,
  }))
    .description("add a text that is looked up: searched word for word, and read by the historian")
    .argument("<file>", "a file of text; - reads standard input")
    .option("--id <id>", "what it is known by; its name when not given. The same id again replaces it")
    .option("--title <title>", "what it is called; its first heading when not given")
    .option("--scope <scope>", "whose documents it is of")
    .option("--user <user>", "whose it is");
  const documents = group("documents", "texts that were added", () => import("./documents.js"));
  documents("list", "every document, and where it came from", (file) => file.listDocuments);
  documents("remove", "take a document away, with what was found in it", (file) => file.removeDocument)
    .argument("<id>", "its id")
    .option("--scope <scope>", "of this scope, where several have it");

  const profile = group("profile", "what is known of people and groups", () => import("./profile.js"));
  const WHO = ["<who>", "a user's id, or group:ID"] as const;
  const VERSION = ["[version]", "the newest of the older ones when not given"] as const;
  profile("list", "of whom something is known", (file) => file.listProfiles).option("--as <address>", READER);
  profile("show", "what is known of somebody", (file) => file.showProfile)
    .argument(...WHO)
    .option("--revision <version>", "as it was then; see `memd profile history`")
    .option("--as <address>", READER);
  profile("history", "older versions, newest first", (file) => file.profileHistory)
    .argument(...WHO)
    .option("--as <address>", READER);
  profile("diff", "what has changed since an older version", (file) => file.diffProfile)
    .argument(...WHO)
    .argument(...VERSION)
    .option("--as <address>", READER);
  profile("rollback", "have an older version stand again", (file) => file.rollbackProfile)
    .argument(...WHO)
    .argument(...VERSION);
  profile("search", "of whom something is said", (file) => file.searchProfiles)
    .argument("<query...>", "what to look for", inOne)
    .option("-n, --limit <n>", "how many, 8 when not given", hitLimit)
    .option("--as <address>", READER);

  const topics = group("topics", "what the conversation is about, in parts", () => import("./topics.js"));
  const TOPIC = ["<topic>", "its id or its whole name"] as const;
  const ofTopics = (...row: Parameters<typeof topics>): Command =>
    topics(...row).option("--as <address>", WHOSE_TOPICS);
  ofTopics("list", "active ones first", (file) => file.listTopics, { isDefault: true })
    .option("--all", "with those that are archived, divided or merged")
    .option("--stats", "how many of each, and what it takes to wake");
  ofTopics("show", "what it is about, and what was said in it", (file) => file.showTopic).argument(...TOPIC);
  ofTopics(
    "activate",
    "look for what may have been forgotten, archived topics too, and wake who knows of it",
    (file) => file.activateTopics,
  )
    .argument("<query...>", "what to look for", inOne)
    .option("--from <day>", "only topics of that day or later")
    .option("--to <day>", "only topics of that day or earlier");
  ofTopics("rename", "call a topic by another name", (file) => file.renameTopic)
    .argument(...TOPIC)
    .argument("<name...>", "what it is called from now on", inOne);
  ofTopics("merge", "make several topics one", (file) => file.mergeTopics)
    .argument("<into>", "the one that stays, by id or name")
    .argument("<topics...>", "those that become part of it");
  ofTopics("split", "divide a topic into sub-topics", (file) => file.splitTopic).argument(...TOPIC);
  ofTopics("archive", "put a topic away until somebody asks for it", (file) => file.archiveTopic).argument(
    ...TOPIC,
  );
  ofTopics(
    "review",
    "the daily review, now: merge what is one, archive what is over",
    (file) => file.reviewTopics,
  );

  add("forget", () => import("./forget.js"))
    .description("forget a conversation, a place, a message or a record, for good")
    .option("--session <session>", "this conversation")
    .option("--scope <scope>", "where; alone, all that was said and kept there")
    .option("--user <user>", "only what is of this user's side of the conversation")
    .option("--id <id>", "this message or record")
    .option("--dry-run", "only show what would go")
    .option("-y, --yes", "without asking");
  add("resummarize", () => import("./resummarize.js"))
    .description("make summaries anew that were made without a model")
    .option("--all", "those too that a model has made")
    .option("--scope <scope>", "only of this scope")
    .option("--from <day>", "only of this day or later")
    .option("--to <day>", "only of this day or earlier")
    .option("--dry-run", "only show which");
  add("prune", () => import("./upkeep.js"))
    .description("remove what verbatim files hold twice and what your retention lets go")
    .option("--dry-run", "only show what would go");
  add("usage", () => import("./logs.js")).description("what the models cost");
  add("doctor", () => import("./doctor.js")).description("check this machine and this workspace");
  add("logs", () => import("./logs.js"))
    .description("what happened")
    .option("-n, --lines <n>", "how many of the newest lines", wholeNumber, 50)
    .option("-f, --follow", "and what happens next");
  const embed = group("embed", "search by meaning: which model gives vectors", () => import("./embed.js"));
  embed("status", "which there are on this machine, and what to do", (file) => file.embedStatus, {
    isDefault: true,
  });
  embed("accept", "let memd send texts to a server of this machine", (file) => file.acceptEmbedding).argument(
    "[model]",
    "the best that it offers when not given",
  );
  embed("decline", "send it no text any more", (file) => file.declineEmbedding);
  embed("install", "have memd run a small model itself: tells what comes, and asks", (file) => file.install)
    .argument("[model]", "the one of the settings, else one that reads a hundred languages")
    .option("--from <dir>", "copy the model's files from this folder, in place of having them fetched")
    .option("-y, --yes", "without asking");
  const config = group("config", "settings of the workspace", () => import("./doctor.js"));
  config("check", "say whether memd.toml is valid", (file) => file.checkConfig);
  config(
    "trust",
    "below a root, let its settings count that reach out of it",
    (file) => file.trustConfig,
  ).option("--withdraw", "not any more");
  const service = group("service", "memd as a service of systemd or launchd", () => import("./service.js"));
  service(
    "install",
    "have it run now, from each login on, and again after a crash",
    (file) => file.installService,
  )
    .option("--port <port>", "answer on this port of 127.0.0.1 too", portNumber)
    .option("--dry-run", "only show what would be written and run");
  service("remove", "stop it, and take away what was installed", (file) => file.removeService).option(
    "--dry-run",
    "only show what would be run and removed",
  );
  service("status", "whether it is installed, and whether it runs", (file) => file.serviceStatus);
  add("completion", () => import("./completion.js"))
    .description("print the script by which a shell completes commands and options")
    .addArgument(new Argument("<shell>", "for which shell").choices(["bash", "zsh", "fish"]));
  addPast(add);
  addAgents(add);
  addLettingIn(add, group);
  addMany(add);
  return withExamples(program);
}
