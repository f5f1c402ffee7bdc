import type { Command } from "commander";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createProgram } from "../../src/cli/main.js";
import { parseDocument, printDocument } from "../../src/protocol/document.js";
import { parseJournalEntry } from "../../src/protocol/journal.js";
import { parseLines } from "../../src/protocol/jsonl.js";
import { parseMessage } from "../../src/protocol/message.js";
import { parseQueueJob } from "../../src/protocol/queue-job.js";
import { parseWindow } from "../../src/protocol/window-file.js";
import { parseSettings } from "../../src/protocol/settings.js";
import { parseSummary } from "../../src/protocol/summary.js";
import { parseVerbatim, printVerbatim } from "../../src/protocol/verbatim.js";
import { FILES } from "../../src/protocol/workspace.js";
import { createApp, type ServeParts } from "../../src/serve/app.js";
import { SERVED } from "../../src/service/runs.js";
import { ECHO } from "../support/echo.js";
import { callsTable } from "./calls.js";
import { allSettings, settingsPage } from "./settings.js";
import { readFile, ROOT, typescriptIn } from "./sources.js";

const PAGES = [
  "README.md",
  "CHANGELOG.md",
  ...fs.readdirSync(path.join(ROOT, "docs")).map((name) => `docs/${name}`),
].filter((file) => file.endsWith(".md"));
const protocol = readFile("docs/PROTOCOL.md");
const source = [...typescriptIn("src").values()].join("\n");

