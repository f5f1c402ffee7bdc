/**
 * JSON of many shapes for `bench tokens`: files of packages, and what tools
 * answer, pretty and minified. One text for each shape and print.
 */
import fs from "node:fs/promises";
import path from "node:path";

/** A whole number below the one given. */
type Below = (limit: number) => number;

const PACKAGES = [
  "vitest",
  "hono",
  "typescript",
  "pino",
  "zod",
  "eslint",
  "openai",
  "chrono-node",
  "prettier",
];
const EACH = 60;

export async function jsonTexts(root: string, chance: Below): Promise<string[]> {
  const lock = await fs.readFile(path.join(root, "package-lock.json"), "utf8");
  const manifests = await Promise.all(
    PACKAGES.map((name) => fs.readFile(path.join(root, "node_modules", name, "package.json"), "utf8")),
  );
  const answers = SHAPES.map((shape) => Array.from({ length: EACH }, () => shape(chance)));
  return [
    lock,
    minified(lock),
    manifests.join("\n"),
    manifests.map(minified).join("\n"),
    ...answers.map((list) => list.map((value) => JSON.stringify(value, null, 2)).join("\n")),
    ...answers.map((list) => list.map((value) => JSON.stringify(value)).join("\n")),
  ];
}

const SHAPES: readonly ((chance: Below) => unknown)[] = [
  (chance) => ({
    id: uuid(chance),
    name: sentence(chance).split(" ").slice(0, 2).join("_"),
    created_at: moment(chance),
    active: chance(2) === 1,
    score: chance(1e6) / 1e4,
    tags: [word(chance), word(chance)],
  }),
  (chance) => ({
    ok: true,
    data: {
      items: Array.from({ length: 3 }, () => ({
        sku: `SKU-${chance(99_999)}`,
        title: sentence(chance),
        price: { amount: chance(10_000) / 100, currency: "EUR" },
        stock: chance(400),
      })),
      nextPageToken: null,
    },
    requestId: uuid(chance),
  }),
  (chance) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [chance(1.8e7) / 1e5, chance(9e6) / 1e5] },
    properties: { name: sentence(chance), population: chance(1e6) },
  }),
  (chance) => ({
    url: `https://api.example.com/v2/users/${chance(9999)}/repos?page=${chance(20)}&per_page=100`,
    html_url: `https://example.org/${word(chance)}/${word(chance)}/issues/${chance(4000)}`,
    node_id: Buffer.from(hex(chance, 12)).toString("base64"),
    sha: hex(chance, 40),
    size: chance(99_999),
  }),
  (chance) => ({
    tool: "open_page",
    callId: `call_${hex(chance, 16)}`,
    input: { path: `src/${word(chance)}/${word(chance)}.ts`, startLine: chance(400) },
    result: { content: `${sentence(chance)}\n${sentence(chance)}`, truncated: false },
  }),
  (chance) => ({
    hourly: {
      time: Array.from({ length: 6 }, () => moment(chance)),
      temperature_2m: Array.from({ length: 6 }, () => chance(300) / 10),
    },
    units: { temperature_2m: "°C", relative_humidity: "%" },
  }),
  (chance) => ({
    level: "error",
    ts: 1_700_000_000 + chance(1e7),
    msg: sentence(chance),
    stack: `Error: ${sentence(chance)}\n    at handle (/app/src/index.js:${chance(300)}:${chance(80)})`,
    ctx: { userId: chance(1e6), sessionId: hex(chance, 24), retries: chance(5) },
  }),
  (chance) => Array.from({ length: 8 }, () => chance(100_000)),
];

const WORDS =
  "status open invoice the customer asked whether delivery could be moved to Friday morning because nobody is home payment failed card declined retry build passed tests warning deprecated search results found page total weather cloudy wind north station".split(
    " ",
  );

function word(chance: Below): string {
  return WORDS[chance(WORDS.length)] ?? "";
}

function sentence(chance: Below): string {
  return Array.from({ length: 4 + chance(12) }, () => word(chance)).join(" ");
}

function hex(chance: Below, length: number): string {
  return Array.from({ length }, () => chance(16).toString(16)).join("");
}

function uuid(chance: Below): string {
  return [8, 4, 4, 4, 12].map((length) => hex(chance, length)).join("-");
}

function moment(chance: Below): string {
  return new Date(1.7e12 + chance(1e9) * 100).toISOString();
}

function minified(text: string): string {
  return JSON.stringify(JSON.parse(text));
}
