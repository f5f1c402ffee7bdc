/** What `memd import` would take in from paths, in the words of the generator. */
import path from "node:path";
import { candidatesAt, type FileOutcome, tellingsOf } from "../../src/adapters/gather.js";
import { listedMessages, messagesOf } from "../../src/adapters/given.js";
import { type Past, pastOf, withoutOwnNotes } from "../../src/adapters/past.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { parseMessage } from "../../src/protocol/message.js";

export async function pastIn(paths: readonly string[]): Promise<Past> {
  const outcomes: FileOutcome[] = [];
  for (const place of paths) {
    const candidates = (await candidatesAt(nodeDisk, place, path.basename(place))) ?? [];
    const there: FileOutcome[] = [];
    for await (const { outcomes: told } of tellingsOf(nodeDisk, candidates)) there.push(...told);
    outcomes.push(...withoutOwnNotes(there));
  }
  return pastOf(outcomes);
}

export interface Said {
  conversation: string;
  role: "user" | "assistant";
  text: string;
  at: string | undefined;
}

export function saidIn({ conversations, lists, skipped }: Past): Said[] {
  const wanted = { tools: false };
  const fields = [
    ...conversations.flatMap(({ conversation }) => messagesOf(conversation, undefined, wanted)),
    ...lists.flatMap(({ messages }) => listedMessages(messages, wanted, skipped)),
  ];
  return fields.flatMap((one): Said[] => {
    const message = parseMessage(one);
    if (message === undefined || (message.role !== "user" && message.role !== "agent")) return [];
    const { session, scope, role, text, createdAt } = message;
    return [
      {
        conversation: session ?? scope ?? "",
        role: role === "agent" ? "assistant" : "user",
        text,
        at: createdAt === "" ? undefined : createdAt,
      },
    ];
  });
}
