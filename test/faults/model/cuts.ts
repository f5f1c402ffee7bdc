/**
 * What a loss of power may leave, after each effect of a log.
 *
 * Names: of the entries that no folder fsync has made durable, those up to some
 * moment stand (a journalling disk), or any other selection of them (a disk
 * that writes in its own order). Bytes: what no fsync has made durable is there,
 * is not, is there up to any byte, or its length is there with zeros or old
 * bytes in place of the rest.
 */
import { applyTo, type Effect } from "./file-system.js";
import { copyOf, EMPTY, type Content, type Image } from "./image.js";

export interface CutOptions {
  /** Of selections that are not a beginning, at most so many at each point. */
  selections: number;
  /** Every so many bytes a write is torn; 1 for each byte. */
  tearEvery: number;
  /** Below 1, from the seed. */
  random: () => number;
  /** True once no more images are wanted. */
  enough: () => boolean;
}

type NameEffect = Extract<Effect, { is: "enter" | "leave" | "move" }>;

/** Calls back with each image that power may leave after more than `from` effects and was not possible before; `at` counts effects. */
export async function eachCut(
  base: Image,
  log: readonly Effect[],
  from: number,
  options: CutOptions,
  found: (image: Image, at: number) => void | Promise<void>,
): Promise<void> {
  const durable = copyOf(base);
  /** Bytes as they are seen, by inode, where they differ from what is durable. */
  const wet = new Map<number, { content: Content; spoilt: boolean }>();
  let pending: NameEffect[] = [];
  for (let at = 1; at <= log.length; at++) {
    const effect = log[at - 1] as Effect;
    pending = settle(durable, wet, pending, effect);
    // After a sync nothing new can be lost: what it left was possible before it as well.
    if (at <= from || effect.is.startsWith("sync")) continue;
    for (const chosen of selectionsOf(pending, effect, options)) {
      // Bytes may be durable before any name of theirs is.
      const image: Image = { names: foldersOf(durable), files: new Map(durable.files) };
      for (const name of chosen) applyTo(image, name);
      for (const files of tearsOf(image, durable, wet, effect, options)) {
        if (options.enough()) return;
        const torn = files.length === 0 ? image : { names: image.names, files: new Map(image.files) };
        for (const [ino, content] of files) torn.files.set(ino, content);
        const went = found(torn, at);
        if (went !== undefined) await went;
      }
    }
  }
}

/** Those without a name too. */
function foldersOf({ names }: Image): Image["names"] {
  const copy: Image["names"] = new Map();
  for (const [ino, entries] of names) copy.set(ino, new Map(entries));
  return copy;
}

/** Takes one more effect in; what is pending then. */
function settle(
  durable: Image,
  wet: Map<number, { content: Content; spoilt: boolean }>,
  pending: NameEffect[],
  effect: Effect,
): NameEffect[] {
  switch (effect.is) {
    case "write":
      wet.set(effect.ino, { content: effect.content, spoilt: wet.get(effect.ino)?.spoilt ?? false });
      return pending;
    case "sync": {
      const known = wet.get(effect.ino);
      if (known === undefined || known.spoilt) return pending;
      durable.files.set(effect.ino, known.content);
      wet.delete(effect.ino);
      return pending;
    }
    case "sync failed": {
      const known = wet.get(effect.ino);
      if (known !== undefined) known.spoilt = true;
      return pending;
    }
    case "enter":
      // What is put into a folder may be durable before the folder's own name is.
      if (effect.folder) durable.names.set(effect.ino, new Map());
      return [...pending, effect];
    case "leave":
    case "move":
      return [...pending, effect];
    case "sync folder":
      for (const name of pending) if (name.dir === effect.dir) applyTo(durable, name);
      return pending.filter((name) => name.dir !== effect.dir);
    case "outside": {
      for (const name of pending) if (name.dir === effect.dir) applyTo(durable, name);
      applyTo(durable, effect);
      if (effect.ino !== undefined) wet.delete(effect.ino);
      return pending.filter((name) => name.dir !== effect.dir);
    }
    default:
      return effect satisfies never;
  }
}

/**
 * Which of the pending names stand. Those without the newest effect were possible
 * before it, and have been told; the others all, while they are few.
 */
function selectionsOf(pending: readonly NameEffect[], effect: Effect, options: CutOptions): NameEffect[][] {
  const isName = effect.is === "enter" || effect.is === "leave" || effect.is === "move";
  const before = isName ? pending.slice(0, -1) : pending;
  const always = isName ? pending.slice(-1) : [];
  const everything = [...pending];
  if (before.length === 0) return [everything];
  const others = 2 ** before.length - 1;
  const masks =
    others <= options.selections
      ? Array.from({ length: others }, (_unused, mask) => mask)
      : Array.from({ length: options.selections }, () => Math.floor(options.random() * others));
  const chosen = masks.map((mask) => [
    ...before.filter((_name, bit) => Math.floor(mask / 2 ** bit) % 2 === 1),
    ...always,
  ]);
  return [everything, ...chosen];
}

/** For the files with bytes that are not durable: the contents they may be found with. */
function* tearsOf(
  image: Image,
  durable: Image,
  wet: ReadonlyMap<number, { content: Content; spoilt: boolean }>,
  effect: Effect | undefined,
  options: CutOptions,
): Generator<[number, Content][]> {
  const here = [...wet].filter(([ino]) => image.files.has(ino));
  if (here.length === 0) {
    yield [];
    return;
  }
  const lost = here.map(([ino]): [number, Content] => [ino, durable.files.get(ino) ?? EMPTY]);
  const whole = here.map(([ino, { content }]): [number, Content] => [ino, content]);
  yield lost;
  yield whole;
  for (const [index, [ino, { content }]] of here.entries()) {
    // Torn where it was just written; what has been torn before need not be torn again.
    if (effect?.is !== "write" || effect.ino !== ino) continue;
    const stood = (durable.files.get(ino) ?? EMPTY).bytes.length;
    for (let length = stood + 1; length < content.bytes.length; length += options.tearEvery) {
      for (const torn of tornAt(content, length)) {
        const others = options.random() < 0.5 ? lost : whole;
        yield others.map((other, at) => (at === index ? [ino, torn] : other));
      }
    }
  }
}

const ZERO = 0;
/** What a block held before it was given to this file. */
const STALE = 0xa5;

function tornAt(content: Content, length: number): Content[] {
  const { bytes, mtimeMs } = content;
  const filled = (byte: number): Content => ({ bytes: bytes.slice().fill(byte, length), mtimeMs });
  return [{ bytes: bytes.subarray(0, length), mtimeMs }, filled(ZERO), filled(STALE)];
}
