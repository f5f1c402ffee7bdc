/**
 * Looks at a workspace after a recovery and the pass that follows it, and says
 * what of it breaks a promise.
 *
 * It reads the files by itself: that memd finds nothing wrong is no evidence.
 */
import { parseDocument, parseDocumentSource } from "../../../src/protocol/document.js";
import { parseLines } from "../../../src/protocol/jsonl.js";
import { parseProfile } from "../../../src/protocol/profile.js";
import { parseBrief } from "../../../src/protocol/topic-brief.js";
import { parseTopicMessages } from "../../../src/protocol/topic-events.js";
import { parseVerbatim } from "../../../src/protocol/verbatim.js";
import { parseWindow } from "../../../src/protocol/window-file.js";
import { tokensIn, type Fact } from "./facts.js";
import { eachFile, treeHash, type Content, type Image } from "./image.js";
import { ROOT } from "./life.js";

/** Files that somebody waits for as they are. */
export const STANDING = /^(?:workspace\.json|SOUL\.md|AWARENESS\.md|memd\.toml)/;

/** What stands in a workspace, by where a person would look for it. */
export interface Standing {
  /** How often a token stands in verbatim files, in conflicts/, in inbox.json, in memory.md. */
  verbatim: Map<string, number>;
  conflicts: Set<string>;
  history: Set<string>;
  inbox: Map<string, number>;
  memory: Set<string>;
  /** By token, the ids of the records that say it. */
  records: Map<string, Set<string>>;
  memos: Map<string, number>;
  /** By token, in how many files of topics it stands, `unsplit.jsonl` among them. */
  topics: Map<string, number>;
  /** In jobs that wait. */
  jobs: Set<string>;
  summaries: Set<string>;
  documents: Set<string>;
  /** Hashes of the documents' texts, and of those that the historian is to read. */
  texts: Set<string>;
  handed: Set<string>;
  /** In any file, but in conflicts/. */
  anywhere: Set<string>;
  /** Texts by path in the workspace, of what is neither memory nor made again. */
  files: Map<string, string>;
  /** Promises that are broken whatever was acknowledged: doubled outputs, files that no longer parse. */
  broken: string[];
}

/**
 * What a pass can make of a tree: copies in conflicts/ are for people, and of a
 * journal only its whole lines are read.
 */
export function meaningHash(image: Image): number {
  return treeHash(image, (top, content) => {
    if (top === "conflicts") return undefined;
    return top === "journal" ? wholeLines(content) : content;
  });
}

const whole = new WeakMap<Content, Content>();

function wholeLines(content: Content): Content {
  let known = whole.get(content);
  if (known === undefined) {
    const lines = parseLines(new TextDecoder().decode(content.bytes));
    known = { ...content, bytes: new TextEncoder().encode(JSON.stringify(lines.map(({ value }) => value))) };
    delete known.hash;
    whole.set(content, known);
  }
  return known;
}

/** Tokens in conflicts/. */
export function keptBeside(image: Image): Set<string> {
  const tokens = new Set<string>();
  eachFile(image, (path, { bytes }) => {
    if (path.startsWith(`${ROOT}/conflicts/`))
      for (const token of tokensIn(new TextDecoder().decode(bytes))) tokens.add(token);
  });
  return tokens;
}

