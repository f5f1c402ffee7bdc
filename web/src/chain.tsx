/** What stands in a file, piece by piece: what is far from being seen is not in the page, however long the file is. */
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, type AnswerOf, type Refusal } from "./api.js";
import { near } from "./near.js";
import { Place, Trouble } from "./parts.js";
import { ownFrame } from "./turns.js";
import { w } from "./words.js";

interface Begin {
  from: number;
  /** Characters of the first part that were read before. */
  offset: number;
}

interface Meant {
  line: number;
  /** Of what stood there when the link was made. */
  revision?: string | undefined;
}

interface ChainProps {
  path: string;
  from?: number;
  /** Where a link leads to. */
  meant?: Meant | undefined;
  /** About so many messages. */
  messages?: number;
}

/** How high a message is, as long as nobody has seen it. */
const MESSAGE_PX = 96;
/** Read at once, so that what comes is drawn within a frame; and how many messages that is, about. */
const PIECE_TOKENS = 1200;
const PIECE_MESSAGES = 16;

export function Chain({ path, from = 1, meant, messages = 1 }: ChainProps) {
  const [begins, setBegins] = useState<readonly Begin[]>([{ from, offset: 0 }]);
  return (
    <>
      {begins.map((begin, at) => (
        <Piece
          key={`${begin.from}:${begin.offset}`}
          path={path}
          begin={begin}
          meant={meant}
          isOnTheWay={meant !== undefined && isUpTo(begin, meant)}
          about={pixelsOf(messages - at * PIECE_MESSAGES, at === begins.length - 1)}
          read={(next) => {
            if (at === begins.length - 1) setBegins([...begins, next]);
          }}
        />
      ))}
    </>
  );
}

/** Up to where the line begins that is meant, however long that line is. */
function isUpTo({ from, offset }: Begin, { line }: Meant): boolean {
  return from < line || (from === line && offset === 0);
}

/** Pixels that the rest of the messages take, all of them where no other piece stands for some yet. */
function pixelsOf(messages: number, isLast: boolean): number {
  return Math.max(1, isLast ? messages : Math.min(PIECE_MESSAGES, messages)) * MESSAGE_PX;
}

interface PieceProps {
  path: string;
  begin: Begin;
  meant: Meant | undefined;
  /** To where a link leads: drawn, however far from being seen. */
  isOnTheWay: boolean;
  /** Pixels. */
  about: number;
  read: (next: Begin) => void;
}

function Piece({ path, begin, meant, isOnTheWay, about, read }: PieceProps) {
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(about);
  const [isNear, setNear] = useState(isOnTheWay);
  useEffect(() => {
    if (box.current === null) return undefined;
    return near(box.current, (isNow, pixels) => {
      if (!isNow) height.current = pixels;
      setNear(isNow || isOnTheWay);
    });
  }, []);
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    if (!isNear) return setShown(undefined);
    const stop = new AbortController();
    void readPiece(path, begin, stop.signal).then(async (piece) => {
      if (stop.signal.aborted) return;
      // What comes after it need not wait until it is drawn.
      if (piece.next !== undefined) read(piece.next);
      await ownFrame();
      if (!stop.signal.aborted) setShown(piece);
    });
    return () => stop.abort();
  }, [isNear]);
  return (
    <div ref={box} class="piece" style={{ minHeight: shown === undefined ? `${height.current}px` : "" }}>
      {shown !== undefined && <Trouble text={shown.trouble ?? ""} />}
      {shown?.parts !== undefined && <Said parts={shown.parts} meant={meant} />}
    </div>
  );
}

interface Shown {
  parts?: readonly Part[];
  next?: Begin | undefined;
  /** Why there is nothing. */
  trouble?: string;
}

async function readPiece(path: string, { from, offset }: Begin, stop: AbortSignal): Promise<Shown> {
  const more = offset > 0 && { offset };
  try {
    return await ask("readSource", { path, from, max_tokens: PIECE_TOKENS, ...more }, stop);
  } catch (error) {
    const { message, advice = "" } = error as Refusal;
    return { trouble: `${message} ${advice}` };
  }
}

type Part = AnswerOf<"readSource">["parts"][number];

function Said({ parts, meant }: { parts: readonly Part[]; meant: Meant | undefined }) {
  const isMeant = ({ lines: [first, last] }: Part): boolean =>
    meant !== undefined && first <= meant.line && meant.line <= last;
  return (
    <ol class="said">
      {parts.map((part) => (
        <Message key={part.id} part={part} isMeant={isMeant(part)} revision={meant?.revision} />
      ))}
    </ol>
  );
}

interface MessageProps {
  part: Part;
  isMeant: boolean;
  /** Of what stood where the link leads. */
  revision: string | undefined;
}

function Message({ part, isMeant, revision }: MessageProps) {
  const { speaker, role, text, at, source, lines } = part;
  const [who, when] = [speaker ?? role, at.slice(0, 16).replace("T", " ")];
  // Of few elements: very many are drawn and taken away as somebody scrolls.
  return (
    <li class={`item ${role ?? ""}`} tabIndex={-1} aria-current={isMeant ? "true" : undefined}>
      <p class="quiet">
        {who !== undefined && <strong>{who}</strong>}
        <time dateTime={at}>{when}</time>
        <Place path={source.slice(0, source.lastIndexOf(":"))} line={lines[0]} />
      </p>
      {isMeant && revision !== undefined && (
        <p class="note">
          {w("revision")} {revision}: {w(part.revision === revision ? "stillSo" : "changedSince")}
        </p>
      )}
      <bdi class="text">{text}</bdi>
    </li>
  );
}
