/**
 * `memd mcp`: MCP on standard input and output, for the client that started it. It asks the memd that runs, or has
 * a child take the owner's place for an answer; and it ends with its client, whatever it was doing: what was
 * acknowledged is on the disk.
 */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { McpServer } from "@modelcontextprotocol/server";
import { type Seat, seatIn } from "../model/address.js";
import { SECOND_MS } from "../model/time.js";
import { nodeDisk } from "../platform/node-disk.js";
import { packageVersion } from "../platform/package-root.js";
import { endWithParent, exitNow, onStopSignal, protocolOnly } from "../platform/process.js";
import { systemClock } from "../platform/clock.js";
import { readSettings } from "../protocol/settings.js";
import type { Workspace } from "../protocol/workspace.js";
import { createMcpServer } from "../serve/mcp/server.js";
import type { Ask } from "../serve/mcp/tool.js";
import { toolsFor } from "../serve/mcp/tools.js";
import { type CommonOptions, openWorkspace } from "./context.js";

interface McpFlags extends CommonOptions {
  as?: string;
  tools?: "basic" | "all";
}

export async function mcp({ as, tools, ...options }: McpFlags): Promise<void> {
  protocolOnly();
  endWithParent();
  onStopSignal(() => exitNow(0));
  const seat = as === undefined ? undefined : seatIn(as);
  const workspace = await openWorkspace(options);
  const settings = (await readSettings(nodeDisk, workspace)).mcp;
  const ask = askIn(workspace, seat);
  const parts = {
    version: packageVersion(),
    tools: toolsFor(seat, tools ?? settings.tools),
    room: { answer: settings.answer_tokens, prompt: settings.prompt_tokens },
    ask,
  };
  let server: McpServer | undefined;
  let subscribed: Set<string> | undefined;
  serveStdio(({ era }) => {
    server = createMcpServer({ ...parts, tellsChanges: true });
    subscribed = era === "legacy" ? takeSubscriptions(server) : undefined;
    return server;
  });
  await systemClock().sleep(TELL_AFTER_MS);
  const { followChanges } = await import("./mcp-changes.js");
  await followChanges(workspace, ask, async ({ uris, isListNew }) => {
    if (server === undefined) return;
    for (const uri of uris)
      if (subscribed?.has(uri) !== false) await server.server.sendResourceUpdated({ uri });
    if (isListNew) server.sendResourceListChanged();
  });
}

/** First of all a client wants the list of tools. */
const TELL_AFTER_MS = SECOND_MS;

/** What asks is loaded with the first question. */
function askIn(workspace: Workspace, seat: Seat | undefined): Ask {
  let loading: Promise<Ask> | undefined;
  return async (name, asked) => {
    loading ??= import("./mcp-ask.js").then(({ askAs }) => askAs(workspace, seat));
    return (await loading)(name, asked);
  };
}

/** Clients of 2025 say one by one of which resources they want to hear; for later ones the SDK knows. */
function takeSubscriptions({ server }: McpServer): Set<string> {
  const subscribed = new Set<string>();
  server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
  return subscribed;
}
