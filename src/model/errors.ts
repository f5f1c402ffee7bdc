/**
 * The one catalogue of what can go wrong for a user.
 *
 * Expected outcomes are return values; what ends a command or a publication is
 * a MemdError with a code from here. `docs/ERRORS.md` is tested against it.
 */
export const EXIT = { done: 0, failed: 1, usage: 2, workspace: 3, busy: 4, disk: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface CatalogueEntry {
  exit: ExitCode;
  /** What the user can do about it; one sentence. */
  advice: string;
}

export const ERRORS = {
  usage: {
    exit: EXIT.usage,
    advice: "Run `memd --help` or `memd <command> --help` to see what is accepted.",
  },
  value_invalid: { exit: EXIT.usage, advice: "Correct that value; nothing was written." },
  entry_unknown: { exit: EXIT.usage, advice: "Run `memd memory list` and name one by its number." },
  profile_unknown: {
    exit: EXIT.usage,
    advice: "Run `memd profile list` to see of whom something is known.",
  },
  topic_unknown: {
    exit: EXIT.usage,
    advice: "Run `memd topics list --all` and name one by its id or its whole name.",
  },
  topics_off: {
    exit: EXIT.workspace,
    advice: "Write `enabled = true` under `[topics]` in memd.toml; everything else works without.",
  },
  document_unknown: {
    exit: EXIT.usage,
    advice: "Run `memd documents list` to see what there is, and in which scope.",
  },
  forget_unknown: {
    exit: EXIT.usage,
    advice: "See what there is with `memd search TEXT --json`; nothing was forgotten.",
  },
  no_model: {
    exit: EXIT.workspace,
    advice: "Everything else of memd works without one: `memd say`, `memd prompt`, `memd search`.",
  },
  model_failed: { exit: EXIT.failed, advice: "What was said is kept; say it again, or see `memd doctor`." },
  empty_query: { exit: EXIT.usage, advice: 'Say what to look for: memd search "deploy timeout".' },
  no_workspace: {
    exit: EXIT.workspace,
    advice: "Run `memd init DIR` to make one, or name another folder with --workspace DIR.",
  },
  workspace_exists: {
    exit: EXIT.workspace,
    advice: "Run `memd start` to use it; nothing in it was changed.",
  },
  workspace_newer: {
    exit: EXIT.workspace,
    advice: "Upgrade memd: this workspace was written by a newer version.",
  },
  workspace_unreadable: {
    exit: EXIT.workspace,
    advice: "Repair or remove workspace.json; nothing else was touched.",
  },
  settings_invalid: {
    exit: EXIT.workspace,
    advice: "Correct that line of memd.toml and run `memd config check`.",
  },
  prompt_invalid: {
    exit: EXIT.workspace,
    advice: "Correct the prompt file, or delete your copy to use the one that comes with memd.",
  },
  socket_path: { exit: EXIT.workspace, advice: "Set XDG_RUNTIME_DIR to a short private folder of yours." },
  file_unreadable: {
    exit: EXIT.failed,
    advice: "A copy is in conflicts/; repair the file and memd reads it again.",
  },
  import_invalid: {
    exit: EXIT.usage,
    advice: "Correct that line; every line before it is kept, and importing again is safe.",
  },
  input_missing: { exit: EXIT.usage, advice: "Check the path and that the file can be read." },
  busy: { exit: EXIT.busy, advice: "Use the running one, or stop it with `memd stop`." },
  not_running: { exit: EXIT.failed, advice: "Start it with `memd start`." },
  ownership_lost: {
    exit: EXIT.busy,
    advice: "Another memd took this workspace over; this one stopped without writing.",
  },
  lock_lost: { exit: EXIT.failed, advice: "Another program broke the lock; memd tries again by itself." },
  file_contended: {
    exit: EXIT.failed,
    advice: "Another program keeps rewriting the file; memd tries again by itself.",
  },
  port_taken: {
    exit: EXIT.busy,
    advice: "Another program listens there; stop it or choose another port.",
  },
  disk_full: {
    exit: EXIT.disk,
    advice:
      "Make room; nothing was acknowledged or removed. A running memd goes on by itself, a command is run again.",
  },
  disk_denied: { exit: EXIT.disk, advice: "Give your user read and write rights on that file or folder." },
  disk_fault: { exit: EXIT.disk, advice: "Check the disk; what was written before is unchanged." },
  index_fault: {
    exit: EXIT.failed,
    advice: "Nothing is lost: the index is made from your files; `memd reindex` makes it anew.",
  },
  worker_failed: { exit: EXIT.failed, advice: "Read that file for the reason; nothing was lost." },
  timeout: { exit: EXIT.failed, advice: "Try again; `memd status` shows what is going on." },
  internal: { exit: EXIT.failed, advice: "This is a bug in memd: run again with --debug and report it." },
} as const satisfies Record<string, CatalogueEntry>;

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
    return ERRORS[this.code].exit;
  }

  get advice(): string {
    return ERRORS[this.code].advice;
  }
}

export function isMemdError(error: unknown, code?: ErrorCode): error is MemdError {
  return error instanceof MemdError && (code === undefined || error.code === code);
}

/** The message of anything thrown, for logs and sentences. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
