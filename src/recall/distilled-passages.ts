/**
 * Records and profiles as passages: one for each.
 *
 * Pure. Secrets are out of every text before anything is indexed.
 */
import { MAIN_SCOPE, type ScopeId } from "../model/address.js";
import type { Passage } from "../model/passage.js";
import type { EpochMs, Zone } from "../model/time.js";
import type { Profile } from "../protocol/profile.js";
import type { RecordLine } from "../protocol/records.js";
import { redactSecrets } from "../text/redact.js";

export function passagesOfRecords(path: string, lines: readonly RecordLine[], zone: Zone): Passage[] {
  return lines.map(({ record, line }): Passage => {
    const { id, kind, level, scope, user, session, text, at, recordedAt, sources, trust } = record;
    const { perspective, validTo, supersededAt } = record;
    return {
      id: `${path}#${id}`,
      kind,
      level,
      scope,
      ...(user === undefined ? {} : { user }),
      ...(session === undefined ? {} : { session }),
      path,
      lines: [line, line],
      text: redactSecrets(text),
      saidAt: at,
      day: zone.dayOf(at),
      messageIds: sources,
      trust,
      ...(perspective === undefined ? {} : { perspective }),
      knownAt: recordedAt,
      ...(validTo === undefined ? {} : { validTo }),
      ...(supersededAt === undefined ? {} : { supersededAt }),
    };
  });
}

/** `modifiedAt` of the file stands where the profile does not say when it was merged. `whole` is the file's text. */
export function passageOfProfile(
  path: string,
  { entity, id, name, tags, updatedAt, body }: Profile,
  modifiedAt: EpochMs,
  zone: Zone,
  whole: string,
): Passage[] {
  if (body.trim() === "") return [];
  const at = updatedAt ?? modifiedAt;
  const lineCount = whole.trimEnd().split("\n").length;
  const firstLine = lineCount - body.trim().split("\n").length + 1;
  const belongs =
    entity === "user"
      ? { level: "user" as const, scope: MAIN_SCOPE, user: id }
      : { level: "scope" as const, scope: `group:${id}` as ScopeId };
  return [
    {
      id: `${path}#1`,
      kind: "profile",
      ...belongs,
      path,
      lines: [Math.max(1, firstLine), lineCount],
      text: redactSecrets(
        [name ?? id, body.trim(), tags.join(", ")].filter((part) => part !== "").join("\n"),
      ),
      saidAt: at,
      day: zone.dayOf(at),
      messageIds: [],
      trust: "agent",
    },
  ];
}
