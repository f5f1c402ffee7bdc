/**
 * Reads the transcripts of the agents that memd is the memory of as they grow: what their hooks told names
 * them. A message that both tell is one. How far a transcript was read is kept once its messages are in the
 * journal: killed anywhere, the rest comes later.
 */
import { addAll } from "../../model/collections.js";
import type { ModelWorkParts } from "../../llm/job-context.js";
import type { ScopeId } from "../../model/address.js";
import { isMemdError, messageOf } from "../../model/errors.js";
import type { IncomingMessage, Message } from "../../model/message.js";
import { SECOND_MS } from "../../model/time.js";
import { type Background, Jobs, type Loop, type Put, type Tick } from "../../platform/background.js";
import { basename, dirname, stampOf } from "../../platform/files.js";
import { type Followed, parseFollowed, printFollowed } from "../../protocol/followed.js";
import { parseMessage } from "../../protocol/message.js";
import { ifNoText, publish, readText } from "../../protocol/publish.js";
import { TOLD_FIELDS } from "../../protocol/read-list.js";
import { at, FILES } from "../../protocol/workspace.js";
import { eachToldOnce } from "../assemble.js";
import { stringOf } from "../fields.js";
import { candidatesAt, tellingsOf } from "../gather.js";
import { messagesOf } from "../given.js";
import { KINDS, type Kind } from "../kinds.js";
import { readTold } from "../read.js";
import { type Conversation, Skipped } from "../told.js";
import { isReadFromTurns, tailOf } from "./tail.js";
import { isExcluded } from "./excluded.js";

/** A transcript that has just grown may be in the middle of a message. */
const QUIET_MS = 2 * SECOND_MS;
const REST_MS = 5 * SECOND_MS;
const LOOK = "look";

type Parts = Pick<ModelWorkParts, "writer" | "workspace" | "clock" | "settings" | "log"> & {
  /** Durable when it returns. */
  take: (messages: readonly IncomingMessage[]) => Promise<unknown>;
  home?: string | undefined;
};

export class Follower implements Background {
  readonly name = "transcripts";
  readonly #jobs: Jobs;
  #followed: Map<string, Followed> | undefined;
  /** Of the folder of what hooks told, when it was last looked at. */
  #toldStamp = "";
  /** Transcripts that have grown, and since when they were seen so. */
  readonly #firstLines = new Map<string, string>();
  #saved = "";
  /** Hooks have told something since it looked. */
  #hasHeard = false;
  readonly #growing = new Map<string, { size: number; sinceMs: number }>();

  constructor(
    readonly parts: Parts,
    loop: Loop,
  ) {
    this.#jobs = new Jobs({ clock: parts.clock }, loop, { restMs: REST_MS });
  }

  get running(): number {
    return this.#jobs.running;
  }

  get nextMs(): number | undefined {
    return this.#growing.size > 0 ? QUIET_MS / 2 : undefined;
  }

  /** Whether hooks have told something since it was asked. */
  async hasNews(): Promise<boolean> {
    const stamp = await this.#stampOfTold();
    const isNew = stamp !== this.#toldStamp;
    this.#toldStamp = stamp;
    return isNew;
  }

