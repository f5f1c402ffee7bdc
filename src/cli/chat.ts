/**
 * `memd chat`: a small reference Teller. What is typed goes into the inbox; the model reads the prompt
 * that memd writes for it; its answer goes into history.json, and what it wants to keep into the queue:
 * the whole circle that an agent of one's own goes through.
 */
import pc from "picocolors";
import { MemdError } from "../model/errors.js";
import type { MessageId } from "../model/message.js";
import { isoOf, SECOND_MS } from "../model/time.js";
import type { UsageRecord } from "../model/work.js";
import { endedJob, spokenMessage } from "../library/checked.js";
import { tellerTurn, type TellerAnswer, type TellerOptions, type TellerTool } from "../llm/teller.js";
import { modelFor } from "../llm/openai.js";
import { chooseProvider, keyVariable } from "../llm/job-line.js";
import { boundedFetch } from "../platform/http-client.js";
import { fileLocks } from "../platform/lock.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { environment, readLines, terminal } from "../platform/process.js";
import { writeDrop } from "../protocol/read-list.js";
import { writeJob } from "../protocol/queue.js";
import { readSettings } from "../protocol/settings.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { answerInto, chatTools, type TurnEnd } from "./chat-tools.js";
import { useOwnPatterns } from "../text/secrets/find.js";
import { commandClock, openWorkspace, printLine, type CommonOptions } from "./context.js";
import type { Memd } from "../library/running.js";
import { withMemd } from "./memd.js";
import { covering } from "./prompt.js";

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MEMO_CHARS = 120;
const writer = { ...ownerless, locks: fileLocks };

export async function chat(words: string[], options: CommonOptions): Promise<void> {
  const workspace = await openWorkspace(options);
  const { llm, secrets } = await readSettings(nodeDisk, workspace);
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
      const answer = await paidTurn(memd, endpoint, markdown, chatTools(memd, data.viewer, end));
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
  const { leftTokens } = await memd.ask("budget", {});
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
