/** `llm.embedding = "local:…"`: a small model that memd runs itself, by a package that its owner had installed. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { cliPlace, eventually, type Place } from "../support/cli.js";
import { notedBy, PACKAGE, putModel, putPackage } from "../support/encoder-package.js";
import { NOW, placeOfTexts, TEXTS } from "../support/told-by-meaning.js";

function placeWith(model: string): Promise<Place> {
  return placeOfTexts(
    `[llm]\nprovider = "builtin"\napi_key_env = "SOME_KEY"\nembedding = "local:${model}"\n[embedding]\nquery_timeout_seconds = 20\npause_above_load = 0\npause_on_battery = false\n`,
  );
}
const embedOf = ({ environment }: Place): string =>
  path.join(environment["HOME"] ?? "", ".local", "share", "memd", "embed");

/** Until all passages have a vector. */
async function embedded(place: Place, model: string): Promise<void> {
  await eventually("all are embedded", async () =>
    (await place.memd(["status"])).stdout.includes(`passages by local:${model}`)
      ? /vectors +(\d+) of \1 passages/.test((await place.memd(["status"])).stdout)
      : false,
  );
}

test("a model in a folder runs in a thread of memd's own, sees no variable, and finds by meaning", async () => {
  const folder = path.join(fs.mkdtempSync(path.join(cliPlace().outside, "models-")), "multilingual-e5-tiny");
  const place = await placeWith(folder);
  putModel(folder, { "1_Pooling/config.json": '{"pooling_mode_cls_token": true}' });
  putPackage(embedOf(place));
  const daemon = place.launch(["start"], { now: NOW, env: { SOME_KEY: "k-1" } });
  await daemon.says("Ready.");
  await embedded(place, folder);
  const found = await place.memd(["search", "--explain", "Do they have a dog?"], { now: NOW });
  expect(found.stdout).toMatch(/adopted a puppy.*\n.*vector/);
  daemon.kill("SIGTERM");
  expect(await daemon.ended).toMatchObject({ code: 0 });
  expect(daemon.output()).not.toContain("loading, as packages say");

  const [loaded, ...asked] = notedBy(embedOf(place));
  expect(loaded).toMatchObject({
    task: "feature-extraction",
    model: folder,
    options: { dtype: "fp32", local_files_only: true },
    env: { allowRemoteModels: false },
    variables: [],
  });
  for (const each of asked) expect(each.asked).toEqual({ pooling: "cls", normalize: true });
  const texts = asked.flatMap((each) => each.texts ?? []);
  expect(texts).toContain("passage: Ana: We adopted a puppy from the shelter.");
  expect(texts.filter((text) => !/^(?:passage|query): /.test(text))).toEqual([]);
  expect(texts).toContain("query: Do they have a dog?");
  expect(Math.max(...asked.map((each) => each.texts?.length ?? 0))).toBeLessThanOrEqual(8);
});

test("after a restart only what has no vector yet is embedded", async () => {
  const folder = path.join(cliPlace().outside, "tiny");
  putModel(folder);
  const place = await placeWith(folder);
  putPackage(embedOf(place));
  const run = async (): Promise<string[]> => {
    const before = notedBy(embedOf(place)).length;
    const daemon = place.launch(["start"], { now: NOW });
    await daemon.says("Ready.");
    await embedded(place, folder);
    daemon.kill("SIGTERM");
    await daemon.ended;
    return notedBy(embedOf(place))
      .slice(before)
      .flatMap(({ texts = [] }) => texts)
      .filter((text) => TEXTS.some((known) => text.includes(known)) || text.includes("harbour"));
  };
  expect((await run()).length).toBeGreaterThanOrEqual(TEXTS.length);
  place.write("memory.md", "- The harbour closes at nine.\n");
  expect(await run()).toEqual([expect.stringContaining("harbour")]);
});

test("without the package, or without the model, words answer and it is told which command brings it", async () => {
  const place = await placeWith("Xenova/multilingual-e5-small");
  const status = async (): Promise<string> => (await place.memd(["status"])).stdout;
  const daemon = place.launch(["start"], { now: NOW });
  await daemon.says("Ready.");
  await eventually("it is told", async () =>
    (await status()).includes(`${PACKAGE} is not installed: \`memd embed install\``),
  );
  const found = await place.memd(["search", "rained"], { now: NOW });
  expect(found.stdout).toContain("It rained all week");
  expect(found.stderr).toContain("`memd embed install`");
  daemon.kill("SIGTERM");
  await daemon.ended;

  putPackage(embedOf(place));
  const again = place.launch(["start"], { now: NOW });
  await again.says("Ready.");
  await eventually("it is told", async () =>
    (await status()).includes("`memd embed install Xenova/multilingual-e5-small` brings them"),
  );
  expect(notedBy(embedOf(place))).toEqual([]);
  again.kill("SIGTERM");
  await again.ended;
});

test.each(["local:../evil", "local:a/../../b", "local:.hidden", "local:a/b/c", "local:", "ollama"])(
  "%s is no model, and the line is told",
  async (setting) => {
    const place = cliPlace();
    place.write("memd.toml", `[llm]\nembedding = "${setting}"\n`);
    const checked = await place.memd(["config", "check"]);
    expect(checked.code).toBe(3);
    expect(checked.stderr + checked.stdout).toMatch(/local:NAME/);
  },
);