  poll({ isRescan }: Pick<Tick, "isRescan">): void {
    const isDue = isRescan || this.#growing.size > 0 || this.#hasHeard;
    if (!isDue || !this.#jobs.isFree(LOOK)) return;
    this.#hasHeard = false;
    this.#jobs.start(LOOK, (put) => this.#look(put));
  }

  /** Settles when no look is under way. */
  over(): Promise<void> {
    return this.#jobs.over();
  }

  stop(): Promise<void> {
    return this.#jobs.stop();
  }

  async #look(put: Put): Promise<boolean> {
    this.#followed ??= await this.#load();
    let changed = false;
    for (const [path, followed] of this.#followed) {
      if (this.#jobs.isStopping) break;
      try {
        if ((await this.#isQuiet(path, followed)) && (await this.#readOn(put, path, followed)))
          changed = true;
      } catch (error) {
        // Another program's file: what is wrong with it is no fault of this disk.
        if (isMemdError(error, "disk_full")) throw error;
        this.#growing.delete(path);
        this.parts.log.write({
          level: "warn",
          event: "file_unreadable",
          file: path,
          reason: messageOf(error),
        });
      }
    }
    return changed;
  }

  /** Follows what the hooks that told this name; durable when it returns. */
  async heard(told: readonly Message[]): Promise<void> {
    this.#followed ??= await this.#load();
    for (const message of told) this.#noteTranscript(message);
    await this.#save();
    this.#hasHeard = true;
  }

  #noteTranscript({ extra = {}, scope }: Message): void {
    const path = stringOf(extra[TOLD_FIELDS.transcript]);
    const agent = stringOf(extra[TOLD_FIELDS.agent]);
    if (path === undefined || agent === undefined || this.#followed?.has(path)) return;
    this.#followed?.set(path, { agent, scope: scope ?? "", ino: 0, size: 0, offset: 0, lines: 0 });
  }

  /** Has grown, and not in the last moments. */
  async #isQuiet(path: string, followed: Followed): Promise<boolean> {
    const { clock, writer } = this.parts;
    const stat = await writer.disk.stat(path);
    if (stat?.kind !== "file" || (stat.size === followed.size && stat.ino === followed.ino)) {
      this.#growing.delete(path);
      return false;
    }
    const growing = this.#growing.get(path);
    if (growing?.size !== stat.size) {
      this.#growing.set(path, { size: stat.size, sinceMs: clock.monotonicMs() });
      return false;
    }
    return clock.monotonicMs() - growing.sinceMs >= QUIET_MS;
  }

  /** True where it told something. */
  async #readOn(put: Put, path: string, before: Followed): Promise<boolean> {
    const { take, settings, home } = this.parts;
    const kind = KINDS.find((each) => each === before.agent);
    const reading = kind && (await this.#reading(kind, path, before));
    this.#growing.delete(path);
    if (reading === undefined) return false;
    const { conversations, followed } = reading;
    const messages = conversations
      .filter(({ project, id: session }) => !isExcluded(settings.agents.exclude, { project, session }, home))
      .flatMap((conversation) =>
        messagesOf(conversation, followed.scope === "" ? undefined : (followed.scope as ScopeId), {
          tools: false,
        }),
      )
      .map(parseMessage)
      .filter((message) => message !== undefined);
    return put(async () => {
      if (messages.length > 0) await take(messages);
      this.#followed?.set(path, followed);
      await this.#save();
    });
  }

  async #reading(
    kind: Kind,
    path: string,
    before: Followed,
  ): Promise<{ conversations: Conversation[]; followed: Followed } | undefined> {
    const { disk } = this.parts.writer;
    const stat = await disk.stat(path);
    if (stat === undefined) return undefined;
    // Another file under the name, or one that was cut: it is read anew.
    const goesOn = isReadFromTurns(kind) && stat.ino === before.ino && stat.size >= before.size;
    const from = goesOn ? before : { offset: 0, lines: 0 };
    const bytes = await disk.readFrom(path, from.offset);
    const first = from.offset === 0 ? "" : await this.#firstLine(path);
    const tail = bytes && tailOf(kind, bytes, from, first);
    if (bytes === undefined || tail === undefined) return undefined;
    const size = from.offset + bytes.byteLength;
    const followed: Followed = { ...before, ino: stat.ino, size, ...tail.next };
    const told = readTold(() => tail.pieces, { name: basename(path), withoutResults: true }, kind);
    const conversations = told?.conversations ?? [];
    return {
      conversations: from.offset === 0 ? await this.#apart(kind, path, conversations) : conversations,
      followed,
    };
  }

  async #firstLine(path: string): Promise<string> {
    const known = this.#firstLines.get(path);
    if (known !== undefined) return known;
    const bytes = (await this.parts.writer.disk.read(path)) ?? new Uint8Array();
    const line = new TextDecoder().decode(bytes.subarray(0, Math.max(0, bytes.indexOf(0x0a))));
    this.#firstLines.set(path, line);
    return line;
  }

  /** With what it was forked from, so that what it brought along of that is not told again. */
  async #apart(kind: Kind, path: string, conversations: readonly Conversation[]): Promise<Conversation[]> {
    const skipped = new Skipped();
    const parents = new Set(conversations.flatMap(({ forkOf }) => (forkOf === undefined ? [] : [forkOf])));
    const told = [...conversations];
    for (const id of parents) addAll(told, await this.#transcriptOf(kind, path, id));
    return eachToldOnce(told, skipped).filter(({ id }) => !parents.has(id));
  }

  async #transcriptOf(kind: Kind, beside: string, id: string): Promise<Conversation[]> {
    const { disk } = this.parts.writer;
    const root = /^.*\/sessions(?=\/)/.exec(beside)?.[0] ?? dirname(beside);
    const found = (await candidatesAt(disk, root, ""))?.find(({ path }) => basename(path).includes(id));
    if (found === undefined) return [];
    for await (const { outcomes } of tellingsOf(disk, [found], { kind, withoutResults: true }))
      for (const one of outcomes) if (one.is === "told") return one.telling.conversations;
    return [];
  }

  async #stampOfTold(): Promise<string> {
    const { writer, workspace } = this.parts;
    const stat = await writer.disk.stat(at(workspace, FILES.told));
    return stat === undefined ? "" : stampOf(stat);
  }

  async #load(): Promise<Map<string, Followed>> {
    const { writer, workspace } = this.parts;
    const text = await readText(writer.disk, at(workspace, FILES.followed)).catch(ifNoText);
    return parseFollowed(text ?? "");
  }

  async #save(): Promise<void> {
    const { writer, workspace } = this.parts;
    const text = printFollowed(this.#followed ?? new Map());
    if (text === this.#saved) return;
    await publish(writer, at(workspace, FILES.followed), text);
    this.#saved = text;
  }
}
