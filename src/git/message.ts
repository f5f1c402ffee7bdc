/** What a commit says of itself, by the names of its files. Pure. */
import { groupBy } from "../model/collections.js";
import { FILES } from "../protocol/workspace.js";

const LONGEST_SUBJECT = 72;

/** A subject, and where it could not say everything, a line each below it. */
export function commitMessage(paths: readonly string[]): string {
  const groups = [...groupBy(paths.map(thingOf), ({ kind }) => kind)];
  const parts = groups.map(([kind, all]) => partOf(kind, all.flatMap(({ which }) => which ?? []).sort()));
  const full = `memory: ${parts.map(({ long }) => long).join("; ")}`;
  if (full.length <= LONGEST_SUBJECT) return full;
  const short = `memory: ${parts.map(({ brief }) => brief).join("; ")}`;
  const subject = short.length <= LONGEST_SUBJECT ? short : `memory: ${paths.length} files`;
  return `${subject}\n\n${parts.map(({ long }) => long).join("\n")}`;
}

interface Thing {
  kind: Kind;
  /** Of a day, a month. */
  which?: string;
}

type Kind =
  "day" | "summary" | "records" | "profiles" | "topics" | "documents" | "conversations" | "pinned" | "more";

const NAMED: readonly (readonly [kind: Kind, path: RegExp])[] = [
  ["day", /^(?:archive\/\d{4}-\d{2}\/)?(\d{4}-\d{2}-\d{2})-[^/]*\.md$/],
  ["summary", /^summary\/(\d{4}-\d{2}(?:-\d{2})?)\.md$/],
  ["records", /^records\//],
  ["profiles", /^profiles\//],
  ["topics", /^topics\//],
  ["documents", /^documents\//],
  ["conversations", /^(?:window\/|memos\.json$)/],
];

function thingOf(path: string): Thing {
  if (path === FILES.memory) return { kind: "pinned" };
  const [folder = "", ...rest] = path.split("/");
  const inScope = rest[0] === "scopes" ? rest.slice(2) : rest;
  const inside = folder === FILES.records ? inScope.join("/") : "";
  for (const [kind, named] of NAMED) {
    const match = named.exec(inside);
    if (match !== null) return match[1] === undefined ? { kind } : { kind, which: match[1] };
  }
  return { kind: "more" };
}

function partOf(kind: Kind, which: readonly string[]): { long: string; brief: string } {
  const some = [...new Set(which)];
  const same = (says: string): { long: string; brief: string } => ({ long: says, brief: says });
  switch (kind) {
    case "day":
      return some.length === 1
        ? same(`day ${some[0] ?? ""}`)
        : { long: `days ${some.join(", ")}`, brief: `${some.length} days` };
    case "summary":
      return some.length === 1
        ? same(`summary of ${some[0] ?? ""}`)
        : { long: `summaries of ${some.join(", ")}`, brief: `${some.length} summaries` };
    case "pinned":
      return same(FILES.memory);
    case "more":
      return same("other files");
    case "records":
    case "profiles":
    case "topics":
    case "documents":
    case "conversations":
      return same(kind);
    default:
      return kind satisfies never;
  }
}
