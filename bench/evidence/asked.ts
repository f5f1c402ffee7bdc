/**
 * Asks a prompt through the files: a workspace that memd imported and archived
 * itself, a supervisor on it, the question in `inbox.json`, the answer read
 * from `prompt.md`. The clock stands a day behind the last word.
 */
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { MARK_CHARS } from "../../src/adapters/hooks/marks.js";
import { LOCAL_USER, MAIN_SCOPE, type ScopeId } from "../../src/model/address.js";
import { MOST_BRIEFED_CHARS } from "../../src/model/briefing.js";
import type { PromptData } from "../../src/context/inputs.js";
import { settingsSchema } from "../../src/model/settings.js";
import { DAY_MS, epochMs, isoOf, later, MINUTE_MS, SECOND_MS, type EpochMs } from "../../src/model/time.js";
import { systemClock, systemRandom } from "../../src/platform/clock.js";
import { fileLocks } from "../../src/platform/lock.js";
import { silentLog } from "../../src/platform/log.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { indexThreads, promptsFolder, workerEntry } from "../../src/platform/package-root.js";
import { systemRipgrep } from "../../src/platform/ripgrep.js";
import { nodeSpawn } from "../../src/platform/spawn.js";
import { at, FILES, tellerDir } from "../../src/protocol/workspace.js";
import { indexIn, threadsIn } from "../../src/recall/index/open.js";
import { askedBy } from "../../src/service/given.js";
import { Memd } from "../../src/service/memd.js";
import type { EvidenceQuery, EvidenceSet, SetMessage } from "./set.js";

const BINARY = path.resolve(import.meta.dirname, "../../bin/memd.js");

export interface Answered {
  markdown: string;
  data: PromptData;
  /** From the question's rename into place until the prompt stands. */
  ms: number;
}

export interface PreparedSet {
  /** As they are in the workspace; of the sample too. */
  messages: readonly SetMessage[];
  ask(query: EvidenceQuery, memoryTokens: number): Promise<Answered>;
  close(): Promise<void>;
}

/** Where workspaces are kept for the next run, and whether a hook is asked instead of the prompt's file. */
export interface Asking {
  keep?: string | undefined;
  byHook?: boolean;
}

export async function prepareSet(set: EvidenceSet, { keep, byHook = false }: Asking): Promise<PreparedSet> {
  const home =
    keep === undefined
      ? await fs.mkdtemp(path.join(os.tmpdir(), "memd-evidence-"))
      : path.join(path.resolve(keep), set.name.replaceAll("/", "-"));
  const root = path.join(home, "workspace");
  if (!(await exists(path.join(root, FILES.workspace)))) {
    await fs.mkdir(home, { recursive: true });
    if (set.messagesFile === undefined) {
      await memd(home, root, "init", "--sample");
      // The older ones leave the file.
      await fs.copyFile(path.join(root, FILES.history), path.join(home, "told.json"));
    } else {
      await memd(home, root, "init");
      await memd(home, root, "import", set.messagesFile);
    }
    await fs.writeFile(path.join(root, FILES.inbox), "[]");
    await memd(home, root, "archive", "--now");
  }
  const messages = set.messagesFile === undefined ? await sampleMessages(home) : set.messages;
  const lasts = lastTimes(messages);
  const standing = await open(root, byHook);
  return {
    messages,
    ask: async (query, memoryTokens) => {
      const at = lasts.get(query.conversation) ?? [...lasts.values()].sort().at(-1) ?? epochMs(Date.now());
      if (query.before.length === 0) return standing.ask(query, memoryTokens, at);
      // What was said before it is part of the memory afterwards: each has a workspace of its own.
      const copy = path.join(home, "copy");
      await fs.cp(root, copy, { recursive: true });
      const opened = await open(copy, byHook);
      try {
        await opened.tell(query, at);
        return await opened.ask(query, memoryTokens, later(at, MINUTE_MS));
      } finally {
        await opened.close();
        await fs.rm(copy, { recursive: true });
      }
    },
    close: async () => {
      await standing.close();
      // Kept for the next run, which would take in the last question as said.
      await fs.writeFile(path.join(root, FILES.inbox), "[]");
      if (keep === undefined) await fs.rm(home, { recursive: true, force: true });
    },
  };
}

interface Opened {
  tell(query: EvidenceQuery, at: EpochMs): Promise<void>;
  ask(query: EvidenceQuery, memoryTokens: number, at: EpochMs): Promise<Answered>;
  close(): Promise<void>;
}

