/**
 * The one catalogue of what can go wrong for a user.
 *
 * Expected outcomes are return values; what ends a command or a publication is
 * a MemdError with a code from here. `docs/ERRORS.md` is tested against it.
 */
export const EXIT = { done: 0, failed: 1, usage: 2, workspace: 3, busy: 4, disk: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** By its code: how a command ends, and what the user can do about it, one sentence. */
export const ERRORS = {
  usage: ["usage", "Run `memd --help` or `memd <command> --help` to see what is accepted."],
  value_invalid: ["usage", "Correct that value; nothing was written."],
  entry_unknown: ["usage", "Run `memd memory list` and name one by its number."],
  entry_changed: ["failed", "Read it again, and say what of it is to change; nothing was written."],
  profile_unknown: ["usage", "Run `memd profile list` to see of whom something is known."],
  topic_unknown: ["usage", "Run `memd topics list --all` and name one by its id or its whole name."],
  topics_off: [
    "workspace",
    "Write `enabled = true` under `[topics]` in memd.toml; everything else works without.",
  ],
  source_unknown: ["usage", "Name one as a search tells it, such as memory/2026-03-07.md, with its lines."],
  document_unknown: ["usage", "Run `memd documents list` to see what there is, and in which scope."],
  forget_unknown: ["usage", "See what there is with `memd search TEXT --json`; nothing was forgotten."],
  embedding_unknown: ["usage", "Run `memd embed status` to see which there are; nothing was sent to any."],
  install_failed: [
    "failed",
    "Read what npm printed, and run the command again; memd works by words meanwhile.",
  ],
  token_unknown: ["usage", "Run `memd token list` to see which there are."],
  refused: [
    "usage",
    "Ask from this machine with the header `Authorization: Bearer TOKEN`, and only as the viewer of that token.",
  ],
  rate_limited: ["failed", "Wait as many seconds as the header `Retry-After` says, and ask again."],
  no_model: [
    "workspace",
    "Everything else of memd works without one: `memd say`, `memd prompt`, `memd search`.",
  ],
  model_failed: ["failed", "What was said is kept; say it again, or see `memd doctor`."],
  empty_query: ["usage", 'Say what to look for: memd search "deploy timeout".'],
  no_workspace: [
    "workspace",
    "Run `memd init DIR` to make one, or name another folder with --workspace DIR.",
  ],
  workspace_exists: ["workspace", "Run `memd start` to use it; nothing in it was changed."],
  folder_taken: [
    "workspace",
    "Run `memd init` there: it makes one apart, in the folder memd/, which searches the files beside it.",
  ],
  git_failed: [
    "failed",
    "All of memd works without git; see that `git status` runs in that folder, then run `memd init --git` again.",
  ],
  git_moved: [
    "failed",
    "Check out the branch on which memd was, or go on from what stands there now with `memd init --git`; nothing was changed.",
  ],
  workspace_newer: ["workspace", "Upgrade memd: this workspace was written by a newer version."],
  workspace_unreadable: ["workspace", "Repair or remove workspace.json; nothing else was touched."],
  workspace_moved: [
    "workspace",
    "Start memd again where the workspace is now: all that it had acknowledged went with the folder.",
  ],
  settings_invalid: ["workspace", "Correct that line of memd.toml and run `memd config check`."],
  folder_linked: [
    "workspace",
    'Name it in memd.toml, `[files]` and `linked = ["FOLDER"]`, or put a folder in its place; nothing was read or written there.',
  ],
  prompt_invalid: [
    "workspace",
    "Correct the prompt file, or delete your copy to use the one that comes with memd.",
  ],
  socket_path: ["workspace", "Set XDG_RUNTIME_DIR to a short private folder of yours."],
  file_unreadable: ["failed", "A copy is in conflicts/; repair the file and memd reads it again."],
  import_invalid: [
    "usage",
    "Name a file or folder of the kinds in `memd import --help`, or say with --from what it is.",
  ],
  host_missing: [
    "usage",
    "Install that agent and start it once, or name its folder as it does itself; nothing was changed.",
  ],
  host_settings: ["failed", "Correct that file and run the command again; it was not changed."],
  input_missing: ["usage", "Check the path and that the file can be read."],
  busy: ["busy", "Use the running one, or stop it with `memd stop`."],
  not_answering: [
    "failed",
    "It may be busy for a moment; `memd stop` ends a memd that is stuck, and nothing is lost by that.",
  ],
  not_running: ["failed", "Start it with `memd start`."],
  ownership_lost: ["busy", "Another memd took this workspace over; this one stopped without writing."],
  lock_lost: ["failed", "Another program broke the lock; memd tries again by itself."],
  file_contended: ["failed", "Another program keeps rewriting the file; memd tries again by itself."],
  port_taken: ["busy", "Another program listens there; stop it or choose another port."],
  disk_full: [
    "disk",
    "Make room; nothing was acknowledged or removed. A running memd goes on by itself, a command is run again.",
  ],
  disk_denied: ["disk", "Give your user read and write rights on that file or folder."],
  disk_fault: ["disk", "Check the disk; what was written before is unchanged."],
  index_fault: [
    "failed",
    "Nothing is lost: the index is made from your files; `memd reindex` makes it anew.",
  ],
  worker_failed: ["failed", "Read that file for the reason; nothing was lost."],
  timeout: ["failed", "Try again; `memd status` shows what is going on."],
  internal: ["failed", "This is a bug in memd: run again with --debug and report it."],
} as const satisfies Record<string, readonly [exit: keyof typeof EXIT, advice: string]>;

export type ErrorCode = keyof typeof ERRORS;

export class MemdError extends Error {
  readonly code: ErrorCode;

  /** `message` is one sentence that names the thing; the advice comes from the catalogue. */
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "MemdError";
    this.code = code;
  }

  get exit(): ExitCode {
    return EXIT[ERRORS[this.code][0]];
  }

  get advice(): string {
    return ERRORS[this.code][1];
  }
}

export function isMemdError(error: unknown, code?: ErrorCode): error is MemdError {
  return error instanceof MemdError && (code === undefined || error.code === code);
}

/** What is no error of memd's own is a bug in it. */
export function troubleOf(error: unknown): MemdError {
  return isMemdError(error) ? error : new MemdError("internal", messageOf(error), { cause: error });
}

/** An error as it is told to a program: in answers, in `--json`, in the status. */
export interface Problem {
  code: ErrorCode;
  message: string;
  /** What to do, one sentence. */
  advice: string;
}

export function problemOf(error: unknown): Problem {
  const { code, message, advice } = troubleOf(error);
  return { code, message, advice };
}

/** The message of anything thrown, for logs and sentences. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
