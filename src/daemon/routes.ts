/**
 * Which workspace below a root is asked: the one that is named in the path, `/w/red%2Flin/status`, or, on a socket, the
 * one whose socket it is by its name. What is of all of them is asked on the root's own socket alone.
 */
import { MemdError } from "../model/errors.js";
import type { Clock } from "../platform/clock.js";
import { processId } from "../platform/process.js";
import type { Place } from "../serve/guard.js";
import { problem } from "../serve/problem.js";
import { Gate } from "./gate.js";
import type { Room } from "./room.js";

interface RouteParts {
  clock: Clock;
  named(name: string): Room | undefined;
  /** By the name of its socket's file. */
  behind(socket: string): Room | undefined;
  /** The name of the root's. */
  own(): string;
  status(): object;
  stop(): void;
}

export class Routes {
  readonly #gate: Gate;

  constructor(readonly parts: RouteParts) {
    this.#gate = new Gate(parts.clock);
  }

  async answer(request: Request, place: Place): Promise<Response> {
    const { pathname } = new URL(request.url);
    const [, name, rest = "/"] = /^\/w\/([^/]+)(\/.*)?$/.exec(pathname) ?? [];
    const room = name === undefined ? undefined : this.parts.named(decoded(name));
    // Nobody has a workspace opened, or learns which there are, whom it does not know.
    if (place.kind !== "socket") {
      const refused = await this.#gate.refusal(request, place, room?.workspace);
      if (refused !== undefined) return refused;
    }
    if (room !== undefined) return room.answer(under(request, rest), place);
    if (place.kind !== "socket" || name !== undefined) return problem(new MemdError("usage", NO_SUCH), 404);
    const host = request.headers.get("host") ?? "";
    const meant = this.parts.behind(host);
    if (meant !== undefined) return meant.answer(request, place);
    // Whoever means one of them by another name must not stop all.
    return host === this.parts.own() ? this.#ofAll(request.method, pathname) : nothingHere();
  }

  #ofAll(method: string, path: string): Response {
    switch (`${method} ${path}`) {
      case "GET /ping":
        return Response.json({ memd: true });
      case "GET /workspaces":
        return Response.json(this.parts.status());
      case "POST /stop":
        this.parts.stop();
        return Response.json({ pid: processId() });
      default:
        return nothingHere();
    }
  }
}

const NO_SUCH = "There is no such workspace below this root: `memd workspaces` lists them.";
const NAME_ONE = "Many workspaces are served here: name one in the path, as in /w/NAME/status.";

function nothingHere(): Response {
  return problem(new MemdError("usage", NAME_ONE), 404);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return "";
  }
}

/** The same request, at another path. */
function under(request: Request, path: string): Request {
  const { method, headers, body, signal } = request;
  const init = { method, headers, signal, ...(body !== null && { body, duplex: "half" }) };
  const url = new URL(request.url);
  url.pathname = path;
  return new Request(url, init as RequestInit);
}
