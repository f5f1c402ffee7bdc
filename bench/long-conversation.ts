/** The conversations of a set, one after another as one. */
import fs from "node:fs/promises";
import path from "node:path";

export interface LongMessage {
  id: string;
  role: string;
  speaker?: string;
  text: string;
  createdAt: string;
}

export async function longConversation(folder: string, count: number): Promise<LongMessage[]> {
  const lines = (await fs.readFile(path.join(folder, "messages.jsonl"), "utf8")).split("\n").filter(Boolean);
  const messages = lines.map((line) => JSON.parse(line) as LongMessage & { conversation: string });
  const first = Date.parse(messages[0]?.createdAt ?? "2026-01-01T00:00:00Z");
  return messages.slice(0, count).map(({ role, speaker, text }, index) => ({
    id: `long-${index}`,
    role,
    ...(speaker === undefined ? {} : { speaker }),
    text,
    // A few minutes apart: sets count their times anew for each conversation.
    createdAt: new Date(first + index * 7 * 60_000).toISOString(),
  }));
}
