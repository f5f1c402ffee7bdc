/** How far a text can be trusted: by whose it is. Pure. */
import { toolsOf, type Message, type Role } from "./message.js";
import type { Trust } from "./record.js";

const TRUST_ORDER: readonly Trust[] = ["human", "agent", "tool", "document"];

/** Of what a message says in words; a text that somebody handed over, `scene: "document"`, is not theirs. */
export function trustOf({ role, scene }: { role: Role; scene?: string | undefined }): Trust {
  if (scene === "document") return "document";
  if (role === "tool") return "tool";
  return role === "user" ? "human" : "agent";
}

/** Of all that a message holds: an agent's that calls a tool is trusted as little as the tool. */
export function leastTrustIn(message: Message): Trust {
  return leastTrusted([trustOf(message), ...toolsOf(message).map(() => "tool" as const)]);
}

/** As little as the least trusted; the agent's own where nothing is known. */
export function leastTrusted(trusts: readonly Trust[]): Trust {
  return trusts.reduce<Trust>(
    (least, trust) => (TRUST_ORDER.indexOf(trust) > TRUST_ORDER.indexOf(least) ? trust : least),
    trusts[0] ?? "agent",
  );
}
