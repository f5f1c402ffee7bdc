/**
 * Texts as a note of Obsidian's holds them: what people and agents said makes no link, no comment
 * and no heading of the note's. Pure.
 */

/** Marks that would be Obsidian's, put so that they are read as they stand. Code stays as it is. */
export function plain(text: string): string {
  return outsideCode(text, (words) =>
    words
      .replaceAll("[[", String.raw`\[\[`)
      .replaceAll("<!--", "&lt;!--")
      .replaceAll("%%", String.raw`\%\%`),
  );
}

/** In a frame of its own, which ends what is open in it. */
export function quoted(text: string): string {
  return plain(text)
    .split(/\r\n|[\r\n]/)
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** Without comments, which are for whoever edits the file, and memd's own among them. */
export function withoutComments(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let begin = text.indexOf("<!--"); begin !== -1; begin = text.indexOf("<!--", at)) {
    const end = text.indexOf("-->", begin);
    if (end === -1) break;
    kept.push(text.slice(at, begin));
    at = end + "-->".length;
  }
  const lines = `${kept.join("")}${text.slice(at)}`.split("\n").map((line) => line.trimEnd());
  return lines
    .filter((line, index) => line !== "" || lines[index - 1] !== "")
    .join("\n")
    .trim();
}

/** A note by its path in the vault, and what it is called there. */
export function linkTo(path: string, shown: string): string {
  const name = shown.replaceAll(/[[\]|\r\n]+/g, " ").trim();
  return name === "" || name === path ? `[[${path}]]` : `[[${path}|${name}]]`;
}

const LONGEST_NAME_CHARS = 80;

/** Names of notes in a folder, each once, whatever the case. */
export class NoteNames {
  readonly #taken = new Set<string>();

  constructor(readonly folder: string) {}

  /** The path of a note that is to be called so, without its ending. */
  pathFor(wanted: string): string {
    const name = nameOf(wanted);
    for (let count = 1; ; count++) {
      const path = `${this.folder}/${count === 1 ? name : `${name} ${count}`}`;
      const key = path.toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return path;
    }
  }
}

/** What no system and no link takes for something else. */
function nameOf(wanted: string): string {
  const name = wanted
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Cf}\\/:*?"<>|#^[\]%\s]+/gu, " ")
    .replace(/^[. ]+/, "");
  const short = [...name].slice(0, LONGEST_NAME_CHARS);
  while (short.length > 0 && [".", " "].includes(short.at(-1) ?? "")) short.pop();
  return short.length === 0 ? "Untitled" : short.join("");
}

function outsideCode(text: string, change: (words: string) => string): string {
  let fence = "";
  return text
    .split("\n")
    .map((line) => {
      const mark = /^ {0,3}(`{3,}(?!.*`)|~{3,})/.exec(line)?.[1] ?? "";
      const isOpen = fence !== "";
      if (!isOpen && mark !== "") fence = mark;
      else if (isOpen && mark.startsWith(fence) && line.trim() === mark) fence = "";
      return isOpen || mark !== "" ? line : outsideSpans(line, change);
    })
    .join("\n");
}

/** A span of code ends with as many marks as it began with, in its line. */
function outsideSpans(line: string, change: (words: string) => string): string {
  const parts = line.split(/(`+)/);
  const made: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? "";
    const end = part.startsWith("`") ? parts.indexOf(part, at + 1) : -1;
    if (end === -1) made.push(change(part));
    else {
      made.push(parts.slice(at, end + 1).join(""));
      at = end;
    }
  }
  return made.join("");
}
