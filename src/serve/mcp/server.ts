/**
 * What an MCP client is served: tools, the files of the memory as resources, and one prompt. One server is made for
 * each connection, or for each request where there is none; which workspace it is of and on whose behalf it answers is
 * settled before it is made. Loaded when somebody asks for it: it brings the SDK.
 */
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { plain } from "../../context/quote.js";
import { isMemdError, problemOf } from "../../model/errors.js";
import { SCHEME, sourceNamed, sourceUri } from "../../service/source-name.js";
import type { Ask, Effect, Room, Tool } from "./tool.js";
import { partLines, quotedText, toldPrompt } from "./wording.js";

export interface McpParts {
  version: string;
  tools: readonly Tool[];
  room: Room;
  ask: Ask;
  /** Whether a client can be told of what changes later. */
  tellsChanges: boolean;
}

/** Of a resource that is read whole. */
const RESOURCE_TOKENS = 50_000;
/** Listed: all that is older is found by a search. */
const RESOURCES_LISTED = 200;
const LISTED_KINDS: ReadonlySet<string> = new Set(["memory", "profile", "summary", "day"]);
const MARKDOWN = "text/markdown";

const INSTRUCTIONS =
  "memd is the long-term memory of this agent. Look there (search_memories) before you say that you do not know, and call `end` when a turn is done.";

export function createMcpServer({ version, tools, room, ask, tellsChanges }: McpParts): McpServer {
  const server = new McpServer(
    { name: "memd", title: "memd", version },
    {
      instructions: INSTRUCTIONS,
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { subscribe: tellsChanges, listChanged: tellsChanges },
      },
    },
  );
  for (const tool of tools)
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: tool.input,
        ...(tool.output && { outputSchema: tool.output }),
        annotations: annotationsOf(tool.effect),
      },
      (asked: Record<string, unknown>, context: ServerContext) =>
        called(server, tool, { ask, room }, asked, context),
    );
  server.registerPrompt(
    "memory",
    { title: "Memory", description: "What memd would put before an agent now." },
    async () => {
      const prompt = await ask("prompt", {});
      const text = await toldPrompt(prompt?.markdown, room.prompt);
      return { messages: [{ role: "user", content: { type: "text", text } }] };
    },
  );
  server.registerResource(
    "source",
    new ResourceTemplate(`${SCHEME}{+path}`, { list: () => listed(ask) }),
    {
      title: "A file of the memory",
      description: "A file of the memory; with #L12-L20 these lines of it.",
      mimeType: MARKDOWN,
    },
    (uri) => resourceAt(ask, uri.href),
  );
  return server;
}

function annotationsOf(effect: Effect): Record<string, boolean> {
  const isDestructive = effect === "removes" || effect === "changes";
  return { readOnlyHint: effect === "reads", destructiveHint: isDestructive, openWorldHint: false };
}

async function called(
  server: McpServer,
  tool: Tool,
  { ask, room }: Pick<McpParts, "ask" | "room">,
  asked: Record<string, unknown>,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const question = await confirmation(server, tool, ask, asked, context);
    if (question !== undefined) return question;
    const { text, data } = await tool.run(ask, asked, room);
    return { content: [{ type: "text", text }], ...(data && { structuredContent: data }) };
  } catch (error) {
    const { code, message, advice } = problemOf(error);
    return { isError: true, content: [{ type: "text", text: `${message} ${advice} (${code})` }] };
  }
}

const answer = z.object({ confirm: z.boolean() });
const declared = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: z.looseObject({}) }),
});

/** What the person is asked first, where the client can ask them; undefined once they agree, or where it cannot. */
async function confirmation(
  server: McpServer,
  tool: Tool,
  ask: Ask,
  asked: Record<string, unknown>,
  { mcpReq }: ServerContext,
): Promise<CallToolResult | InputRequiredResult | undefined> {
  if (tool.confirm === undefined) return undefined;
  // Clients of 2026 say with each request what they can, those of 2025 when they connect.
  const canBeAsked =
    declared.safeParse(mcpReq.envelope).success ||
    server.server.getClientCapabilities()?.elicitation !== undefined;
  if (!canBeAsked) return undefined;
  const { key, question } = await tool.confirm(ask, asked);
  // What was agreed to is that thing alone: where the list has changed meanwhile, it is asked again.
  if (mcpReq.inputResponses === undefined || !(key in mcpReq.inputResponses))
    return inputRequired({
      inputRequests: { [key]: inputRequired.elicit({ message: question, requestedSchema: answer }) },
    });
  if (acceptedContent(mcpReq.inputResponses, key, answer)?.confirm === true) return undefined;
  return { content: [{ type: "text", text: "Nothing was deleted: the person did not agree." }] };
}

async function listed(ask: Ask) {
  const { sources } = await ask("listSources", { limit: RESOURCES_LISTED });
  const resources = sources
    .filter(({ kind }) => LISTED_KINDS.has(kind))
    .map(({ path, kind, date }) => ({
      uri: sourceUri(path),
      name: path,
      title: date === undefined ? (kind === "memory" ? "Pinned memory" : path) : `${date} (${kind})`,
      mimeType: MARKDOWN,
    }));
  return { resources };
}

async function resourceAt(ask: Ask, uri: string) {
  try {
    const { kind, parts, next } = await ask("readSource", {
      ...sourceNamed(uri),
      max_tokens: RESOURCE_TOKENS,
    });
    const whole =
      kind === "memory"
        ? plain(parts.map(({ text }) => text).join("\n\n"))
        : quotedText(parts.map(partLines).join("\n\n"));
    const text = next === undefined ? whole : `${whole}\n\nThere is more from line ${next.from} on.`;
    return { contents: [{ uri, mimeType: MARKDOWN, text }] };
  } catch (error) {
    if (isMemdError(error, "source_unknown")) throw new ResourceNotFoundError(uri);
    const { message, advice } = problemOf(error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${message} ${advice}`);
  }
}
