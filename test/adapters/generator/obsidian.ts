/** An Obsidian vault: notes that link to each other, properties, tags, embeds, and what is not a note. */
import { bodyOf, endLines, type Note } from "./notes.js";
import { iso, type Yard } from "./yard.js";

const VAULT = "vault";
const NOTES_A_SESSION = 3;

export function writeObsidian(yard: Yard): string[] {
  const room = (yard.bytes ?? 0) / Math.max(1, yard.sessions * NOTES_A_SESSION);
  const names: string[] = [];
  for (let number = 0; number < yard.sessions * NOTES_A_SESSION; number++) {
    const note = noteOf(yard, number, room, names);
    names.push(note.name);
    yard.note(note.body, note.at);
    const folder = yard.random.pick(["", "Daily/", "项目/渡轮/", "Attachments/"]);
    yard.write(`${VAULT}/${folder}${note.name}.md`, endLines(yard, note.head + note.body), note.at);
  }
  for (const folder of ["Daily", "项目"]) {
    const body = `The same name in two folders: ${yard.prose.word()}`;
    yard.write(`${VAULT}/${folder}/Same.md`, `${body}\n`);
    yard.note(body);
  }
  yard.odd("notes with the same name");
  writeStrays(yard);
  return [yard.at(VAULT)];
}

function noteOf(yard: Yard, number: number, room: number, names: readonly string[]): Note {
  const at = yard.talk.tick();
  const word = yard.prose.word();
  const name = yard.random.chance(0.3) ? `渡轮 ${number} ${word}` : `Note ${number} (${word})`;
  const body = `${bodyOf(yard, room)}\n\n${linked(yard, names)}`;
  // A body may begin with a rule, which must not look like properties where there are none.
  const safe = `${word} begins.\n\n${body}`;
  return { name, ...properties(yard, word, at), body: safe };
}

function properties(yard: Yard, word: string, at: number): { head: string; at: number | undefined } {
  if (yard.happens("properties", 0.4)) {
    const lines = [
      "tags:\n  - trip/ferry\n  - 渡轮",
      `aliases: ["${word} alias"]`,
      "cssclasses: wide",
      'up: "[[Note#Heading]]"',
      `created: ${iso(at)}`,
      "done: false",
    ];
    return { head: `---\n${lines.join("\n")}\n---\n`, at };
  }
  if (yard.happens("properties with the older singular names", 0.05))
    return { head: `---\ntag: ferry, trip\nalias: ${word} alias\n---\n\n`, at: undefined };
  if (yard.happens("properties as JSON", 0.03))
    return { head: `---\n${JSON.stringify({ tags: ["json"], aliases: [word] })}\n---\n\n`, at: undefined };
  return { head: "", at: undefined };
}

function linked(yard: Yard, names: readonly string[]): string {
  const name = names.length === 0 ? "Nowhere" : yard.random.pick(names);
  const word = yard.prose.word();
  const forms: readonly [string, string][] = [
    ["plain links", `See [[${name}]] for ${word}.`],
    ["links to headings", `[[${name}#Heading#Sub]] says ${word}`],
    ["links to blocks", `[[${name}#^${word}]] was ${word} ^${word}`],
    ["links with other words", `| a | b |\n|---|---|\n| [[${name}\\|${word}]] | [[${name}|shown]] |`],
    ["Markdown links", `[${word}](${encodeURIComponent(name)}.md)`],
    ["embeds", `![[${name}]]\n![[photo.png|300]] ${word}`],
    ["tags", `#trip/ferry #渡轮 ${word} #2026x`],
    ["callouts", `> [!note]- Folded ${word}\n> inside`],
    ["comments", `%%not shown: ${word}%% ==marked== $x^2$`],
  ];
  const taken = yard.random.shuffled(forms).slice(0, yard.random.between(1, 4));
  for (const [kind] of taken) yard.odd(`notes with ${kind}`);
  return taken.map(([, text]) => text).join("\n\n");
}

/** What a vault holds beside notes. */
function writeStrays(yard: Yard): void {
  const word = yard.prose.word();
  yard.write(`${VAULT}/.obsidian/app.json`, JSON.stringify({ promptDelete: false }));
  yard.write(`${VAULT}/.obsidian/plugins/memo/README.md`, `A plugin's own words: ${word}\n`);
  yard.write(`${VAULT}/.trash/Thrown away.md`, `Thrown away: ${yard.prose.word()}\n`);
  yard.write(
    `${VAULT}/Board.canvas`,
    JSON.stringify({ nodes: [{ id: "n", type: "text", text: word }], edges: [] }),
  );
  yard.write(`${VAULT}/Attachments/photo.png`, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]));
  yard.write(`${VAULT}/Attachments/scan.pdf`, "%PDF-1.4\n");
  yard.write(`${VAULT}/Daily/Empty.md`, "");
  yard.odd("files that are no notes", 7);
}
