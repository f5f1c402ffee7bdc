/** The document that programs read of what can be asked: true, whole, and valid. */
import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, onTestFinished, test } from "vitest";
import { packageVersion } from "../../src/platform/package-root.js";
import { type App, createApp } from "../../src/serve/app.js";
import { openapiOf } from "../../src/serve/openapi.js";
import { SERVED } from "../../src/service/runs.js";
import { ECHO } from "../support/echo.js";
import { openStage } from "../support/stage.js";

const FILE = new URL("../../docs/openapi.json", import.meta.url);
const VIEWER = { user: "lin" };

interface Document {
  paths: Record<string, Record<string, { operationId: string; requestBody?: Body }>>;
  components: { schemas: Record<string, unknown> };
}
interface Body {
  content: Record<string, { schema: { properties: Record<string, unknown>; required?: string[] } }>;
}

async function open(operations = SERVED): Promise<App> {
  const { supervisor: memd } = await openStage({});
  await memd.start({ watch: false, work: false });
  onTestFinished(() => memd.stop());
  const parts = { memd, socket: "/none", listen: () => () => undefined, stop: () => undefined };
  return createApp(parts, operations);
}

async function documentOf(app: App, seat?: typeof VIEWER): Promise<Document> {
  const answer = await app.request("/openapi.json", {}, { seat });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Document;
}

function callsIn({ paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, calls]) =>
    Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

test("it is valid, for the owner and for a viewer", async () => {
  const app = await open();
  for (const seat of [undefined, VIEWER])
    expect(await new Validator().validate({ ...(await documentOf(app, seat)) })).toEqual({ valid: true });
});

test("the file in docs/ is what memd answers; `npm run openapi` writes it anew", async () => {
  const file: unknown = JSON.parse(readFileSync(FILE, "utf8"));
  expect(file).toEqual(await documentOf(await open()));
});

test("every path that is answered is in it, and no other", async () => {
  const app = await open();
  const answered = app.routes
    .filter(({ method, path }) => method !== "ALL" && path !== "/operations/:name")
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
  expect(callsIn(await documentOf(app)).sort()).toEqual([...new Set(answered)].sort());
});

test("a viewer reads of what they may ask, and of nothing else", async () => {
  const app = await open();
  const asked = callsIn(await documentOf(app, VIEWER));
  const rows = SERVED.filter(({ access }) => access === "viewer").map(({ call }) => call);
  expect(asked.sort()).toEqual(
    [...rows.map((call) => call.replace(/:(\w+)/g, "{$1}")), "GET /ping", "GET /openapi.json"].sort(),
  );
});

test("a row that is added to the table is in it, with its fields and whoever it is asked for", async () => {
  const { paths } = openapiOf([...SERVED, ECHO], packageVersion()) as unknown as Document;
  const echo = paths["/echo/{id}"]?.["post"];
  expect(echo?.operationId).toBe("echo");
  const { properties, required } = echo?.requestBody?.content["application/json"]?.schema ?? {};
  expect([Object.keys(properties ?? {}), required]).toEqual([["text", "loud", "as"], ["text"]]);
});

test("what it points to is there", async () => {
  const document = await documentOf(await open());
  const targets = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
  expect(targets.length).toBeGreaterThan(100);
  for (const target of new Set(targets))
    expect(
      target.split("/").reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document),
      target,
    ).toBeDefined();
});

test("what a row says that it may be asked with, it takes", () => {
  const examples = SERVED.filter(({ example }) => example !== undefined);
  for (const { name, input, example } of examples)
    expect([name, input.safeParse(example).success]).toEqual([name, true]);
  const bare = SERVED.filter(({ input, example }) => example === undefined && !input.safeParse({}).success);
  expect(bare.map(({ name }) => name)).toEqual([]);
});
