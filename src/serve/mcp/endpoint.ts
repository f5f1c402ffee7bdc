/**
 * `/mcp`: MCP over Streamable HTTP, behind the same door as everything else, so who asks is known. Clients of 2025 and
 * of 2026 are answered alike, each request by a server of its own. What one reader is told of changes goes past no
 * other: each has a handler of their own.
 */
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { Seat } from "../../model/address.js";
import { seatText } from "../../model/address.js";
import { defined, entryOf } from "../../model/collections.js";
import { packageVersion } from "../../platform/package-root.js";
import type { AnswerOf, OperationName } from "../../service/operations.js";
import type { Served, Service } from "../../service/served.js";
import type { Listen } from "../events.js";
import { changesIn } from "./changes.js";
import type { Ask } from "./tool.js";
import { toolsFor } from "./tools.js";

export class McpEndpoint {
  readonly #handlers = new Map<string, Promise<McpHttpHandler>>();
  readonly #operations: ReadonlyMap<string, Served>;

  constructor(
    readonly service: Service,
    operations: readonly Served[],
    readonly listen: Listen,
  ) {
    this.#operations = new Map(operations.map((operation) => [operation.name, operation]));
  }

  async answer(request: Request, seat: Seat | undefined): Promise<Response> {
    const key = seat === undefined ? "" : seatText(seat);
    const handler = await entryOf(this.#handlers, key, () => this.#handlerFor(seat));
    return handler.fetch(request);
  }

  async #handlerFor(seat: Seat | undefined): Promise<McpHttpHandler> {
    const { createMcpHandler } = await import("@modelcontextprotocol/server");
    const { createMcpServer } = await import("./server.js");
    const { mcp } = this.service.memd.parts.settings;
    const ask = this.#askAs(seat);
    const parts = {
      version: packageVersion(),
      tools: toolsFor(seat, mcp.tools),
      room: { answer: mcp.answer_tokens, prompt: mcp.prompt_tokens },
      ask,
    };
    const handler = createMcpHandler(({ era }) =>
      createMcpServer({ ...parts, tellsChanges: era === "modern" }),
    );
    this.listen((event) => {
      void changesIn(event, ask)
        .then((changes) => {
          for (const uri of changes?.uris ?? []) handler.notify.resourceUpdated(uri);
          if (changes?.isListNew === true) handler.notify.resourcesChanged();
        })
        // memd ends: there is nobody to tell.
        .catch(() => undefined);
    });
    return handler;
  }

  #askAs(seat: Seat | undefined): Ask {
    return async <N extends OperationName>(name: N, asked: object) => {
      const operation = this.#operations.get(name);
      this.service.memd.parts.doing?.(name);
      // Typed by the row, which also checks what goes in; what is undefined is not there, as in JSON.
      return (await operation?.answer(this.service, defined({ ...asked }), seat)) as AnswerOf<N>;
    };
  }
}
