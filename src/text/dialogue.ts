/** A dialogue that somebody hands over word for word: what was said there, turn by turn. Pure. */

/** `"…" "…"`: one quoted sentence after another. */
const QUOTED = /(?<=["”])\s+(?=["“])/;
/** `<Lin Yue>: …`, wherever it stands. */
const TAGGED = /(?<=^|\s)(?=<[^<>\n]{1,40}>\s{0,2}[:：])/u;
/** `Lin Yue: …` or `[09:14] Lin Yue: …` at the start of a line. */
const HEADED =
  /^\s*(?:[[(]?\d[\d:./-]{0,20}(?: \d[\d:]{0,10})?[\])]?[ \t]{0,4})?(\p{L}[^\n:：<>"“”]{0,30})[:：](?=\s|\p{Script=Han})/u;
const FEWEST_HEADED = 3;

/** One quoted sentence after another, the oldest first; the whole text where it is something else. */
export function quotedIn(text: string): string[] {
  return text.split(QUOTED);
}

/** The oldest first; the whole text where it is no dialogue. */
export function turnsIn(text: string): string[] {
  const quoted = quotedIn(text);
  if (quoted.length > 1) return quoted;
  const tagged = text.split(TAGGED).filter((turn) => turn.trim() !== "");
  if (tagged.filter((turn) => turn.startsWith("<")).length > 1) return tagged;
  return headedTurns(text.split("\n")) ?? [text];
}

export function isDialogue(text: string): boolean {
  return turnsIn(text).length > 1;
}

/** Undefined unless somebody is answered and speaks again: notes and lists of questions have headings too. */
function headedTurns(lines: readonly string[]): string[] | undefined {
  const heads = lines.flatMap((line) => HEADED.exec(line)?.[1] ?? []);
  const speakers = new Set(heads).size;
  if (heads.length < FEWEST_HEADED || speakers < 2 || speakers === heads.length) return undefined;
  const turns: string[] = [];
  for (const [at, line] of lines.entries()) {
    const isNew = HEADED.test(line) || lines[at - 1]?.trim() === "";
    if (isNew || turns.length === 0) turns.push(line);
    else turns.push(`${turns.pop() ?? ""}\n${line}`);
  }
  return turns.filter((turn) => turn.trim() !== "");
}
