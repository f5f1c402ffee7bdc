/**
 * `memory/profiles/`: what is known of a user or a group, as Markdown bullets
 * under a head that says of whom. Pure, and reads only.
 */
import { z } from "zod";
import { parseInstant, type EpochMs } from "../model/time.js";
import { parseFrontMatter } from "./front-matter.js";

export interface Profile {
  entity: "user" | "group";
  /** The user's id, or the group's without `group:`. */
  id: string;
  /** A name to show. */
  name?: string;
  tags: string[];
  updatedAt?: EpochMs;
  /** Below the head, as it stands. */
  body: string;
}

const head = z.looseObject({
  entity_type: z.enum(["user", "group"]),
  entity_id: z.string().min(1),
  name: z.string().optional(),
  tags: z.array(z.string()).catch([]),
  updated_at: z.string().optional().catch(undefined),
});

/** Undefined when the text is no profile; throws SyntaxError when its head cannot be read. */
export function parseProfile(text: string): Profile | undefined {
  const { data, body } = parseFrontMatter(text);
  const parsed = head.safeParse(data);
  if (!parsed.success) return undefined;
  const { entity_type: entity, entity_id: id, name, tags, updated_at: updated } = parsed.data;
  const updatedAt = updated === undefined ? undefined : parseInstant(updated);
  return {
    entity,
    id,
    ...(name === undefined ? {} : { name }),
    tags,
    ...(updatedAt === undefined ? {} : { updatedAt }),
    body,
  };
}
