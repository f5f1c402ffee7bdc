/** A folder of Markdown notes: plain ones, some with front matter, some in the shape of basic-memory. */
import { bodyOf, endLines, type Note } from "./notes.js";
import { iso, type Yard } from "./yard.js";

const ROOT = "markdown";
const NOTES_A_SESSION = 3;

export function writeMarkdown(yard: Yard): string[] {
  const room = (yard.bytes ?? 0) / Math.max(1, yard.sessions * NOTES_A_SESSION);
  for (let number = 0; number < yard.sessions * NOTES_A_SESSION; number++) {
    const note = noteOf(yard, number, room);
    yard.note(note.body, note.at);
    const folder = yard.random.pick(["", "projects/", "日记/", "projects/2026/"]);
    yard.write(`${ROOT}/${folder}${note.name}.md`, endLines(yard, note.head + note.body), note.at);
  }
  writeStrays(yard);
  return [yard.at(ROOT)];
}

function noteOf(yard: Yard, number: number, room: number): Note {
  const at = yard.talk.tick();
  const word = yard.prose.word();
  const name = yard.random.chance(0.3) ? `笔记 ${number} ${word}` : `note-${number}-${word}`;
  const body = `# ${word}\n\n${bodyOf(yard, room)}`;
  const plain: Note = { name, head: "", body, at: undefined };
  if (yard.happens("front matter", 0.3)) {
    const head = `---\ntitle: "About: ${word}"\ntags: [ferry, 渡轮]\ncreated: ${iso(at)}\nauthor: Lin\n---\n\n`;
    return { ...plain, head, at };
  }
  if (yard.happens("notes of basic-memory", 0.2)) {
    const permalink = `notes/${word}`;
    const times = `created: ${iso(at)}\nmodified: ${iso(at + 60_000)}`;
    const head = `---\ntitle: ${word}\ntype: note\ntags:\n- ferry\npermalink: ${permalink}\n${times}\n---\n\n`;
    const facts = [
      `- [decision] ${yard.prose.word()} leaves at nine #ferry (by phone)`,
      `- [preference] no coriander, ${yard.prose.word()} #food`,
      `- depends_on [[Note ${yard.prose.word()}]] (since May)`,
      `- "is part of" [[Trip]]`,
    ];
    return { ...plain, head, body: `${body}\n\n## Observations\n${facts.join("\n")}`, at };
  }
  if (yard.happens("front matter that is never closed", 0.03))
    return { ...plain, body: `---\ntitle: ${word}\nno end of it\n\n${body.replace(/^---$/gm, "***")}` };
  if (yard.happens("front matter that is no YAML", 0.03))
    return { ...plain, head: `---\ntitle: "broken: [\n\t- : :\n---\n\n` };
  return plain;
}

/** Files that are no notes, or hold none. */
function writeStrays(yard: Yard): void {
  yard.write(`${ROOT}/empty.md`, "");
  yard.write(`${ROOT}/blank.md`, "\n\n  \n");
  yard.write(`${ROOT}/only-properties.md`, "---\ntitle: nothing else\n---\n");
  yard.odd("files with nothing in them", 3);
  yard.write(`${ROOT}/picture.png`, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]));
  yard.write(`${ROOT}/table.csv`, `a,b\n${yard.prose.word()},2\n`);
  yard.write(`${ROOT}/.git/description.md`, `of git, ${yard.prose.word()}\n`);
  yard.odd("files that are no notes", 3);
}
