/**
 * The kinds of failure: which calls each one meets, and what they then answer.
 *
 * A fault begins at the n-th call, or the next one after it that it fits. Some
 * happen once; some stay until they are lifted, as a full disk does.
 */

export type Call =
  | "open"
  | "write"
  | "sync"
  | "datasync"
  | "truncate"
  | "close"
  | "fstat"
  | "readFile"
  | "read"
  | "lstat"
  | "readdir"
  | "mkdir"
  | "rename"
  | "link"
  | "unlink"
  | "rmdir"
  | "realpath"
  | "writeFileAtomic";

export interface Asked {
  /** Counted from the start of the run. */
  n: number;
  call: Call;
  /** Relative to the workspace. */
  file: string;
  /** A name that is not there yet. */
  creates: boolean;
  /** Opened for writing. */
  writes?: boolean;
  /** The descriptor is a folder's. */
  folder?: boolean;
  /** Bytes to be written. */
  length?: number;
}

/** `errno`: it fails; `bytes`: it writes no more than these. */
export interface Ruling {
  errno?: string;
  bytes?: number;
}

export interface Kind {
  name: string;
  stays: boolean;
  fits: (asked: Asked) => boolean;
  answer: (asked: Asked, nth: number) => Ruling;
  /** The code that the trouble then has. */
  code: "disk_full" | "disk_denied" | "disk_fault";
}

const isWrite = ({ call }: Asked): boolean => call === "write" || call === "writeFileAtomic";
const isSync = ({ call, folder }: Asked): boolean =>
  (call === "sync" || call === "datasync") && folder !== true;
const takesRoom = (asked: Asked): boolean => isWrite(asked) || asked.creates;
const changes = (asked: Asked): boolean =>
  takesRoom(asked) || asked.writes === true || ["rename", "unlink", "rmdir"].includes(asked.call);
/** What another user's folder refuses: finding it, or changing it, but nothing that is open already. */
const asksLeave = (asked: Asked): boolean =>
  ["open", "readdir", "mkdir", "rename", "link", "unlink", "rmdir", "writeFileAtomic"].includes(asked.call);
const half = (length = 0): number => Math.floor(length / 2);

function once(
  errno: string,
  code: Kind["code"],
  fits: (asked: Asked) => boolean,
  name: string = errno,
): Kind {
  return { name, stays: false, fits, code, answer: () => ({ errno }) };
}

export const KINDS: readonly Kind[] = [
  once("EIO", "disk_fault", (asked) => !isSync(asked)),
  once("ENOSPC", "disk_full", takesRoom),
  once("EDQUOT", "disk_full", takesRoom),
  once("EROFS", "disk_denied", changes),
  once("EACCES", "disk_denied", asksLeave),
  once("EIO", "disk_fault", isSync, "fsync lost"),
  once("ENOSPC", "disk_full", isSync, "fsync lost, no room"),
  {
    name: "short write",
    stays: false,
    code: "disk_full",
    fits: (asked) => isWrite(asked) && (asked.length ?? 0) > 1,
    answer: ({ length }) => ({ bytes: half(length) }),
  },
  {
    name: "short write, then full",
    stays: true,
    code: "disk_full",
    fits: (asked) => takesRoom(asked),
    answer: ({ call, length }, nth) =>
      nth === 0 && call === "write" && (length ?? 0) > 1 ? { bytes: half(length) } : { errno: "ENOSPC" },
  },
  { name: "full", stays: true, code: "disk_full", fits: takesRoom, answer: () => ({ errno: "ENOSPC" }) },
  {
    name: "over quota",
    stays: true,
    code: "disk_full",
    fits: takesRoom,
    answer: () => ({ errno: "EDQUOT" }),
  },
  { name: "read-only", stays: true, code: "disk_denied", fits: changes, answer: () => ({ errno: "EROFS" }) },
  { name: "fsync fails", stays: true, code: "disk_fault", fits: isSync, answer: () => ({ errno: "EIO" }) },
  { name: "dead", stays: true, code: "disk_fault", fits: () => true, answer: () => ({ errno: "EIO" }) },
];

export interface Fault {
  kind: Kind;
  /** The call from which on it waits for one that it fits. */
  at: number;
}

/** A fault as it goes on: decides for each call, and can be lifted. */
export class Occurrence {
  /** What it met, in order. */
  readonly met: Asked[] = [];
  lifted = false;

  constructor(readonly fault: Fault | undefined) {}

  get hasBegun(): boolean {
    return this.met.length > 0;
  }

  /** It has begun and goes on. */
  get inForce(): boolean {
    return this.hasBegun && !this.lifted && this.fault?.kind.stays === true;
  }

  rule(asked: Asked): Ruling | undefined {
    const { fault } = this;
    if (fault === undefined || this.lifted || asked.n < fault.at || !fault.kind.fits(asked)) return undefined;
    if (this.hasBegun && !fault.kind.stays) return undefined;
    this.met.push(asked);
    return fault.kind.answer(asked, this.met.length - 1);
  }
}
