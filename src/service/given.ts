/**
 * What a caller hands over, checked before anything is written: a message to
 * say, what is kept of a turn, or a document. Pure. The protocol's own parser decides what
 * is a message; what it could not take is told instead of being kept aside.
 */
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import type { FiledMessage, IncomingMessage, Message, MessageId } from "../model/message.js";
import {
  type Address,
  defaultOwnerOf,
  MAIN_SCOPE,
  MAIN_SESSION,
  NO_SESSION,
  seatText,
  type Viewer,
} from "../model/address.js";
import { isoOf, parseInstant, type EpochMs } from "../model/time.js";
import { parseMessage } from "../protocol/message.js";
import type { EndJob } from "../protocol/queue-job.js";

/** Fields of a message that have a meaning; any other is kept as it is. */
const FIELDS: Readonly<Record<string, string>> = {
  text: "text",
  role: "user, agent, tool or system",
  createdAt: "an ISO 8601 time",
  user: "a name",
  speaker: "text",
  scope: "a name",
  session: "a name",
  scene: "text",
  private: "true or false",
  tool: "an object with the texts name and callId",
  attachments: "a list of objects with a kind",
};

const DOCUMENT_FIELDS = ["text", "id", "title", "scope", "user"];

const END_FIELDS = ["memo", "observations", "force", "close", "user", "scope", "session", "createdAt"];

/** A message as `say` takes it, by a user and of this moment unless it says otherwise. Throws `value_invalid`. */
export function spokenMessage(given: unknown, now: EpochMs): Omit<IncomingMessage, "id"> {
  const fields = plainFields(given, "A message");
  // Who says it is `user`: on somebody's behalf there is only reading.
  if ("as" in fields) throw wrong("as", "not given: who says it is its user");
  if ("id" in fields) throw wrong("id", "not given: a message gets its id when it is said");
  const message = taken({ role: "user", createdAt: isoOf(now), ...fields });
  if (message.text.trim() === "" && message.tool === undefined) throw wrong("text", "more than blanks");
  return message;
}

/** What somebody asks, as a message of their conversation. `id`: of the one that it was told as. */
export function askedBy(
  { user, scope, session }: Address,
  text: string,
  id: string | undefined,
  now: EpochMs,
): FiledMessage {
  const place = { user, scope, session };
  const message: Message = {
    id: (id ?? "asked") as MessageId,
    role: "user",
    text,
    createdAt: isoOf(now),
    ...place,
  };
  return { message, filedAt: now, belongsTo: user };
}

/** The job of a turn that ended; undefined when neither a memo nor an observation says anything and nothing is closed. Throws `value_invalid`. */
export function endedJob(given: unknown, now: EpochMs): EndJob | undefined {
  const fields = plainFields(given, "The end of a turn");
  ensureKnown(fields, END_FIELDS);
  const { memo, observations = [], force = false, close = false, ...address } = fields;
  if (memo !== undefined && typeof memo !== "string") throw wrong("memo", "text");
  if (!Array.isArray(observations) || observations.some((one) => typeof one !== "string"))
    throw wrong("observations", "a list of texts");
  if (typeof force !== "boolean") throw wrong("force", "true or false");
  if (typeof close !== "boolean") throw wrong("close", "true or false");
  const { createdAt, scope, session, ...sender } = taken({ createdAt: isoOf(now), ...address, text: "" });
  const user = defaultOwnerOf({ ...sender, scope: scope ?? MAIN_SCOPE });
  const kept = (observations as string[]).filter((observation) => observation.trim() !== "");
  const hasMemo = memo !== undefined && memo.trim() !== "";
  if (!hasMemo && kept.length === 0 && !close) return undefined;
  return defined({
    version: 1,
    kind: "end",
    createdAt,
    user,
    scope: scope ?? MAIN_SCOPE,
    session: session ?? MAIN_SESSION,
    memo: hasMemo ? memo : undefined,
    observations: kept,
    force: force || undefined,
    close: close || undefined,
  });
}

interface PlacedTurn {
  user?: string;
  scope?: string;
  session?: string;
  close?: boolean;
}

/**
 * Where a turn was that somebody ends on a viewer's behalf: where that viewer is, and nowhere else. Throws
 * `refused` for another place, and for a conversation that is to be closed from no session of its own.
 */
export function placeOfTurn(viewer: Viewer, turn: PlacedTurn): Partial<Address> {
  if (viewer.kind === "owner") return {};
  const { user, scope, session } = { ...viewer, session: viewer.session || MAIN_SESSION };
  const isThere = [
    [turn.user, user],
    [turn.scope, scope],
    [turn.session, session],
  ].every(([said, own]) => said === undefined || said === own);
  if (!isThere)
    throw new MemdError(
      "refused",
      `A turn is ended where it was: here as ${seatText({ user, scope, session })}.`,
    );
  if (turn.close === true && viewer.session === NO_SESSION)
    throw new MemdError("refused", "Who has no session of their own closes none.");
  return { user, scope, session };
}

/** A document as `addDocument` takes it. Throws `value_invalid`. */
export function givenDocument(given: unknown): { text: string } & Partial<Record<string, string>> {
  const fields = plainFields(given, "A document");
  ensureKnown(fields, DOCUMENT_FIELDS);
  const unreadable = Object.keys(fields).find((name) => typeof fields[name] !== "string");
  if (unreadable !== undefined || fields["text"] === undefined) throw wrong(unreadable ?? "text", "text");
  return fields as { text: string };
}

/** Messages that were said before, as JSON carries them. Throws `value_invalid`. */
export function importedMessages(given: unknown): Record<string, unknown>[] {
  if (!Array.isArray(given)) throw new MemdError("value_invalid", "Messages must be a list.");
  return given.map((one: unknown, index) => {
    const fields = { role: "user", ...plainFields(one, `Message ${index + 1}`) };
    if (parseMessage(fields) === undefined)
      throw new MemdError("value_invalid", `Message ${index + 1} must have a role and a text.`);
    return fields;
  });
}

/** A mistyped name would lose what was to be kept. */
function ensureKnown(fields: object, known: readonly string[]): void {
  const strange = Object.keys(fields).find((name) => !known.includes(name));
  if (strange !== undefined) throw wrong(strange, `one of ${known.join(", ")}`);
}

/** As JSON carries it: without what is undefined, and no longer the caller's to change. */
function plainFields(given: unknown, what: string): Record<string, unknown> {
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(given) ?? "null");
  } catch (error) {
    throw new MemdError("value_invalid", `${what} must be what JSON can carry.`, { cause: error });
  }
  if (typeof copy !== "object" || copy === null || Array.isArray(copy))
    throw new MemdError("value_invalid", `${what} must be an object.`);
  return copy as Record<string, unknown>;
}

/** The message of these fields, when every field that has a meaning could be taken. */
function taken(fields: Record<string, unknown>): IncomingMessage {
  const message = parseMessage(fields);
  const refused = Object.keys(FIELDS).find((name) => Object.hasOwn(message?.extra ?? {}, name));
  if (refused !== undefined) throw wrong(refused, FIELDS[refused] ?? "");
  if (message === undefined) throw wrong("text", "text");
  if (parseInstant(message.createdAt) === undefined) throw wrong("createdAt", FIELDS["createdAt"] ?? "");
  return message;
}

function wrong(field: string, wanted: string): MemdError {
  return new MemdError("value_invalid", `"${field}" must be ${wanted}.`);
}
