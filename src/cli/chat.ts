/**
 * `memd chat`: a small reference Teller. What is typed goes into the inbox; the model reads the prompt that
 * memd writes for it; its answer goes into history.json, and what it wants to keep into the queue: the whole
 * circle that an agent of one's own goes through. Its tools answer as whoever the chat speaks for, and what
 * was found is quoted, so that nothing in it reads as anything but what somebody said.
 */
import { addAll } from "../model/collections.js";
import pc from "picocolors";
import * as z from "zod";
import type { Address } from "../model/address.js";
import { MemdError } from "../model/errors.js";
import type { IncomingMessage, MessageId } from "../model/message.js";
import type { Settings } from "../model/settings.js";
import { isoOf, SECOND_MS } from "../model/time.js";
import type { UsageRecord } from "../model/work.js";
import { endedJob, spokenMessage } from "../service/given.js";
import { tellerTurn, type TellerAnswer, type TellerOptions, type TellerTool } from "../llm/teller.js";
import { modelFor } from "../llm/openai.js";
import { chooseProvider, keyVariable } from "../llm/job-line.js";
import { boundedFetch } from "../platform/http-client.js";
import { fileLocks, type Locks } from "../platform/lock.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { environment, readLines, terminal } from "../platform/process.js";
import { printMessage } from "../protocol/message.js";
import type { FileWriter } from "../protocol/publish.js";
import { EMPTY_LIST, type MessageList, parseListBytes, printList, writeDrop } from "../protocol/read-list.js";
import { rewriteShared } from "../protocol/shared-file.js";
import { writeJob } from "../protocol/queue.js";
import { readSettings } from "../protocol/settings.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import type { Ask } from "../serve/mcp/tool.js";
import { toolsFor } from "../serve/mcp/tools.js";
import type { AnswerOf, OperationName, SentTo } from "../service/operations.js";
import { useOwnPatterns } from "../text/redact.js";
import { commandClock, openWorkspace, printLine, type CommonOptions } from "./context.js";
import type { Memd } from "../library/running.js";
import { withMemd } from "./memd.js";
import { covering } from "./prompt.js";

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MEMO_CHARS = 120;
const writer = { ...ownerless, locks: fileLocks };
type LockingWriter = FileWriter & { locks: Locks };

export async function chat(words: string[], options: CommonOptions): Promise<void> {
  const workspace = await openWorkspace(options);
  const { llm, mcp, secrets } = await readSettings(nodeDisk, workspace);
  useOwnPatterns(workspace.root, secrets.patterns);
  const model = modelFor(llm, "strong");
  const variable = keyVariable(llm);
  const key = variable === undefined ? undefined : environment()[variable];
  const isKeyMissing = variable !== undefined && !key;
  if (chooseProvider(llm, environment()) === "builtin" || model === undefined || isKeyMissing)
    return withoutModel(workspace, options, variable);
  const clock = commandClock();
  const timeoutMs = llm.request_timeout_seconds * SECOND_MS;
  const fetch = boundedFetch({ timeoutMs, maxBytes: MAX_BODY_BYTES });
  const endpoint = { llm, key, clock, fetch, model };
  await withMemd(options, "works", async (memd) => {
    const turn = async (text: string): Promise<void> => {
      const id = await said(workspace, text);
      const { markdown, data } = await covering(memd, { ...options, wait: id });
      const end: TurnEnd = { observations: [] };
      const answer = await paidTurn(memd, endpoint, markdown, chatTools(memd, data.viewer, mcp, end));
      await keep(workspace, id, text, answer, end);
      if (answer.to === "failed")
        throw new MemdError("model_failed", `The model gave no answer: ${answer.reason}.`);
      printLine(answer.text);
    };
    const given = words.join(" ");
    if (given.trim() !== "") return turn(given);
    printLine(pc.dim(`Talking to ${model}. An empty line ends it.`));
    for await (const line of readLines(terminal.isTTY ? pc.bold("you: ") : "")) {
      if (line.trim() === "") return;
      await turn(line);
    }
  });
}

/** Under the day's cap, and in logs/usage.jsonl, like every other call. */
async function paidTurn(
  memd: Memd,
  endpoint: Omit<TellerOptions, "budgetTokens" | "onUsage">,
  prompt: string,
  tools: readonly TellerTool[],
): Promise<TellerAnswer> {
  const { leftTokens } = await memd.ask("usage", { time_from: isoOf(commandClock().now()) });
  const calls: UsageRecord[] = [];
  const onUsage = (call: UsageRecord): unknown => calls.push(call);
  try {
    return await tellerTurn({ ...endpoint, budgetTokens: leftTokens, onUsage }, prompt, tools);
  } finally {
    await memd.ask("addUsage", { calls });
  }
}

