/**
 * What the hooks of agents say on standard input and read on standard output, in one shape.
 *
 * Pure. Fields that are missing or of another kind are as good as none: hosts change them.
 */
import { defined } from "../../model/collections.js";
import { type Fields, stringOf } from "../fields.js";
import { withoutBriefings } from "./marks.js";

/** What an agent's hook has to say. */
export interface HookEvent {
  /** `start`: a conversation begins or goes on; `asked`: somebody has typed something; `answered`: the agent has. */
  is: "start" | "asked" | "answered" | "other";
  /** The agent's own name for the conversation. */
  session?: string;
  /** The folder that it is about. */
  folder?: string;
  /** What was typed, or answered. */
  text?: string;
  /** Where the agent writes the conversation down. */
  transcript?: string;
}

/** How one agent's hooks speak. */
export interface HookDialect {
  /** Names of the host's events. */
  events: Readonly<Record<string, HookEvent["is"]>>;
  /** Where what was typed stands, and what was answered. */
  texts: { asked: string; answered: string };
  /** What makes the host tell the model; undefined where it can be told nothing. */
  says: (event: string, briefing: string) => string | undefined;
}

/** Undefined for what is no event of a conversation between a person and an agent. */
export function eventIn(
  dialect: HookDialect,
  fields: Fields,
  folder: string | undefined,
): HookEvent | undefined {
  // An agent's helper talks to the agent.
  if (stringOf(fields["agent_id"]) !== undefined) return undefined;
  const is = dialect.events[stringOf(fields["hook_event_name"]) ?? ""] ?? "other";
  const said = is === "asked" || is === "answered" ? stringOf(fields[dialect.texts[is]]) : undefined;
  const text = said === undefined ? undefined : withoutBriefings(said).trim();
  return defined({
    is,
    session: stringOf(fields["session_id"]) ?? stringOf(fields["conversation_id"]),
    folder: folder ?? stringOf(fields["cwd"]) ?? firstRoot(fields["workspace_roots"]),
    text: text === "" ? undefined : text,
    transcript: stringOf(fields["transcript_path"]),
  });
}

function firstRoot(roots: unknown): string | undefined {
  return Array.isArray(roots) ? stringOf(roots[0]) : undefined;
}
