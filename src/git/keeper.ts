/**
 * Keeps a workspace under git: commits what memd has written there, a commit for a
 * pass, and sees when somebody else moves HEAD. It owns when that is done; how is
 * git/commit.ts. Whatever fails here costs no more than a commit, which is made later.
 */
import { isMemdError, MemdError, messageOf } from "../model/errors.js";
import { type EpochMs, isoOf } from "../model/time.js";
import { type Background, type Loop, Mutex, Resting } from "../platform/background.js";
import type { Clock } from "../platform/clock.js";
import { relative } from "../platform/files.js";
import type { Git } from "../platform/git.js";
import type { Log } from "../platform/log.js";
import { type FileWriter, isTempName } from "../protocol/publish.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { commitPaths } from "./commit.js";
import { commitInMs, FREE, heldSentence, type Hold, holdOf, shortCommit } from "./hold.js";
import { commitMessage } from "./message.js";
import {
  type Head,
  headOf,
  headStamp,
  keepsAll,
  knownOf,
  KEPT,
  repositoryAt,
  type Repository,
  underWay,
} from "./repository.js";
import { acceptedCommit, type GitState, loadGitState, saveGitState } from "./state.js";

export interface KeeperParts {
  writer: FileWriter;
  workspace: Workspace;
  clock: Clock;
  log: Log;
  git: Git;
  /** Pieces of other work under way. */
  working: () => number;
  passEndedAt: () => EpochMs | undefined;
}

/** What `memd status` tells of it. */
export interface GitStatus {
  branch?: string;
  commit?: string;
  /** Files that are not committed yet. */
  pending: number;
  /** Why nothing is archived, where that is so. */
  held?: string;
}

const REST_MS = 60_000;
const HELD_LOOK_MS = 1_000;

export class Keeper implements Background {
  readonly name = "git";
  readonly #pending = new Set<string>();
  readonly #resting: Resting;
  readonly #looks = new Mutex();
  #repository: Repository | undefined;
  /** As it was when memd looked last, or committed. */
  #head: Head = {};
  #known: Pick<Head, "commit" | "tree"> = {};
  #hold: Hold = FREE;
  #stamp = "";
  #saved = "";
  #committing: Promise<void> | undefined;
  #committedMs = -Infinity;
  #passSeen: EpochMs | undefined;
  #fault: string | undefined;
  /** Commits that failed since one did not. */
  #failures = 0;

  constructor(
    readonly parts: KeeperParts,
    readonly loop: Pick<Loop, "rescan" | "wake">,
    /** HEAD went elsewhere: who waits is told, and what is being made of the files is dropped. */
    readonly onMoved: (why: MemdError) => void,
  ) {
    this.#resting = new Resting(parts.clock);
  }

  get isHeld(): boolean {
    return this.#hold.is !== "free";
  }

  get running(): number {
    return this.#committing === undefined ? 0 : 1;
  }

  get nextMs(): number | undefined {
    if (this.isHeld) return HELD_LOOK_MS;
    const ms = this.#dueMs();
    return ms === undefined ? undefined : Math.max(ms, this.#resting.leftMs(), HELD_LOOK_MS);
  }

  /** Once, before anything is read of the files. */
  async load(): Promise<void> {
    const { writer, workspace, git, passEndedAt } = this.parts;
    const { pending, ...known } = await loadGitState(writer, workspace);
    this.#known = known;
    for (const path of pending) this.#pending.add(path);
    this.#saved = JSON.stringify(this.#state());
    this.#passSeen = passEndedAt();
    await this.#trying(async () => {
      this.#repository = await repositoryAt(git);
      if (this.#repository === undefined)
        throw new MemdError("git_failed", "The workspace is in no repository.");
    });
    await this.look();
  }

  /** A file that memd wrote or removed. */
  note(file: string): void {
    const path = relative(this.parts.workspace.root, file);
    const isKept = KEPT.some((kept) => path === kept || path.startsWith(`${kept}/`));
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (isKept && path !== FILES.forgotten && !isTempName(name)) this.#pending.add(path);
  }

