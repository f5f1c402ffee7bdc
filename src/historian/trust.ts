/** How far a text can be trusted by who made it. Pure. */
import type { Role } from "../model/message.js";
import type { Trust } from "../model/record.js";

const TRUST_ORDER: readonly Trust[] = ["human", "agent", "tool", "document"];

/** As little as the least trusted; the agent's own where nothing is known. */
export function leastTrusted(trusts: readonly Trust[]): Trust {
  return trusts.reduce<Trust>(
    (least, trust) => (TRUST_ORDER.indexOf(trust) > TRUST_ORDER.indexOf(least) ? trust : least),
    trusts[0] ?? "agent",
  );
}

export function trustOfRole(role: Role): Trust {
  if (role === "tool") return "tool";
  return role === "user" ? "human" : "agent";
}