describe("settings", () => {
  test("the page of them is what the schema says; `npm run settings` writes it anew", () => {
    expect(readFile("docs/SETTINGS.md")).toBe(settingsPage());
  });

  test("each has a meaning, of its own", () => {
    const meanings = allSettings().map(({ meaning }) => meaning);
    expect(meanings.filter((meaning) => meaning === "")).toEqual([]);
    expect(new Set(meanings).size).toBe(meanings.length);
  });

  test("what the template proposes is valid", () => {
    const lines = readFile("workspace-template/memd.toml").split("\n");
    const proposed = lines.map((line) => line.replace(/^# (?=\[?[a-z_.]+(?:\]| = ))/, "")).join("\n");
    expect(proposed).not.toBe(lines.join("\n"));
    expect(() => parseSettings(proposed)).not.toThrow();
  });
});

describe("log events", () => {
  const documented = tableOf("event").map(([name = ""]) => bare(name));
  const written = new Set([...source.matchAll(/\bevent: "([a-z_]+)"/g)].map((match) => match[1] ?? ""));

  test("every event that is written is in the table, and no other", () => {
    expect([...documented].sort()).toEqual([...written].sort());
  });

  test("the terminal listens only for events that exist", () => {
    const heard = [...readFile("src/cli/progress.ts").matchAll(/(?:case|event ===) "([a-z_]+)"/g)].map(
      (match) => match[1],
    );
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.filter((name) => !documented.includes(name ?? ""))).toEqual([]);
  });
});

describe("files", () => {
  test("every place that the program knows is described", () => {
    const described = new Set(
      [...protocol.matchAll(/`([^`\n]+)`/g)].map((match) => (match[1] ?? "").replace(/\/$/, "")),
    );
    expect(Object.values(FILES).filter((file) => !described.has(file))).toEqual([]);
  });

  test("the template and the table name the same top-level files", () => {
    for (const file of fs.readdirSync(path.join(ROOT, "workspace-template")))
      expect(protocol).toContain(`\`${file}\``);
  });
});

describe("the socket", () => {
  test("every call is in the table, and no other", () => {
    expect(tableOf("call")).toEqual(callsTable(SERVED));
  });

  test("what is asked beside the table is told too", () => {
    const app = createApp({ memd: {}, listen: () => () => undefined } as unknown as ServeParts);
    // What stands in front of every call is none.
    const calls = app.routes
      .filter(({ method }) => method !== "ALL")
      .map(({ method, path: at }) => `${method} ${at}`);
    const operations = SERVED.map<string>(({ call }) => call);
    expect(calls.filter((call) => !operations.includes(call)).sort()).toEqual([
      "GET /events",
      "GET /metrics",
      "GET /openapi.json",
      "GET /ping",
      "POST /operations/:name",
    ]);
    for (const call of [
      "`GET /events`",
      "`GET /metrics`",
      "`GET /openapi.json`",
      "`GET /ping`",
      "`POST /operations/",
    ])
      expect(protocol).toContain(call);
  });

  test("an operation that is added to the table is a row of the docs", () => {
    expect(callsTable([ECHO])).toEqual([
      ["`POST /echo/:id`", "`echo`", '`{"text", "loud"?, "as"?}`', '`{"said"}`: says it again'],
    ]);
  });
});

describe("environment", () => {
  test("every variable of memd's is in the table, and no other", () => {
    const used = new Set([...source.matchAll(/\["(MEMD_[A-Z_]+)"\]/g)].map((match) => match[1] ?? ""));
    const documented = tableOf("variable").flatMap(([names = ""]) => names.split(", ").map(bare));
    expect(documented.filter((name) => name.startsWith("MEMD_")).sort()).toEqual([...used].sort());
  });
});

describe("examples are what memd reads and writes", () => {
  test("a message", () => {
    const message = parseMessage(JSON.parse(example("message")));
    expect(message).toMatchObject({ id: "q-1", role: "user" });
    expect(message?.extra).toBeUndefined();
  });

  test("a verbatim day, with the hash that memd would write", () => {
    const text = example("verbatim");
    const day = parseVerbatim(text);
    expect(day?.edited).toBe(false);
    expect(day?.blocks.map(({ filed }) => filed.message.id)).toEqual(["q-1", "t-1", "a-1"]);
    expect(day?.blocks[2]?.filed.message).toMatchObject({ extra: { mood: "calm" } });
    expect(day?.blocks[2]?.filed.message.text).toContain("\n### 14:00:00 never");
    if (day !== undefined) expect(printVerbatim(day)).toBe(text);
  });

  test("a summary, with the hash that memd would write", () => {
    expect(parseSummary(example("summary"))).toMatchObject({ edited: false, sections: [{ user: "lin" }] });
  });

  test("lines of the journal, one of each kind", () => {
    const entries = parseLines(example("journal")).map(({ value }) => parseJournalEntry(value)?.op);
    expect(entries).toEqual(["message", "alias", "settled", "removed", "restored"]);
  });

  test("a job of the queue", () => {
    expect(parseWindow(example("window"))).toMatchObject({ edited: false, session: "main" });
    expect(parseQueueJob(example("job"))).toMatchObject({ is: "job", job: { user: "lin" } });
  });

  test("a document, with the hash that memd would write", () => {
    const text = example("document");
    const document = parseDocument(text);
    expect(document).toMatchObject({ edited: false, id: "notes/ferry", chars: document?.body.length });
    if (document !== undefined) expect(printDocument(document)).toBe(text);
  });

  test("settings", () => {
    expect(parseSettings(example("settings"))).toMatchObject({ retention: { archive_days: 730 } });
  });

  test("a line of an import", () => {
    const [line] = parseLines(example("import"));
    expect(parseMessage(line?.value)).toMatchObject({ id: "m-1", speaker: "Priya" });
  });
});

describe("commands", () => {
  const program = createProgram();

  test("the table of the README has every command, and no other", () => {
    const documented = tableOf("command", readFile("README.md")).flatMap(([cell = ""]) =>
      [...cell.matchAll(/`memd ([a-z-]+(?: [a-z]+)?)[^`]*`/g)].map((match) =>
        pathOf(commandAt(program, words(match[1] ?? ""))),
      ),
    );
    expect([...new Set(documented)].sort()).toEqual(leavesOf(program).sort());
  });

  test.each(PAGES)("%s uses only commands and options that exist", (file) => {
    const wrong = invocationsIn(readFile(file)).filter((line) => !isAccepted(program, words(line)));
    expect(wrong).toEqual([]);
  });

  test("what does not exist would be seen", () => {
    const page =
      '```sh\nmemd init -w a && npx memd search "x" --limit 3 # why\n```\nand `memd bogus`, `npx memd stop`';
    expect(invocationsIn(page)).toEqual(["init -w a", 'search "x" --limit 3', "bogus", "stop"]);
    expect(isAccepted(program, ["bogus"])).toBe(false);
    expect(isAccepted(program, ["search", "x", "--bogus"])).toBe(false);
    expect(isAccepted(program, ["config", "check"])).toBe(true);
  });

  test("npm scripts that the README names exist", () => {
    const { scripts } = JSON.parse(readFile("package.json")) as { scripts: Record<string, string> };
    const named = [...readFile("README.md").matchAll(/npm run ([a-z:]+)/g)].map((match) => match[1] ?? "");
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

describe("links", () => {
  test.each(PAGES)("%s leads somewhere", (file) => {
    const links = [...withoutFences(readFile(file)).matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(
      (match) => match[1] ?? "",
    );
    expect(links.filter((link) => !leads(file, link))).toEqual([]);
  });
});

/** Rows of the table whose first column has this title, cells trimmed, backticks kept. */
function tableOf(title: string, page = protocol): string[][] {
  const lines = page.split("\n");
  const head = lines.findIndex((line) => line.startsWith(`| ${title} |`));
  if (head === -1) throw new Error(`There is no table of ${title}.`);
  const rows = lines.slice(head + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end === -1 ? undefined : end).map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function bare(cell: string): string {
  return cell.replaceAll("`", "");
}

/** Text of the fenced block after `<!-- example: name -->`, as the file would be. */
function example(name: string): string {
  const [, after = ""] = protocol.split(`<!-- example: ${name} -->\n`);
  const found = /^```[a-z]+\n([\s\S]*?)^```$/m.exec(after);
  if (found === null) throw new Error(`There is no example ${name}.`);
  return found[1] ?? "";
}

function leavesOf(command: Command): string[] {
  return command.commands.flatMap((inner) => (inner.commands.length > 0 ? leavesOf(inner) : [pathOf(inner)]));
}

/** `queue list`: two commands may have leaves of one name. */
function pathOf(command: Command | undefined): string {
  if (command === undefined || command.parent === null) return "";
  return `${pathOf(command.parent)} ${command.name()}`.trim();
}

function commandAt(program: Command, given: readonly string[]): Command | undefined {
  let at = program;
  for (const word of given) {
    const next = at.commands.find((inner) => inner.name() === word);
    if (next === undefined) break;
    at = next;
  }
  return at === program || at.commands.length > 0 ? undefined : at;
}

/** What is run as `memd …` or `npx memd …` in blocks of shell and in code between backticks. */
function invocationsIn(page: string): string[] {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap((match) =>
    (match[1] ?? "").split("\n"),
  );
  const inline = [...withoutFences(page).matchAll(/`((?:npx )?memd [^`\n]+)`/g)].map(
    (match) => match[1] ?? "",
  );
  return [...blocks, ...inline]
    .flatMap((line) => line.replace(/\s#.*$/, "").split(/&&|\|/))
    .map((line) => line.trim().replace(/^npx /, ""))
    .filter((line) => line.startsWith("memd "))
    .map((line) => line.slice("memd ".length));
}

function words(line: string): string[] {
  return [...line.matchAll(/"[^"]*"|\S+/g)].map(([word]) => word);
}

function isAccepted(program: Command, given: readonly string[]): boolean {
  const command = commandAt(program, given);
  const options = given.filter((word) => /^--?[a-zA-Z]/.test(word));
  if (command === undefined) {
    const names = ["--help", "--version", "-V", "-h"];
    return given.every((word) => names.includes(word) || word === "<command>");
  }
  const known = command.options.flatMap(({ short, long }) => [short, long]);
  return options.every((option) => option === "--help" || known.includes(option.replace(/=.*$/, "")));
}

function withoutFences(page: string): string {
  return page.replace(/^```[\s\S]*?^```$/gm, "");
}

function leads(from: string, link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? from : path.posix.join(path.posix.dirname(from), file);
  if (!fs.existsSync(path.join(ROOT, target))) return false;
  if (anchor === undefined) return true;
  const headings = [...withoutFences(readFile(target)).matchAll(/^#+ (.*)$/gm)].map(
    (match) => match[1] ?? "",
  );
  return headings.some((heading) => slugOfHeading(heading) === anchor);
}

function slugOfHeading(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