  /** Whether somebody has moved HEAD. In every tick, before anything else is done with the files. */
  async look(): Promise<void> {
    const repository = this.#repository;
    if (repository === undefined || this.#committing !== undefined) return;
    await this.#looks.run(() => this.#trying(() => this.#lookAt(repository)));
  }

  async poll(): Promise<void> {
    await this.#save();
    if (this.isHeld || this.#resting.leftMs() > 0 || this.#dueMs() !== 0) return;
    this.#commitBeside();
  }

  /** All that is not committed is now, unless something holds it up. */
  async commitNow(): Promise<void> {
    await this.#committing;
    await this.look();
    this.#commitBeside();
    await this.#committing;
  }

  status(): GitStatus {
    const { branch, commit } = this.#head;
    const held = heldSentence(this.#hold) ?? this.#fault;
    return {
      ...(branch !== undefined && { branch: branch.replace(/^refs\/heads\//, "") }),
      ...(commit !== undefined && { commit: shortCommit(commit) }),
      pending: this.#pending.size,
      ...(held !== undefined && { held }),
    };
  }

  /** Throws `git_moved` where nothing is to be written to the memory tree. A lock that is there for a moment is waited for. */
  async assertFree(): Promise<void> {
    await this.look();
    const hold = this.#hold;
    const isMoment = hold.is === "busy" && hold.by.endsWith(".lock");
    const why = isMoment ? undefined : heldSentence(hold);
    if (why !== undefined) throw new MemdError("git_moved", why);
  }

  async stop(): Promise<void> {
    await this.#committing;
  }

  /** After everything else has stopped. */
  async close(): Promise<void> {
    try {
      await this.parts.writer.guard();
      if (this.#pending.size > 0) await this.commitNow();
      await this.#save();
    } catch {
      // The workspace is another's by now, or its disk refuses: the next start goes on from what stands.
    }
  }

  async #lookAt(repository: Repository): Promise<void> {
    const { writer, workspace, clock, log } = this.parts;
    const by = await underWay(writer.disk, repository, clock.now());
    if (by !== undefined) {
      if (this.#hold.is === "free") this.#hold = { is: "busy", by };
      return;
    }
    const stamp = await headStamp(writer.disk, repository, this.#head.branch);
    const isSame = stamp === this.#stamp;
    if (isSame && this.#hold.is === "free") return;
    const now = isSame ? this.#head : await headOf(repository);
    const hold = holdOf({
      before: this.#known,
      now,
      accepted: this.#known.commit === now.commit ? undefined : await acceptedCommit(writer, workspace),
      keepsAll: !isSame && (await this.#keepsAll(repository, now)),
    });
    // Taken before HEAD was read, so that a move beside the reading is seen by the next look.
    this.#stamp = now.branch === this.#head.branch ? stamp : "";
    this.#head = now;
    const wasMoved = this.#hold.is === "moved";
    this.#hold = hold;
    if (hold.is === "free") this.#known = knownOf(now);
    if (hold.is === "free" && wasMoved) {
      log.write({ level: "info", event: "git_back", commit: now.commit });
      this.loop.rescan();
    }
    if (hold.is !== "moved" || wasMoved) return;
    log.write({ level: "warn", event: "git_moved", from: hold.from, to: hold.to });
    this.onMoved(new MemdError("git_moved", heldSentence(hold) ?? ""));
  }

  async #keepsAll(repository: Repository, { commit: to }: Head): Promise<boolean> {
    const { commit: from } = this.#known;
    if (from === undefined || to === undefined || from === to) return false;
    return keepsAll(repository, from, to);
  }

  #commitBeside(): void {
    const repository = this.#repository;
    // On no branch a commit would be lost with the next checkout.
    if (repository === undefined || this.isHeld || this.#head.branch === undefined) return;
    if (this.#pending.size === 0 || this.#committing !== undefined) return;
    this.#committing = this.#commit(repository).finally(() => {
      this.#committing = undefined;
      this.loop.wake();
    });
  }

  async #commit({ git }: Repository): Promise<void> {
    const { writer, workspace, clock, log, passEndedAt } = this.parts;
    const paths = [...this.#pending].sort();
    this.#pending.clear();
    const passAt = passEndedAt();
    const index = at(workspace, `${FILES.derived}/.git-index.${writer.random.name(8)}.tmp`);
    try {
      await writer.guard();
      const commit = { paths, message: commitMessage(paths), head: this.#head, index };
      const head = await commitPaths(git, { ...commit, at: isoOf(clock.now()) });
      this.#committedMs = clock.monotonicMs();
      this.#passSeen = passAt;
      this.#fault = undefined;
      this.#failures = 0;
      if (head === undefined) return;
      this.#head = head;
      this.#known = knownOf(head);
      log.write({ level: "info", event: "git_committed", commit: head.commit, files: paths.length });
    } catch (error) {
      for (const path of paths) this.#pending.add(path);
      this.#refused(error);
    } finally {
      await writer.disk.unlink(index).catch(() => undefined);
    }
  }

  /** What git refuses is told once, and holds up nothing else. */
  async #trying(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isMemdError(error, "git_failed")) throw error;
      this.#failed(error);
    }
  }

  /** Somebody who has the index or HEAD for a moment is no news; one who keeps it is. */
  #refused(error: unknown): void {
    const isMoment = this.#failures === 0 && /\.lock\b|cannot lock ref/.test(messageOf(error));
    this.#failures++;
    this.#resting.rest(isMoment ? HELD_LOOK_MS : REST_MS);
    if (!isMoment && isMemdError(error, "git_failed")) this.#failed(error);
  }

  #failed(error: unknown): void {
    const reason = messageOf(error);
    if (reason !== this.#fault) this.parts.log.write({ level: "warn", event: "git_failed", reason });
    this.#fault = reason;
  }

  #dueMs(): number | undefined {
    const { clock, working, passEndedAt } = this.parts;
    if (this.#repository === undefined || this.#head.branch === undefined) return undefined;
    return commitInMs({
      pending: this.#pending.size,
      working: working(),
      hasPassed: passEndedAt() !== this.#passSeen,
      sinceCommitMs: clock.monotonicMs() - this.#committedMs,
    });
  }

  #state(): GitState {
    return { ...this.#known, pending: [...this.#pending].sort() };
  }

  async #save(): Promise<void> {
    const state = this.#state();
    const text = JSON.stringify(state);
    if (text === this.#saved) return;
    await saveGitState(this.parts.writer, this.parts.workspace, state);
    this.#saved = text;
  }
}
