/**
 * The briefs of topics as their files say: read again when they have changed,
 * and written so that what a person changed in them stays.
 */
import { tally } from "../model/collections.js";
import { isoOf, type Zone } from "../model/time.js";
import type { Topic, TopicsOf } from "../model/topic.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import { stampOf } from "../platform/files.js";
import { setAside } from "../protocol/conflicts.js";
import { type FileWriter, ifNoText, readText, rewriteText } from "../protocol/publish.js";
import { parseBrief, printBrief, type Brief, type Span } from "../protocol/topic-brief.js";
import { at, type Workspace } from "../protocol/workspace.js";

export interface BriefMade {
  /** What a person called it stays where none is given. */
  name?: string;
  text?: string;
  refs?: readonly MessageId[];
  spans?: readonly Span[];
}

export class Briefs {
  readonly #known = new Map<string, { stamp: string; brief: Brief | undefined }>();

  constructor(
    readonly parts: { writer: FileWriter; workspace: Workspace },
    readonly of: TopicsOf,
  ) {}

  /** Undefined where there is none that can be read. `path` is relative. */
  async read(path: string): Promise<Brief | undefined> {
    const { writer, workspace } = this.parts;
    const stat = await writer.disk.stat(at(workspace, path));
    if (stat?.kind !== "file") {
      this.#known.delete(path);
      return undefined;
    }
    const stamp = stampOf(stat);
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known.brief;
    const brief = readable(await readText(writer.disk, at(workspace, path)).catch(ifNoText));
    this.#known.set(path, { stamp, brief });
    return brief;
  }

  /** As it was read last; nothing is looked at. */
  known(path: string): Brief | undefined {
    return this.#known.get(path)?.brief;
  }

  /** A text that a person changed stays, and so does a name, unless another one is given. */
  async write(path: string, topic: Topic, made: BriefMade): Promise<void> {
    const { writer, workspace } = this.parts;
    await rewriteText(writer, at(workspace, path), async (present, bytes) => {
      const base = readable(present);
      // A head that nobody can read is somebody's edit: it stays, beside.
      if (bytes !== undefined && base === undefined)
        await setAside(writer, workspace, path, bytes, "unreadable");
      const { name = base?.name ?? topic.name, refs = base?.refs ?? [], spans = base?.spans ?? [] } = made;
      const text = base?.edited === true ? base.text : (made.text ?? base?.text ?? "");
      const filled = made.text === undefined ? (base?.filled ?? "") : isoOf(topic.filledAt);
      const edited = base?.edited ?? false;
      return printBrief(this.of, topic, { name, text, refs, spans, filled, edited });
    });
  }
}

/** Whether it says where the topic stands, and was made of all that it holds, or is a person's. */
export function isCurrent(brief: Brief, topic: Topic): boolean {
  return brief.state === topic.state && (brief.edited || brief.filled === isoOf(topic.filledAt));
}

/** Whether it was read, and was made before all had come that the topic holds. */
export function isUntold(brief: Brief | undefined, topic: Topic): boolean {
  return brief !== undefined && !brief.edited && brief.filled !== isoOf(topic.filledAt);
}

export function spansOf(messages: readonly FiledMessage[], zone: Zone): Span[] {
  return [...tally(messages.map(({ filedAt }) => zone.dayOf(filedAt)))]
    .map(([date, messages]) => ({ date, messages }))
    .sort((one, other) => (one.date < other.date ? -1 : 1));
}

function readable(text: string | undefined): Brief | undefined {
  try {
    return text === undefined ? undefined : parseBrief(text);
  } catch {
    return undefined;
  }
}
