/** Who spoke last in each conversation: what an agent or a tool says there belongs to that user. No I/O. */
import type { ScopeId } from "../model/address.js";
import type { Origin } from "../protocol/journal.js";
import type { Sighting } from "./sighting.js";

export class Speakers {
  readonly #last = new Map<string, string>();

  hear({ role, scope, session, belongsTo }: Sighting, from: Origin | "verbatim"): void {
    const lane = laneOf(from);
    if (role !== "user" || belongsTo === undefined || lane === undefined) return;
    this.#last.set(speakerKey(lane, scope, session), belongsTo);
  }

  last(scope: ScopeId, session: string, from: Origin): string | undefined {
    return this.#last.get(speakerKey(laneOf(from) ?? "said", scope, session));
  }
}

/** An import is a conversation of its own; what only waits in the inbox has not been answered yet. */
function laneOf(from: Origin | "verbatim"): "said" | "import" | undefined {
  if (from === "import") return "import";
  return from === "inbox" || from === "salvage" ? undefined : "said";
}

function speakerKey(lane: string, scope: ScopeId, session: string): string {
  return `${lane}\u0000${scope}\u0000${session}`;
}