async function open(root: string, byHook: boolean): Promise<Opened> {
  const settings = settingsSchema.parse({ timezone: "UTC", cognitive: { enabled: false } });
  let now = epochMs(Date.now());
  let asked = 0;
  const workspace = { root };
  const machine = systemClock();
  const supervisor = new Memd({
    workspace,
    settings,
    disk: nodeDisk,
    clock: {
      ...machine,
      now: () => now,
      // A look at the files by the clock would take in what waits: no question may stand in the memory of the next.
      after: (ms, run) => (ms < SECOND_MS ? machine.after(ms, run) : { cancel: () => undefined }),
    },
    random: systemRandom,
    locks: fileLocks,
    watch: { watch: () => Promise.resolve({ close: () => Promise.resolve() }) },
    spawn: nodeSpawn,
    ripgrep: systemRipgrep(),
    openIndex: indexIn(at(workspace, FILES.index), threadsIn(indexThreads())),
    log: silentLog,
    systemZone: "UTC",
    environment: {},
    workerEntry: workerEntry(),
    promptFolders: [promptsFolder()],
    guard: () => Promise.resolve(),
  });
  await supervisor.start({ watch: false, work: false });
  await supervisor.settled();
  const write = async (name: string, list: readonly object[]): Promise<void> => {
    await fs.writeFile(path.join(root, `${name}.new`), JSON.stringify(list));
    await fs.rename(path.join(root, `${name}.new`), path.join(root, name));
  };
  return {
    tell: async ({ conversation, before }, at) => {
      now = at;
      const standing = JSON.parse(
        await fs.readFile(path.join(root, FILES.history), "utf8").catch(() => "[]"),
      ) as object[];
      const said = before.map(({ role, text }, place) => ({
        id: `before-${place}`,
        role,
        text,
        createdAt: isoOf(later(at, place * 1000)),
        ...placeOf(conversation),
      }));
      await write(FILES.history, [...standing, ...said]);
      await supervisor.settled();
    },
    ask: async ({ conversation, text }, memoryTokens, at) => {
      now = at;
      settings.context.tokens.memory = memoryTokens;
      const id = `asked-${(asked += 1)}`;
      const message = { id, role: "user", text, createdAt: isoOf(at), ...placeOf(conversation) };
      const started = performance.now();
      await write(FILES.inbox, [message]);
      // As the supervisor does it while the disk takes the message in; that is left out.
      const inbox = await supervisor.archive.peek();
      if (inbox === undefined) throw new Error(`inbox.json does not ask ${id}`);
      const history = supervisor.archive.history.messages.map(({ filed }) => filed);
      await supervisor.prompt.refresh({ history, inbox });
      const ms = performance.now() - started;
      const folder =
        conversation === "" || conversation === "sample"
          ? "teller"
          : tellerDir(conversation as ScopeId, "main");
      const markdown = await fs.readFile(path.join(root, folder, "prompt.md"), "utf8");
      const data = JSON.parse(
        await fs.readFile(path.join(root, folder, "prompt.json"), "utf8"),
      ) as PromptData;
      if (!data.inboxIds.map(String).includes(id)) throw new Error(`no prompt for ${id}`);
      if (!byHook) return { markdown, data, ms };
      // Of a conversation of its own, which has said nothing yet.
      const { scope = MAIN_SCOPE, user } = placeOf(conversation);
      const viewer = { user, scope: scope as ScopeId, session: `hook-${asked}` };
      const begun = performance.now();
      const briefing = await supervisor.prompt.briefing(viewer, askedBy(viewer, text, undefined, at), {
        mostChars: MOST_BRIEFED_CHARS - MARK_CHARS,
      });
      return { markdown: briefing, data, ms: performance.now() - begun };
    },
    close: () => supervisor.stop(),
  };
}

function placeOf(conversation: string): { scope?: string; user: string } {
  const isMain = conversation === "" || conversation === "sample" || conversation === MAIN_SCOPE;
  return { user: LOCAL_USER, ...(isMain ? {} : { scope: conversation }) };
}

async function sampleMessages(home: string): Promise<SetMessage[]> {
  const history = JSON.parse(await fs.readFile(path.join(home, "told.json"), "utf8")) as SetMessage[];
  return history.map((message) => ({ ...message, id: plainId(message.id), conversation: "sample" }));
}

/** `sample-007` is line 7 of the sample: `sample-7` in a set. */
function plainId(id: string): string {
  return id.replace(/^sample-0+/, "sample-");
}

/** A day behind the last word of each conversation. */
function lastTimes(messages: readonly SetMessage[]): Map<string, EpochMs> {
  const last = new Map<string, EpochMs>();
  for (const { conversation, createdAt } of messages) {
    const at = epochMs(Date.parse(createdAt) + DAY_MS);
    if (at > (last.get(conversation) ?? 0)) last.set(conversation, at);
  }
  return last;
}

async function exists(file: string): Promise<boolean> {
  return fs.stat(file).then(
    () => true,
    () => false,
  );
}

function memd(home: string, root: string, ...args: string[]): Promise<void> {
  const env = { ...process.env, XDG_RUNTIME_DIR: home, HOME: home, MEMD_WORKSPACE: root, TZ: "UTC" };
  const child = spawn(process.execPath, [BINARY, ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((resolve, reject) => {
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`memd ${args.join(" ")}: ${code}`)),
    );
  });
}