/** A newcomer sees what is missing, and what a model would be given. */
async function withoutModel(
  workspace: Workspace,
  options: CommonOptions,
  variable: string | undefined,
): Promise<void> {
  const { markdown } = await withMemd(options, "changes", (memd: Memd) => covering(memd, options));
  terminal.out(markdown);
  printLine();
  const name = variable ?? "OPENAI_API_KEY";
  throw new MemdError(
    "no_model",
    `There is no model to talk to; above is the prompt that it would read. Name one in ${at(workspace, FILES.settings)} under [llm]: models = { strong = "…" }, and base_url for an endpoint of yours, or api_key_env = "${name}" with the key in that variable.`,
  );
}

async function said(workspace: Workspace, text: string): Promise<MessageId> {
  const now = commandClock().now();
  return writeDrop(writer, workspace, spokenMessage({ text }, now), now);
}

/** The answer into history.json, the question out of inbox.json, and the end of the turn into the queue. */
async function keep(
  workspace: Workspace,
  id: MessageId,
  question: string,
  answer: TellerAnswer,
  end: TurnEnd,
): Promise<void> {
  const now = commandClock().now();
  const agents = { role: "agent", createdAt: isoOf(now) } as const;
  await answerInto(writer, workspace, id, [
    ...answer.uses.map((tool) => ({ ...agents, text: "", tool })),
    ...(answer.to === "answer" ? [{ ...agents, text: answer.text }] : []),
  ]);
  if (answer.to !== "answer") return;
  const memo = end.memo ?? `Answered: ${question.slice(0, MEMO_CHARS).toWellFormed()}`;
  const job = endedJob({ memo, observations: end.observations }, now);
  if (job !== undefined) await writeJob(writer, workspace, job, now);
}

/** What the model leaves behind at the end of its turn. */
interface TurnEnd {
  memo?: string;
  observations: string[];
}

/** It stands in front of the model already. */
const NEEDLESS = "get_prompt";

/** Those that an agent has over MCP, as whoever the chat speaks for; what `end` keeps waits for the answer. */
function chatTools(
  memd: Memd,
  { user, scope, session }: Address,
  settings: Settings["mcp"],
  end: TurnEnd,
): TellerTool[] {
  const seat = { user, scope, session };
  const ask: Ask = async <N extends OperationName>(name: N, asked: object) => {
    if (name === "end") return kept(end, asked) as AnswerOf<N>;
    return memd.ask(name, { ...asked, as: seat } as SentTo<N>);
  };
  const room = { answer: settings.answer_tokens, prompt: settings.prompt_tokens };
  return toolsFor(seat, settings.tools)
    .filter(({ name }) => name !== NEEDLESS)
    .map((tool) => {
      const { $schema: _schema, ...parameters } = z.toJSONSchema(tool.input, { io: "input" }) as Record<
        string,
        unknown
      >;
      return {
        name: tool.name,
        description: tool.description,
        parameters,
        run: async (asked) => (await tool.run(ask, tool.input.parse(asked), room)).text,
      };
    });
}

function kept(end: TurnEnd, { memo, observations = [] }: Partial<TurnEnd>): { id: string } {
  if (memo !== undefined) end.memo = memo;
  addAll(end.observations, observations);
  return { id: "with the answer" };
}

/** History first: killed between the two, the question is answered again and nothing is lost. */
export async function answerInto(
  writer: LockingWriter,
  workspace: Workspace,
  answered: MessageId,
  turn: readonly IncomingMessage[],
): Promise<void> {
  if (turn.length > 0)
    await change(writer, workspace, FILES.history, (list) => {
      const added = turn.map((message) => ({ raw: printMessage(message), message }));
      return { ...list, entries: [...list.entries, ...added] };
    });
  await change(writer, workspace, FILES.inbox, (list) => {
    const entries = list.entries.filter(({ message }) => message?.id !== answered);
    return entries.length === list.entries.length ? undefined : { ...list, entries };
  });
}

async function change(
  writer: LockingWriter,
  workspace: Workspace,
  file: string,
  next: (list: MessageList) => MessageList | undefined,
): Promise<void> {
  await rewriteShared(writer, workspace, at(workspace, file), async (bytes) => {
    const reading = bytes === undefined ? undefined : await parseListBytes(bytes);
    if (reading?.is === "unreadable")
      throw new MemdError("file_unreadable", `${file} cannot be read: ${reading.reason}.`);
    const changed = next(reading?.is === "list" ? reading.list : EMPTY_LIST);
    return changed && Buffer.from([...printList(changed)].join(""));
  });
}
