/**
 * How many shapes of secrets are gone from all that memd makes of a conversation:
 * each text is imported as a message, as what a tool gave and as a document, names a scope, and comes
 * back as a model's error; the value is looked for in the index, the names of files, the logs, the queue,
 * the prompts and the reason that is told. What was said itself stands in the days, word for word.
 */
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openaiProvider } from "../src/llm/openai.js";
import { settingsSchema } from "../src/model/settings.js";
import { systemClock } from "../src/platform/clock.js";
import { redactSecrets } from "../src/text/redact.js";
import { readSet, setFolders } from "./recall/set.js";
import { hundredths } from "./stall.js";

const SETS = path.resolve(import.meta.dirname, "sets/secrets");
const BINARY = path.resolve(import.meta.dirname, "../bin/memd.js");
/** In these what was said stands as it was said. */
const WORD_FOR_WORD = /^(?:memory\/|journal\/|history\.json|inbox\.json|documents\/|import\.jsonl)/;
const DAY_MS = 86_400_000;
const MOST_OF_SETS = 5000;
const AT = Date.parse("2026-01-01T08:00:00Z");

interface Shape {
  id: string;
  secrets: string[];
  en: string[];
  zh: string[];
}

export async function benchSecrets(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const half = options.get("half") ?? "hold";
  const shapes = (await linesOf(`${half}.jsonl`)).map(
    ({ secret, ...shape }) => ({ secrets: [secret], ...shape }) as unknown as Shape,
  );
  const harmless = (await linesOf("harmless.jsonl")) as unknown as { text: string }[];
  const textsOf = ({ en, zh }: Shape): string[] => [...en, ...zh];
  const told = shapes.filter((shape) => textsOf(shape).some((text) => stands(shape, redactSecrets(text))));
  const home = await fs.mkdtemp(path.join(tmpdir(), "memd-secrets-"));
  try {
    const leaks = await leaksIn(home, shapes, textsOf);
    const add = (shape: Shape, place: string): void =>
      void leaks.set(shape.id, [...new Set([...(leaks.get(shape.id) ?? []), place])]);
    for (const shape of shapes)
      for (const text of textsOf(shape))
        if (stands(shape, await refusalOf(text))) add(shape, "a model's error");
    for (const shape of await toldByScopes(home, shapes, textsOf)) add(shape, "name of a scope");
    return {
      half,
      shapes: shapes.length,
      share_redacted: hundredths((shapes.length - told.length) / shapes.length),
      share_gone: hundredths((shapes.length - leaks.size) / shapes.length),
      leaked_in: Object.fromEntries(
        [...new Set([...leaks.values()].flat())].map((place) => [
          place,
          [...leaks.values()].filter((places) => places.includes(place)).length,
        ]),
      ),
      harmless: harmless.length,
      harmless_touched: harmless.filter(({ text }) => redactSecrets(text) !== text).length,
      ...(await touchedOfSets()),
    };
  } finally {
    await fs.rm(home, { recursive: true, force: true });
  }
}

/** Of the conversations below `MEMD_BENCH_DATA`, where nobody told a secret, evenly taken. */
async function touchedOfSets(): Promise<Record<string, unknown>> {
  if (process.env["MEMD_BENCH_DATA"] === undefined) return {};
  const sets = await Promise.all((await setFolders(undefined)).map(readSet));
  const texts = [...new Set(sets.flatMap(({ messages }) => messages.map(({ text }) => String(text))))];
  const every = Math.max(1, Math.floor(texts.length / MOST_OF_SETS));
  const taken = texts.filter((_text, index) => index % every === 0).slice(0, MOST_OF_SETS);
  const touched = taken.filter((text) => redactSecrets(text) !== text);
  return { of_sets: taken.length, of_sets_touched: touched.length };
}

