/**
 * Sessions that begin with another one's lines: resumed into a new file, or forked. What was copied counts
 * once, for the session in which it was first said; what comes after it counts for the new one.
 */
import { Transcript, type Line } from "./claude-lines.js";
import { addTurn } from "./claude-turn.js";
import type { Yard } from "./yard.js";

const COPY_BYTES = 2_000_000;

interface Copy {
  lines: Transcript;
  endsAt: number;
}

type Copying = (line: Line, from: string, to: string) => Line;

const COPIES: Readonly<Record<string, Copying>> = {
  "resume into a new file: same uuids, new sessionId": (line, _from, to) => ({ ...line, sessionId: to }),
  "resume into a new file: same uuids, old sessionId": (line) => ({ ...line }),
  "fork that copies uuids": (line, from, to) => ({
    ...line,
    sessionId: to,
    forkedFrom: { sessionId: from, messageUuid: line["uuid"] },
  }),
  "fork with new uuids": (line, from, to) => ({
    ...line,
    uuid: forked(line["uuid"], to),
    parentUuid: forked(line["parentUuid"], to),
    sessionId: to,
    forkedFrom: { sessionId: from, messageUuid: line["uuid"] },
  }),
};

export function writeCopies(yard: Yard, source: Transcript): Copy[] {
  const copies: Copy[] = [];
  for (const [name, copying] of Object.entries(COPIES)) {
    const lines = linesToCopy(yard, source);
    if (lines.length === 0 || !yard.happens(name, 0.03)) continue;
    const to = yard.random.uuid();
    const copy = new Transcript(yard, to, source.cwd);
    copy.lines.push(...lines.map((line) => copying(line, source.id, to)));
    yard.odd("lines copied into other sessions", lines.length);
    const last = copy.lines.at(-1)?.["uuid"];
    copy.parent = typeof last === "string" ? last : null;
    copies.push({ lines: copy, endsAt: goOn(yard, copy) });
  }
  return copies;
}

/** The parent's file was cleaned away: what was copied is all there is of it, and belongs to the fork. */
export function forkWithoutParent(yard: Yard, lines: Transcript): void {
  const sessionId = yard.random.uuid();
  for (const line of lines.lines.slice(0, lines.ends[0] ?? 0))
    if (line["uuid"] !== undefined) line["forkedFrom"] = { sessionId, messageUuid: yard.random.uuid() };
}

function goOn(yard: Yard, copy: Transcript): number {
  const turns = yard.talk.more(yard.random.between(1, 3));
  turns.forEach((turn, at) => addTurn(yard, copy, turn, at === turns.length - 1));
  const last = turns.at(-1);
  return last?.steps.at(-1)?.at ?? last?.at ?? 0;
}

/** Whole turns from the beginning, of a size that may be copied. */
function linesToCopy(yard: Yard, source: Transcript): Line[] {
  let bytes = 0;
  let fitting = 0;
  for (const line of source.lines) {
    bytes += JSON.stringify(line).length;
    if (bytes > COPY_BYTES) break;
    fitting += 1;
  }
  const ends = source.ends.filter((end) => end <= fitting);
  if (ends.length === 0) return [];
  const cut = source.lines.slice(0, yard.random.pick(ends));
  return cut.filter((line) => typeof line["uuid"] === "string");
}

function forked(uuid: unknown, to: string): unknown {
  return typeof uuid === "string" ? `${uuid.slice(0, -8)}${to.slice(-8)}` : uuid;
}
