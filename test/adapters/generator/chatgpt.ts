/** ChatGPT's export: a folder in parts, and an older export as a zip, with some conversations in both. */
import { ChatTree } from "./chatgpt-tree.js";
import { concat, iso, jsonArray, jsonBytes, rawArray, type Yard } from "./yard.js";
import { zipOf } from "./zip.js";

const PART_CONVERSATIONS = 100;
const PART_LENGTH = 64e6;

interface Export {
  inFolder: Buffer[];
  inZip: Buffer[];
}

export function writeChatGpt(yard: Yard): string[] {
  const texts: Export = { inFolder: [], inZip: [] };
  const parts: string[] = [];
  const perPart = Math.min(PART_CONVERSATIONS, Math.max(1, Math.ceil(yard.sessions / 3)));
  for (let number = 0; number < yard.sessions; number++) {
    addConversation(yard, number, texts);
    if (texts.inFolder.length >= perPart || lengthOf(texts.inFolder) > PART_LENGTH)
      parts.push(writePart(yard, parts.length, texts.inFolder.splice(0)));
  }
  texts.inFolder.push(...broken(yard));
  writePart(yard, parts.length, texts.inFolder);
  const extras = extraFiles(yard);
  for (const [name, content] of Object.entries(extras)) yard.write(`chatgpt/${name}`, content);
  const paths = [yard.at("chatgpt")];
  if (texts.inZip.length > 0)
    paths.push(yard.write("chatgpt-older.zip", zipOf(yard, zipFiles(texts, extras))));
  return paths;
}

function addConversation(yard: Yard, number: number, texts: Export): void {
  const session = yard.talk.session();
  const tree = new ChatTree(yard, session.id);
  for (const turn of session.turns) tree.turn(turn);
  tree.say();
  const head = {
    id: session.id,
    conversation_id: session.id,
    title: yard.happens("null titles", 0.1) ? null : session.title,
    create_time: yard.happens("null times of conversations", 0.08)
      ? null
      : (session.turns[0]?.at ?? 0) / 1000,
    update_time: session.endsAt / 1000,
    gizmo_id: null,
    default_model_slug: "gpt-x",
  };
  const whole = jsonBytes({ ...head, ...tree.whole() });
  if (number % 3 === 2) {
    texts.inZip.push(whole);
    yard.odd("conversations in the zip");
    return;
  }
  texts.inFolder.push(whole);
  if (yard.happens("conversations in both exports, the older one shorter", 0.1))
    texts.inZip.push(jsonBytes({ ...head, ...tree.early() }));
}

function writePart(yard: Yard, number: number, conversations: readonly Buffer[]): string {
  return yard.write(`chatgpt/${partName(number)}`, rawArray(conversations));
}

function partName(number: number): string {
  return `conversations-${String(number).padStart(3, "0")}.json`;
}

function lengthOf(texts: readonly Buffer[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** Conversations that cannot be read, or hold nothing; the others of the file must not suffer. */
function broken(yard: Yard): Buffer[] {
  yard.odd("conversations that are broken or empty", 3);
  const head = { title: null, create_time: null, update_time: null };
  const conversations = [
    { ...head, id: yard.random.uuid(), mapping: null, current_node: "x" },
    { ...head, id: yard.random.uuid(), mapping: {}, current_node: null },
    null,
  ];
  return conversations.map(jsonBytes);
}

function extraFiles(yard: Yard): Record<string, string> {
  const word = yard.prose.word();
  return {
    "user.json": JSON.stringify({ id: "user-1", email: "lin@example.org" }),
    "message_feedback.json": JSON.stringify([
      { id: "f1", rating: "thumbs_up", content: `{"text":"${word}"}` },
    ]),
    "shared_conversations.json": [...jsonArray([{ id: "s1", conversation_id: "c1", title: word }])].join(""),
    "chat.html": `<html><script>var jsonData = [{"title":"${word}","mapping":{}}]</script></html>`,
  };
}

function zipFiles(texts: Export, extras: Record<string, string>): Record<string, string | Buffer> {
  const files: Record<string, string | Buffer> = { "files/": "", ...extras };
  const parts: Buffer[][] = [[]];
  for (const text of texts.inZip) {
    if (lengthOf(parts.at(-1) ?? []) > PART_LENGTH) parts.push([]);
    parts.at(-1)?.push(text);
  }
  for (const [number, part] of parts.entries())
    files[parts.length === 1 ? "conversations.json" : partName(number)] = concat(rawArray(part));
  files["files/说明.txt"] = `Exported ${iso(1_780_000_000_000)}`;
  return files;
}