describe("memd embed install", () => {
  /** An npm that notes how it was called, and brings the package or fails. */
  function npmIn(place: Place, fails = false): { env: Record<string, string>; calls: () => string[] } {
    const bin = path.join(place.outside, "bin");
    const ready = path.join(place.outside, "registry");
    const log = path.join(place.outside, "npm-calls");
    fs.mkdirSync(bin);
    putPackage(ready);
    const brings = fails ? "exit 7" : `cp -r "${ready}/node_modules" "$3/"`;
    fs.writeFileSync(path.join(bin, "npm"), `#!/bin/sh\necho "$@" >> "${log}"\n${brings}\n`, { mode: 0o755 });
    return {
      env: { PATH: `${bin}:${place.environment["PATH"]}` },
      calls: () => (fs.existsSync(log) ? fs.readFileSync(log, "utf8").trim().split("\n") : []),
    };
  }

  test("nothing is installed where nobody said yes; said, it tells what came and runs no script", async () => {
    const place = cliPlace();
    const { env, calls } = npmIn(place);
    const unasked = await place.memd(["embed", "install"], { env });
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining("add --yes") as string });
    expect(unasked.stdout).toMatch(/480 MB/);
    expect(unasked.stdout).toMatch(/Apache-2\.0.*LGPL-3\.0/);
    expect(unasked.stdout).toMatch(/Xenova\/multilingual-e5-small \(MIT, about 135 MB\)/);
    expect(calls()).toEqual([]);
    expect(fs.existsSync(embedOf(place))).toBe(false);

    const done = await place.memd(["embed", "install", "--yes"], { env });
    expect(done.code).toBe(0);
    expect(done.stdout).toContain(`${PACKAGE} 4.9.9 (Apache-2.0)`);
    expect(done.stdout).toContain('embedding = "local:Xenova/multilingual-e5-small"');
    expect(calls()).toEqual([
      `install --prefix ${embedOf(place)} --ignore-scripts --no-audit --no-fund ${PACKAGE}@^4.3.2`,
    ]);

    expect((await place.memd(["embed", "install", "--yes"], { env })).code).toBe(0);
    expect(calls()).toHaveLength(1);
  });

  test("what it let be fetched is fetched by the package at first use, and nothing else is", async () => {
    const place = await placeWith("Some/encoder");
    const { env } = npmIn(place);
    expect((await place.memd(["embed", "install", "--yes"], { env })).code).toBe(0);
    const daemon = place.launch(["start"], { now: NOW });
    await daemon.says("Ready.");
    await embedded(place, "Some/encoder");
    daemon.kill("SIGTERM");
    await daemon.ended;
    expect(notedBy(embedOf(place))[0]).toMatchObject({
      model: "Some/encoder",
      env: {
        allowRemoteModels: true,
        cacheDir: path.join(embedOf(place), "models"),
        localModelPath: path.join(embedOf(place), "models"),
      },
      options: { dtype: "q8", local_files_only: false },
    });
    expect(JSON.parse(fs.readFileSync(path.join(embedOf(place), "allowed.json"), "utf8"))).toEqual({
      fetch: ["Some/encoder"],
    });
  });

  test("a model's files come from a folder, what it needs of them, under a name that stays where models stand", async () => {
    const place = cliPlace();
    const { env } = npmIn(place);
    const from = path.join(place.outside, "e5");
    putModel(from, { "model.safetensors": "not needed", "onnx/model_quantized.onnx": "small" });
    const data = path.join(place.outside, "data");
    const install = (...args: string[]) =>
      place.memd(["embed", "install", ...args, "--from", from, "--yes"], {
        env: { ...env, XDG_DATA_HOME: data },
      });
    expect(await install("../escape")).toMatchObject({ code: 2 });
    expect((await install("mine/e5")).code).toBe(0);
    const files = fs
      .readdirSync(path.join(data, "memd", "embed", "models"), { recursive: true, withFileTypes: true })
      .flatMap((entry) =>
        entry.isFile() ? [path.relative(data, path.join(entry.parentPath, entry.name))] : [],
      );
    expect(files.sort()).toEqual(
      ["config.json", "onnx/model.onnx", "onnx/model_quantized.onnx", "tokenizer.json"].map(
        (file) => `memd/embed/models/mine/e5/${file}`,
      ),
    );
    expect(fs.existsSync(path.join(data, "memd", "embed", "allowed.json"))).toBe(false);
    fs.rmSync(path.join(from, "tokenizer.json"));
    expect(await install("mine/other")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("config.json and tokenizer.json") as string,
    });
  });

  test("where npm fails nothing is said to be there", async () => {
    const place = cliPlace();
    const { env } = npmIn(place, true);
    const failed = await place.memd(["embed", "install", "--yes"], { env });
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("npm ended with 7") as string });
    expect(fs.existsSync(path.join(embedOf(place), "allowed.json"))).toBe(false);
  });
});
