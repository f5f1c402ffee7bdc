/** Lines of record files, and profiles, for tests: what is not said is an event of `local` in `main`. */
import { printProfile, type Profile } from "../../src/protocol/profile.js";
import { printRecord } from "../../src/protocol/records.js";
import type { MessageId } from "../../src/model/message.js";
import type { ScopeId } from "../../src/model/address.js";
import type { MemoryRecord, RecordId } from "../../src/model/record.js";
import { instant } from "./archive-desk.js";

type Given = Partial<Omit<MemoryRecord, "id" | "scope" | "at" | "sources" | "validTo" | "supersededAt">> & {
  scope?: string;
  /** An ISO 8601 time. */
  at?: string;
  sources?: readonly string[];
  validTo?: string;
  supersededAt?: string;
};

export function record(id: string, text: string, given: Given = {}): MemoryRecord {
  const { scope = "main", at = "2026-02-10T12:00:00Z", sources = [], validTo, supersededAt, ...more } = given;
  return {
    id: id as RecordId,
    kind: "event",
    level: "scope",
    user: "local",
    scope: scope as ScopeId,
    text,
    at: instant(at),
    recordedAt: instant(at),
    isAbsolute: true,
    sources: sources as readonly MessageId[],
    trust: "human",
    ...(validTo === undefined ? {} : { validTo: instant(validTo) }),
    ...(supersededAt === undefined ? {} : { supersededAt: instant(supersededAt) }),
    ...more,
  };
}

/** Of what belongs to nobody: a group's event without a sender. */
export function withoutUser({ user: _none, ...rest }: MemoryRecord): MemoryRecord {
  return rest;
}

export function recordLines(...records: readonly MemoryRecord[]): string {
  return records.map((one) => `${printRecord(one)}\n`).join("");
}

export function profileText(
  entity: Profile["entity"],
  id: string,
  bullet: string,
  more: Partial<Profile> = {},
): string {
  const blank = { tags: [], written: [], extra: {} };
  return printProfile({ entity, id, ...blank, body: `- ${bullet}\n`, ...more });
}