export function standingIn(image: Image): Standing {
  const standing: Standing = {
    verbatim: new Map(),
    conflicts: new Set(),
    history: new Set(),
    inbox: new Map(),
    memory: new Set(),
    records: new Map(),
    memos: new Map(),
    topics: new Map(),
    jobs: new Set(),
    summaries: new Set(),
    documents: new Set(),
    texts: new Set(),
    handed: new Set(),
    anywhere: new Set(),
    files: new Map(),
    broken: [],
  };
  const places = new Map<string, string>();
  /** By record, the hash of the text. */
  const foundIn = new Map<string, string>();
  eachFile(image, (absolute, { bytes }) => {
    const path = absolute.slice(ROOT.length + 1);
    const text = new TextDecoder().decode(bytes);
    if (!path.startsWith("conflicts/")) for (const token of tokensIn(text)) standing.anywhere.add(token);
    // A program that drops may still be writing it: memd leaves what is young there.
    if (path.endsWith(".tmp") && path.startsWith("inbox.d/")) return;
    if (path.endsWith(".tmp")) standing.broken.push(`left over: ${path}`);
    else if (path.startsWith("queue/pending/")) lookAtJob(standing, text);
    else if (path.startsWith("queue/processing/")) standing.broken.push(`unrecoverable: ${path} is stranded`);
    else if (path === "memory/forgotten.jsonl") {
      // What is under way still names what goes.
      if (text.includes('"op":"forget"')) standing.broken.push("unrecoverable: a forgetting was not ended");
    } else if (/^memory\/(?:scopes\/[^/]+\/)?records\//.test(path)) lookAtRecords(standing, foundIn, text);
    else if (/^memory\/scopes\/[^/]+\/documents\//.test(path)) lookAtDocument(standing, path, text);
    else if (path.startsWith("memory/profiles/")) lookAtProfile(standing, path, text);
    else if (/^memory\/topics\/.*\.jsonl$/.test(path)) lookAtTopic(standing, path, text);
    else if (path.startsWith("memory/topics/")) lookAtBrief(standing, path, text);
    else if (path === "memory/memos.json") lookAtMemos(standing, path, text);
    else if (STANDING.test(path)) standing.files.set(path, text);
    else if (path.startsWith("conflicts/")) for (const token of tokensIn(text)) standing.conflicts.add(token);
    else if (path.startsWith("memory/summary/")) lookAtSummary(standing, path, text);
    else if (path.startsWith("memory/window/")) lookAtWindow(standing, path, text);
    else if (path.startsWith("memory/")) lookAtDay(standing, places, path, text);
    else if (path === "inbox.json") lookAtList(standing, path, text, standing.inbox);
    else if (path === "history.json") {
      for (const token of tokensIn(text)) standing.history.add(token);
      lookAtList(standing, path, text, new Map());
    } else if (path === "memory.md") for (const token of tokensIn(text)) standing.memory.add(token);
  });
  for (const [id, text] of foundIn)
    if (!standing.texts.has(text))
      standing.broken.push(`doubled: record ${id} was found in a text that stands no more`);
  return standing;
}

/** Each fact that does not hold, in words. */
export function brokenFacts(
  standing: Standing,
  beside: ReadonlySet<string>,
  facts: readonly Fact[],
): string[] {
  const isBeside = (token: string): boolean => standing.conflicts.has(token) || beside.has(token);
  const isAnywhere = (token: string): boolean => standing.anywhere.has(token) || isBeside(token);
  return facts.flatMap((fact): string[] => {
    const blocks = standing.verbatim.get(fact.token) ?? 0;
    switch (fact.is) {
      case "kept":
        if (blocks === 1 || (blocks === 0 && isBeside(fact.token))) return [];
        return [`${blocks === 0 ? "lost" : "doubled"}: message ${fact.id} ⟦${fact.token}⟧`];
      case "sorted": {
        const files = standing.topics.get(fact.token) ?? 0;
        return files === 1 ? [] : [`${files === 0 ? "lost" : "doubled"}: in topics ⟦${fact.token}⟧`];
      }
      case "waits": {
        const times = standing.inbox.get(fact.token) ?? 0;
        return times === 1 ? [] : [`${times === 0 ? "lost" : "doubled"}: in inbox.json ⟦${fact.token}⟧`];
      }
      case "untouched":
        return standing.history.has(fact.token) ? [] : ["lost: an unreadable history.json was written over"];
      case "stands":
        return standing.files.get(fact.file) === fact.text ? [] : [`lost: ${fact.file} ⟦${fact.token}⟧`];
      case "observed": {
        const ids = standing.records.get(fact.token)?.size ?? 0;
        if (ids === 1 || (ids === 0 && standing.jobs.has(fact.token))) return [];
        return [`${ids === 0 ? "lost" : "doubled"}: what was observed ⟦${fact.token}⟧`];
      }
      case "noted": {
        const times = standing.memos.get(fact.token) ?? 0;
        if (times === 1 || (times === 0 && standing.jobs.has(fact.token))) return [];
        return [`${times === 0 ? "lost" : "doubled"}: a memo ⟦${fact.token}⟧`];
      }
      case "looked_up":
        return standing.documents.has(fact.token) ? [] : [`lost: a document ⟦${fact.token}⟧`];
      case "handed":
        return [...standing.texts].every((text) => standing.handed.has(text))
          ? []
          : ["lost: a document's job"];
      case "gone":
        return standing.records.has(fact.token)
          ? [`doubled: a record of a text that is gone ⟦${fact.token}⟧`]
          : [];
      case "written": {
        const found =
          blocks > 0 ||
          isBeside(fact.token) ||
          standing.memory.has(fact.token) ||
          standing.history.has(fact.token) ||
          standing.summaries.has(fact.token) ||
          standing.documents.has(fact.token);
        return found ? [] : [`lost: a person's edit ⟦${fact.token}⟧`];
      }
      case "wholly": {
        const stands = blocks === 1 || standing.jobs.has(fact.token) || standing.records.has(fact.token);
        if (stands || standing.memos.has(fact.token) || !isAnywhere(fact.token)) return [];
        return [`unrecoverable: forgotten by half ⟦${fact.token}⟧`];
      }
      case "forgotten":
        return isAnywhere(fact.token) ? [`doubled: forgotten and back ⟦${fact.token}⟧`] : [];
      case "deleted":
        return blocks === 0 ? [] : [`doubled: deleted and back ⟦${fact.token}⟧`];
      default:
        return fact satisfies never;
    }
  });
}

function lookAtDay(standing: Standing, places: Map<string, string>, path: string, text: string): void {
  for (const token of tokensIn(text)) standing.verbatim.set(token, (standing.verbatim.get(token) ?? 0) + 1);
  const file = tryParse(text);
  if (file === undefined) {
    standing.broken.push(`unrecoverable: ${path} does not parse`);
    return;
  }
  for (const { filed } of file.blocks) {
    const key = `${file.scope} ${filed.message.id}`;
    const other = places.get(key);
    if (other !== undefined) standing.broken.push(`doubled: ${key} in ${other} and ${path}`);
    places.set(key, path);
  }
}

function tryParse(text: string) {
  try {
    return parseVerbatim(text);
  } catch {
    // Said by the caller.
    return undefined;
  }
}

function lookAtSummary(standing: Standing, path: string, text: string): void {
  const seen = new Set<string>();
  for (const token of tokensIn(text)) {
    if (seen.has(token)) standing.broken.push(`doubled: ⟦${token}⟧ in ${path}`);
    seen.add(token);
    standing.summaries.add(token);
  }
}

function lookAtJob(standing: Standing, text: string): void {
  for (const token of tokensIn(text)) standing.jobs.add(token);
  const { hash } = JSON.parse(text) as { hash?: string };
  if (hash !== undefined) standing.handed.add(hash);
}

/** It is replaced whole, and once memd has looked at it the historian has been given its text. */
function lookAtDocument(standing: Standing, path: string, text: string): void {
  const document = parseDocument(text);
  if (document === undefined) standing.broken.push(`unrecoverable: ${path} does not parse`);
  else if (document.windowChars === undefined) standing.broken.push(`lost: nobody was given ${path}`);
  if (document !== undefined) standing.texts.add(document.hash);
  for (const token of tokensIn(text)) standing.documents.add(token);
}

/** The last line of an id counts. */
function lookAtRecords(standing: Standing, foundIn: Map<string, string>, text: string): void {
  const last = new Map<string, string>();
  for (const { value } of parseLines(text)) {
    const { id, text: said, sources = [] } = value as { id?: string; text?: string; sources?: string[] };
    const document = sources.map(parseDocumentSource).find((found) => found !== undefined);
    if (id !== undefined && document !== undefined) foundIn.set(id, document.hash);
    if (id !== undefined) last.set(id, said ?? "");
  }
  for (const [id, said] of last)
    for (const token of tokensIn(said))
      standing.records.set(token, (standing.records.get(token) ?? new Set()).add(id));
}

/** A message may stand there twice, as an older and a newer line. */
function lookAtTopic(standing: Standing, path: string, text: string): void {
  if (path.endsWith("/events.jsonl")) return;
  const tokens = new Set(
    [...parseTopicMessages(text).messages.values()].flatMap(({ message }) => tokensIn(message.text)),
  );
  for (const token of tokens) {
    const files = (standing.topics.get(token) ?? 0) + 1;
    if (files > 1) standing.broken.push(`doubled: ⟦${token}⟧ in ${path} and elsewhere`);
    standing.topics.set(token, files);
  }
}

/** It is replaced whole. */
function lookAtBrief(standing: Standing, path: string, text: string): void {
  if (parseBrief(text) === undefined) standing.broken.push(`unrecoverable: ${path} does not parse`);
}

/** It is replaced whole, as its older versions are: whatever was cut, one of the two stands. */
function lookAtProfile(standing: Standing, path: string, text: string): void {
  if (parseProfile(text) === undefined) standing.broken.push(`unrecoverable: ${path} does not parse`);
}

function lookAtMemos(standing: Standing, path: string, text: string): void {
  try {
    const { memos } = JSON.parse(text) as { memos: { text: string }[] };
    for (const memo of memos)
      for (const token of tokensIn(memo.text))
        standing.memos.set(token, (standing.memos.get(token) ?? 0) + 1);
  } catch {
    standing.broken.push(`unrecoverable: ${path} does not parse`);
  }
}

/** It is replaced whole: whatever was cut, one of the two stands. */
function lookAtWindow(standing: Standing, path: string, text: string): void {
  if (parseWindow(text) === undefined) standing.broken.push(`unrecoverable: ${path} does not parse`);
}

function lookAtList(standing: Standing, path: string, text: string, tokens: Map<string, number>): void {
  const entries = listIn(text);
  // A list that its host left broken is the host's; the model's hosts write whole ones unless they say so.
  if (entries === undefined) {
    if (!text.includes("⟦broken⟧")) standing.broken.push(`unrecoverable: ${path} does not parse`);
    return;
  }
  const ids = new Set<unknown>();
  for (const entry of entries) {
    for (const token of tokensIn(JSON.stringify(entry))) tokens.set(token, (tokens.get(token) ?? 0) + 1);
    const { id } = entry as { id?: string };
    if (id !== undefined && ids.has(id)) standing.broken.push(`doubled: ${id} in ${path}`);
    ids.add(id);
  }
}

function listIn(text: string): unknown[] | undefined {
  try {
    const data: unknown = JSON.parse(text);
    if (Array.isArray(data)) return data as unknown[];
    const { messages } = data as { messages?: unknown };
    return Array.isArray(messages) ? (messages as unknown[]) : undefined;
  } catch {
    // Said by the caller.
    return undefined;
  }
}