/** By the shape's id, the kinds of places in which its value stands. */
async function leaksIn(
  home: string,
  shapes: readonly Shape[],
  textsOf: (shape: Shape) => string[],
): Promise<Map<string, string[]>> {
  const root = path.join(home, "w");
  await memd(home, "init", root);
  const lines = shapes.flatMap((shape, index) =>
    textsOf(shape).flatMap((text, nth) => {
      const id = `${index}-${nth}`;
      const createdAt = new Date(AT + (index % 60) * DAY_MS + nth * 60_000).toISOString();
      const common = { createdAt, session: `s-${id}` };
      return [
        { ...common, id: `m-${id}`, role: "user", text },
        {
          ...common,
          id: `t-${id}`,
          session: `t-${id}`,
          role: "tool",
          text: "",
          tool: { name: "read", callId: id, result: text },
        },
      ];
    }),
  );
  await fs.writeFile(path.join(root, "import.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
  await memd(home, "import", path.join(root, "import.jsonl"), "--workspace", root);
  await fs.mkdir(path.join(root, "documents"));
  await fs.writeFile(path.join(root, "memd.toml"), 'documents = ["documents/*.md"]\n');
  for (const [index, shape] of shapes.entries())
    await fs.writeFile(path.join(root, "documents", `d-${index}.md`), textsOf(shape).join("\n\n---\n\n"));
  const waiting = shapes.slice(0, 40).map((shape, index) => ({
    id: `w-${index}`,
    role: "user",
    text: textsOf(shape)[0],
    createdAt: new Date(AT + 61 * DAY_MS).toISOString(),
  }));
  await fs.writeFile(path.join(root, "history.json"), "[]");
  await fs.writeFile(path.join(root, "inbox.json"), JSON.stringify(waiting));
  await memd(home, "archive", "--now", "--workspace", root);
  await memd(home, "prompt", "--workspace", root);
  const leaks = new Map<string, string[]>();
  const files = await fs.readdir(root, { recursive: true, withFileTypes: true });
  const names = files.map(({ name }) => name).join("\n");
  const add = (shape: Shape, place: string): void =>
    void leaks.set(shape.id, [...(leaks.get(shape.id) ?? []), place]);
  for (const shape of shapes) if (stands(shape, names)) add(shape, "names of files");
  for (const file of files) {
    const name = path.relative(root, path.join(file.parentPath, file.name));
    if (!file.isFile() || WORD_FOR_WORD.test(name)) continue;
    const text = withoutFigures(name, await fs.readFile(path.join(root, name), "utf8"));
    for (const shape of shapes) if (stands(shape, text)) add(shape, name.split("/").slice(0, 2).join("/"));
  }
  return leaks;
}

/**
 * Those whose value is told where a scope is called by the text: in a log, in a prompt, or in what a day is
 * called. The folder of the scope and what leads to it keep the name: its host looks for it there.
 */
async function toldByScopes(
  home: string,
  shapes: readonly Shape[],
  textsOf: (shape: Shape) => string[],
): Promise<Shape[]> {
  const root = path.join(home, "scopes");
  await memd(home, "init", root);
  const waiting = shapes.flatMap((shape, index) =>
    textsOf(shape).map((scope, nth) => ({
      id: `s-${index}-${nth}`,
      role: "user",
      text: "What did we say about the harbour?",
      scope,
      createdAt: new Date(AT + index * 60_000).toISOString(),
    })),
  );
  await fs.writeFile(path.join(root, "history.json"), JSON.stringify(waiting));
  await fs.writeFile(path.join(root, "inbox.json"), JSON.stringify(waiting.slice(-40)));
  await memd(home, "archive", "--now", "--workspace", root);
  await memd(home, "prompt", "--workspace", root);
  let told = "";
  for (const file of await fs.readdir(root, { recursive: true, withFileTypes: true })) {
    const name = path.join(file.parentPath, file.name);
    if (!file.isFile()) continue;
    told += `${file.name}\n`;
    if (/\/logs\/|\/prompt\.md$/.test(name)) told += await fs.readFile(name, "utf8");
  }
  return shapes.filter((shape) => stands(shape, told));
}

/** Counts and scores of memd's own may be the digits of any code. */
function withoutFigures(name: string, text: string): string {
  if (!name.endsWith("prompt.json")) return text;
  return JSON.stringify(JSON.parse(text), (_key, value: unknown) => (typeof value === "number" ? 0 : value));
}

/** What is told of an endpoint that says this in place of an answer. */
async function refusalOf(text: string): Promise<string> {
  const body = JSON.stringify({ error: { message: text, type: "invalid_request_error" } });
  const headers = { "content-type": "application/json" };
  const fetch = (): Promise<Response> => Promise.resolve(new Response(body, { status: 400, headers }));
  const { llm } = settingsSchema.parse({
    llm: { base_url: "http://127.0.0.1:1/v1", models: { summary: "m" }, max_retries: 0 },
  });
  const provider = openaiProvider({ llm, key: "k", clock: systemClock(), fetch });
  const turns = [{ role: "user", text: "x" }] as const;
  const answer = await provider.chat({ role: "summary", feature: "day_summary", turns });
  if (answer.to === "answer") throw new Error("a refusal is taken for an answer");
  return answer.reason;
}

function stands({ secrets }: Shape, text: string): boolean {
  return secrets.some((secret) => text.includes(secret));
}

async function linesOf(name: string): Promise<Record<string, unknown>[]> {
  const text = await fs.readFile(path.join(SETS, name), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function memd(home: string, ...args: string[]): Promise<void> {
  const env = { ...process.env, HOME: home, XDG_RUNTIME_DIR: home };
  const child = spawn(process.execPath, [BINARY, ...args], { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`memd ${args.join(" ")}: ${code} ${said}`));
    });
  });
}
