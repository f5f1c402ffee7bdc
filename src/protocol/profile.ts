/**
 * `memory/profiles/`: what is known of a user or a group, as Markdown bullets
 * under a head that says of whom.
 *
 * Pure. People may edit it: the head carries the hash of what memd wrote.
 */
import * as z from "zod";
import { defined } from "../model/collections.js";
import { isoOf, type EpochMs } from "../model/time.js";
import { type Trust, TRUSTS } from "../model/record.js";
import { contentHash } from "../platform/files.js";
import { parseFrontMatter, printFrontMatter } from "./front-matter.js";
import { instant } from "./records.js";

export interface Profile {
  entity: "user" | "group";
  /** The user's id, or the group's without `group:`. */
  id: string;
  /** A name to show. */
  name?: string;
  tags: string[];
  updatedAt?: EpochMs;
  /** `builtin`, or the model's name. */
  by?: string;
  /** The job that it was merged from last. */
  source?: string;
  /** Of the least trusted that it was told by; undefined where nobody knows. */
  trust?: Trust;
  /** Below the head, as it stands. */
  body: string;
  /** Marks of the bullets that memd wrote: what has none is a person's, and what is gone was taken out by one. */
  written: string[];
  /** A person has written it, or changed it since memd did. */
  edited: boolean;
  /** Fields of the head that memd does not know. */
  extra: Record<string, unknown>;
}

const head = z.looseObject({
  entity_type: z.enum(["user", "group"]),
  entity_id: z.string().min(1),
  name: z.string().optional(),
  tags: z.array(z.string()).catch([]),
  updated_at: instant.optional().catch(undefined),
  by: z.string().optional().catch(undefined),
  source_event_id: z.string().optional().catch(undefined),
  trust: z.enum(TRUSTS).optional().catch(undefined),
  written: z.array(z.string()).catch([]),
  hash: z.string().optional().catch(undefined),
});

/** Undefined when the text is no profile; throws SyntaxError when its head cannot be read. */
export function parseProfile(text: string): Profile | undefined {
  const { data, body } = parseFrontMatter(text);
  const known = head.safeParse(data).data;
  if (known === undefined) return undefined;
  const { entity_type: entity, entity_id: id, name, tags, by, trust, written, hash, ...rest } = known;
  const { updated_at: updatedAt, source_event_id: source, ...extra } = rest;
  const edited = hash !== hashOf(name, tags, body);
  return defined({ entity, id, name, tags, updatedAt, by, source, trust, body, written, edited, extra });
}

export function printProfile(profile: Omit<Profile, "edited">): string {
  const { entity, id, name, tags, updatedAt, by, source, trust, body, written, extra } = profile;
  const of = { entity_type: entity, entity_id: id, name, tags };
  const made = {
    updated_at: updatedAt === undefined ? undefined : isoOf(updatedAt),
    by,
    source_event_id: source,
    trust,
  };
  return printFrontMatter({ ...of, ...made, ...extra, written, hash: hashOf(name, tags, body) }, body);
}

/** Of what people edit: the name and the tags too. */
function hashOf(name: string | undefined, tags: readonly string[], body: string): string {
  return contentHash(JSON.stringify([name ?? null, tags, body]));
}
