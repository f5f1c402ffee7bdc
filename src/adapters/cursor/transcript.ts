/**
 * A transcript of Cursor: `{role, message: {content}}`, with neither ids nor times.
 *
 * Pure. A message is known by its place among those that say the same.
 */
import { contentHash } from "../../platform/files.js";
import { fieldsOf, wordsOf } from "../fields.js";
import type { Line } from "../lines.js";
import type { Conversation, Skipped, Source, ToldMessage } from "../told.js";

const QUERY = /^\s*<user_query>\n?([\s\S]*?)\n?<\/user_query>\s*$/;

export function readCursor(lines: Iterable<Line>, source: Source, skipped: Skipped): Conversation[] {
  const id = source.name.replace(/\.jsonl$/, "");
  const times = new Map<string, number>();
  const messages: ToldMessage[] = [];
  for (const { fields } of lines) {
    const role = fields["role"] === "user" ? "user" : fields["role"] === "assistant" ? "agent" : undefined;
    const words = wordsOf(fieldsOf(fields["message"])["content"]).trim();
    const text = role === "user" ? (QUERY.exec(words)?.[1] ?? words) : words;
    if (role === undefined || text === "") {
      skipped.note("lines without words");
      continue;
    }
    const said = contentHash(`${role}\n${text}`);
    const time = (times.get(said) ?? 0) + 1;
    times.set(said, time);
    messages.push({ id: `${id}:${said}-${time}`, role, text });
  }
  return messages.length === 0 ? [] : [{ id, messages }];
}
