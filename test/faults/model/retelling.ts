/**
 * Recoveries that are told the same do the same.
 *
 * memd's recovery is a function of what the system answers it. So each run of it
 * is written down, call by call, with the answers; on another state the calls
 * are made again, in order, and as long as every answer is one that was given
 * before, what follows is known. Where an answer is new, the real code runs, and
 * its run is written down from there on.
 *
 * This is no guess: whoever writes a run down finds out when the same answers
 * were followed by another call, and explore.ts runs some of the retold ones for
 * comparison.
 */
import type { Asked, ModelFs } from "./file-system.js";

/** A moment in a run that somebody waits for: what was known of it when the run was written down. */
export interface Mark {
  told: Told;
  next: Step | Mark | undefined;
}

export interface Told {
  /** What the code threw; a run ends with it. */
  error?: unknown;
  /** What the code was seen to break that does not show on the disk. */
  broken: string[];
}

/** A call, and what came after each of its answers. */
interface Step {
  asked: Asked;
  /** The answer that was given first, and what followed; most calls have no other. */
  answer: string;
  next: Step | Mark | undefined;
  others: Map<string, Step | Mark> | undefined;
}

/** Beyond this the memory is better kept for the states. */
const MOST_STEPS = 2_000_000;

export class Retelling {
  #first: Step | undefined;
  #steps = 0;

  /** Makes the calls of an earlier run on this disk up to its next mark; undefined when some answer has not been given before. */
  retell(fs: ModelFs, from?: Mark): Mark | undefined {
    let at = from === undefined ? this.#first : from.next;
    let answer = "";
    fs.heard = (_asked, given) => {
      answer = given;
    };
    while (at !== undefined && "asked" in at) {
      try {
        fs.ask(ownBuffers(at.asked));
      } catch {
        // The answer is the error's code.
      }
      at = nextOf(at, answer);
    }
    fs.heard = undefined;
    return at;
  }

  /** Writes down what is asked of this disk from now on. What it gives back is to be called at each mark. */
  write(fs: ModelFs): (told: Told) => void {
    let before: Step | Mark | undefined;
    let answer = "";
    let isFull = false;
    const follow = (make: () => Step | Mark): Step | Mark | undefined => {
      const known = before === undefined ? this.#first : nextOf(before, answer);
      if (known !== undefined || isFull) return known;
      if (this.#steps >= MOST_STEPS) {
        isFull = true;
        return undefined;
      }
      this.#steps++;
      const made = make();
      if (before !== undefined) put(before, answer, made);
      else if ("asked" in made) this.#first = made;
      return made;
    };
    fs.heard = (asked, given) => {
      if (isFull) return;
      const step = follow(() => ({ asked, answer: given, next: undefined, others: undefined }));
      if (step === undefined) return;
      if (!("asked" in step) || !isSame(step.asked, asked))
        throw new Error(`what memd does depends on more than the disk: ${asked.op} ${String(asked.args[0])}`);
      before = step;
      answer = given;
    };
    return (told) => {
      if (!isFull) before = follow(() => ({ told, next: undefined }));
    };
  }
}

function nextOf(at: Step | Mark, answer: string): Step | Mark | undefined {
  if (!("asked" in at) || at.answer === answer) return at.next;
  return at.others?.get(answer);
}

function put(at: Step | Mark, answer: string, next: Step | Mark): void {
  if (!("asked" in at) || at.answer === answer) at.next = next;
  else (at.others ??= new Map()).set(answer, next);
}

function isSame(a: Asked, b: Asked): boolean {
  return a.op === b.op && a.on === b.on && (typeof a.args[0] !== "string" || a.args[0] === b.args[0]);
}

/** What is read into a buffer must not be read into the one that the first run may have kept. */
function ownBuffers(asked: Asked): Asked {
  if (asked.op !== "read") return asked;
  const [into, ...rest] = asked.args as [Uint8Array, ...unknown[]];
  return { ...asked, args: [new Uint8Array(into.length), ...rest] };
}
