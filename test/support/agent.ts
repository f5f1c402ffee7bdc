/** A memd on a disk in memory, and agents that ask it over MCP, each as whoever they are bound to. */
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { seatIn } from "../../src/model/address.js";
import { createApp } from "../../src/serve/app.js";
import { openStage, type Stage } from "./stage.js";

export type Era = "2025" | "2026";

export interface Agents extends Stage {
  connect: (options?: { as?: string; era?: Era; capabilities?: ClientCapabilities }) => Promise<Agent>;
}

export interface Agent {
  client: Client;
  /** What a tool says; throws what it fails with. */
  say: (tool: string, asked?: Record<string, unknown>) => Promise<string>;
  /** The names of its tools. */
  tools: () => Promise<string[]>;
}

export async function agentsOn(files: Record<string, unknown>, settings: object = {}): Promise<Agents> {
  const stage = await openStage(files, { settings });
  const { supervisor: memd, listen } = stage;
  await memd.start({ watch: false, work: false });
  await memd.archiveNow();
  await memd.settled();
  const app = createApp({ memd, socket: "/none", listen, stop: () => undefined });
  const connect: Agents["connect"] = async ({ as, era = "2025", capabilities = {} } = {}) => {
    const mode = era === "2025" ? "legacy" : { pin: "2026-07-28" };
    const client = new Client(
      { name: "agent", version: "1" },
      { capabilities, versionNegotiation: { mode } },
    );
    const seat = as === undefined ? undefined : seatIn(as);
    await client.connect(
      new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
        fetch: async (url, init) => app.fetch(new Request(url, init), { seat }),
      }),
    );
    onTestFinished(() => client.close());
    return {
      client,
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      say: async (name, asked = {}) => {
        const { content, isError } = await client.callTool({ name, arguments: asked });
        const text = content.flatMap((one) => (one.type === "text" ? [one.text] : [])).join("");
        if (isError === true) throw new Error(text);
        return text;
      },
    };
  };
  return { ...stage, connect };
}
