/**
 * `memd mcp`: MCP on standard input and output, for the client that started it. It asks the memd that runs, or has
 * a child take the owner's place for an answer; and it ends with its client, whatever it was doing: what was
 * acknowledged is on the disk.
 */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { McpServer } from "@modelcontextprotocol/server";
import { Client } from "../library/client.js";
import { type Seat, seatIn } from "../model/address.js";
import { SECOND_MS } from "../model/time.js";
import { follow } from "../platform/http.js";
import type { LogEvent } from "../platform/log.js";
import { nodeDisk } from "../platform/node-disk.js";
import { packageVersion } from "../platform/package-root.js";
import { endWithParent, exitNow, onStopSignal, protocolOnly } from "../platform/process.js";
import { systemClock } from "../platform/clock.js";
import { ownerSocket } from "../protocol/owner-note.js";
import { readSettings } from "../protocol/settings.js";
import type { Workspace } from "../protocol/workspace.js";
import { changesIn } from "../serve/mcp/changes.js";
import { createMcpServer } from "../serve/mcp/server.js";
import type { Ask } from "../serve/mcp/tool.js";
import { toolsFor } from "../serve/mcp/tools.js";
import type { OperationName } from "../service/operations.js";
import { OPERATIONS } from "../service/operations.js";
import { type CommonOptions, openWorkspace } from "./context.js";

interface McpFlags extends CommonOptions {
  as?: string;
  tools?: "basic" | "all";
}

export async function mcp({ as, tools, ...options }: McpFlags): Promise<void> {
  protocolOnly();
  const seat = as === undefined ? undefined : seatIn(as);
  const workspace = await openWorkspace(options);
  const settings = (await readSettings(nodeDisk, workspace)).mcp;
  const ask = askAs(new Client(workspace), seat);
  const parts = {
    version: packageVersion(),
    tools: toolsFor(seat, tools ?? settings.tools),
    room: { answer: settings.answer_tokens, prompt: settings.prompt_tokens },
    ask,
  };
  endWithParent();
  onStopSignal(() => exitNow(0));
  let server: McpServer | undefined;
  const subscribed = new Set<string>();
  serveStdio(({ era }) => {
    server = createMcpServer({ ...parts, tellsChanges: true });
    if (era === "legacy") takeSubscriptions(server, subscribed);
    return server;
  });
  void tellChanges(workspace, async (event) => {
    const changes = server && (await changesIn(event, ask));
    if (server === undefined || changes === undefined) return;
    const isLegacy = subscribed.size > 0;
    for (const uri of changes.uris)
      if (!isLegacy || subscribed.has(uri)) await server.server.sendResourceUpdated({ uri });
    if (changes.isListNew) server.sendResourceListChanged();
  });
}

/** An operation of the owner's takes nobody on whose behalf it is asked. */
function askAs(client: Client, seat: Seat | undefined): Ask {
  return <N extends OperationName>(name: N, asked: object) => {
    const isViewers = OPERATIONS[name].access === "viewer";
    const given = { ...asked, ...(seat !== undefined && isViewers && { as: seat }) };
    return client.ask(name, given as Parameters<typeof client.ask<N>>[1]);
  };
}

/** Clients of 2025 say one by one of which resources they want to hear. */
function takeSubscriptions({ server }: McpServer, subscribed: Set<string>): void {
  server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
}

const FOLLOW_AGAIN_MS = 5 * SECOND_MS;

/** As long as this process lives, from whichever memd runs. */
async function tellChanges(workspace: Workspace, heard: (event: LogEvent) => Promise<void>): Promise<never> {
  for (;;) {
    const socket = await ownerSocket(workspace);
    const stream = follow(socket, "/events", (data) => {
      void heard(JSON.parse(data) as LogEvent).catch(() => undefined);
    });
    await stream.ended;
    await systemClock().sleep(FOLLOW_AGAIN_MS);
  }
}
