/** CONTRIBUTING.md, done as it says on a copy of the sources in which nothing is built. */
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openaiServer } from "../support/openai-server.js";
import { tempDir } from "../support/temp-dir.js";
import { readFile, ROOT } from "./sources.js";

const run = promisify(execFile);
/** Processes that compile and load everything anew, on whatever else the machine does. */
const TIMEOUT_MS = 180_000;
const COPIED = ["src", "dev", "prompts", "workspace-template", "package.json", "tsconfig.json"];

function copyOfSources(): string {
  const copy = tempDir();
  for (const name of COPIED) fs.cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"), "junction");
  return copy;
}

interface Block {
  language: string;
  file: string;
  text: string;
}

/** The blocks of a section that name a file, as ```` ```ts src/llm/jobs/title.ts ````. */
function blocksOf(heading: string): Block[] {
  const section =
    readFile("CONTRIBUTING.md")
      .split(/^## /m)
      .find((each) => each.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", file = "", text = ""]) => ({ language, file, text }),
  );
}

function apply(copy: string, { language, file, text }: Block): void {
  const target = path.join(copy, file);
  if (language !== "diff") return fs.writeFileSync(target, text, { flag: "wx" });
  let patched = fs.readFileSync(target, "utf8");
  for (const hunk of text.split(/^@@\n/m).filter((each) => each !== "")) {
    const lines = hunk.trimEnd().split("\n");
    const without = (sign: string): string =>
      lines
        .filter((line) => !line.startsWith(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join("");
    expect(patched.split(without("+"))).toHaveLength(2);
    patched = patched.replace(without("+"), () => without("-"));
  }
  fs.writeFileSync(target, patched);
}

/** Has a real pool with real workers do the new kind; what it prints is typed by the row alone. */
const TITLED = `
import { createPool } from "./src/llm/pool.js";
import { settingsSchema } from "./src/model/settings.js";
import type { Day } from "./src/model/time.js";
import type { JobId } from "./src/model/work.js";
import { systemClock } from "./src/platform/clock.js";
import { promptsFolder, workerEntry } from "./src/platform/package-root.js";
import { nodeSpawn } from "./src/platform/spawn.js";

const pool = createPool({
  spawn: nodeSpawn,
  clock: systemClock(),
  settings: settingsSchema.parse(JSON.parse(process.argv[2] ?? "{}")),
  environment: process.env,
  entry: workerEntry(),
  promptFolders: [promptsFolder()],
});
const at = { at: "2026-01-28T10:00:00Z", day: "2026-01-28" as Day, clock: "10:00" };
const text = "The ferry to Naxos leaves at nine, and the harbour is far.";
const utterances = [{ ...at, role: "user" as const, name: "Lin", text }];
const outcome = await pool.run({ kind: "title", id: "t" as JobId, utterances });
const title: string = outcome.to === "done" ? outcome.result.by + ": " + outcome.result.title : outcome.reason;
console.log(title, outcome.usage.map(({ feature }) => feature).join());
await pool.close();
`;

test("a kind of job is three files, and runs from the worker to the pool with a model and without", async () => {
  const blocks = blocksOf("Add a kind of job");
  expect(blocks.map(({ file }) => file)).toEqual([
    "src/llm/jobs/title.ts",
    "src/llm/jobs/registry.ts",
    "prompts/title.md",
  ]);
  const copy = copyOfSources();
  for (const block of blocks) apply(copy, block);
  fs.writeFileSync(path.join(copy, "titled.ts"), TITLED);
  const checked = { extends: "./tsconfig.json", include: ["titled.ts", "src/llm", "src/**/*.d.ts"] };
  fs.writeFileSync(path.join(copy, "tsconfig.checked.json"), JSON.stringify(checked));

  const inCopy = { cwd: copy, env: { ...process.env, MEMD_FROM_SOURCES: "1" } };
  const titled = async (llm: object): Promise<string> => {
    const settings = JSON.stringify({ llm });
    return (await run(process.execPath, ["--import", "tsx", "titled.ts", settings], inCopy)).stdout.trim();
  };
  const long = "A ferry that leaves at nine from a harbour that is far";
  const server = await openaiServer([
    { kind: "ok", text: long },
    { kind: "ok", text: "The ferry to Naxos" },
  ]);
  const model = { provider: "openai", base_url: server.url, models: { summary: "small" } };
  const tsc = path.join("node_modules", "typescript", "bin", "tsc");
  const [types, without, withModel] = await Promise.all([
    run(process.execPath, [tsc, "-p", "tsconfig.checked.json"], inCopy).catch((error: unknown) => error),
    titled({ provider: "builtin" }),
    titled(model),
  ]);
  await server.close();
  expect(types).toMatchObject({ stdout: "" });
  expect(without).toBe("builtin: The ferry to Naxos leaves at nine, and");
  expect(withModel).toBe("small: The ferry to Naxos title,title");
  expect(JSON.stringify(server.requests[1]?.body)).toContain("it has more than 8 words.");
}, TIMEOUT_MS);

test("memd runs from the sources, with its workers and the threads of its index", async () => {
  const copy = copyOfSources();
  const workspace = tempDir();
  const { scripts } = JSON.parse(readFile("package.json")) as { scripts: Record<string, string> };
  const [program, ...args] = (scripts["dev"] ?? "").split(" ");
  expect(program).toBe("node");
  const dev = async (...more: string[]): Promise<string> =>
    (await run(process.execPath, [...args, ...more, "-w", workspace], { cwd: copy })).stdout;
  await dev("init");
  const createdAt = new Date(Date.now() - 20 * 24 * 60 * 60 * 1000).toISOString();
  const message = { id: "m1", role: "user", text: "I decided to rent the flat in Lisbon.", createdAt };
  fs.writeFileSync(path.join(workspace, "history.json"), JSON.stringify([message]));
  await dev("start", "--until-idle");
  const summaries = path.join(workspace, "memory", "summary");
  const days = fs.readdirSync(summaries, { recursive: true, encoding: "utf8" });
  expect(days.filter((file) => file.endsWith(".md"))).toHaveLength(1);
  expect(await dev("search", "flat Lisbon")).toContain("Lisbon");
  expect(fs.existsSync(path.join(workspace, ".memd", "index"))).toBe(true);
}, TIMEOUT_MS);
