import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { isMemdError, openWorkspace } from "../../src/library/memd.js";
import { parseMessage } from "../../src/protocol/message.js";
import { parseQueueJob } from "../../src/protocol/queue-job.js";
import { printWorkspaceFile } from "../../src/protocol/workspace-file.js";
import { isRelative, packageOf, readModule } from "../house/imports.js";
import { typescriptIn } from "../house/sources.js";
import { tempDir } from "../support/temp-dir.js";

function workspace(): string {
  const root = tempDir();
  fs.writeFileSync(path.join(root, "workspace.json"), printWorkspaceFile("library"));
  return root;
}

test("a message is one file in inbox.d/ under its id", async () => {
  const root = workspace();
  const memory = await openWorkspace(root);
  expect(memory.folder).toBe(root);
  const id = await memory.say({ text: "the ferry leaves at nine", speaker: "Lin", mood: "calm" });
  expect(filesIn(root)).toEqual([`inbox.d/${id}.json`, "workspace.json"]);
  const file = path.join(root, "inbox.d", `${id}.json`);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(parseMessage(JSON.parse(fs.readFileSync(file, "utf8")))).toMatchObject({
    role: "user",
    text: "the ferry leaves at nine",
    speaker: "Lin",
    extra: { mood: "calm" },
  });
});

test("the end of a turn is one file in queue/pending/ under its id; nothing to keep is no file", async () => {
  const root = workspace();
  const memory = await openWorkspace(root);
  expect(await memory.end({ memo: " ", observations: [""] })).toBeUndefined();
  expect(filesIn(root)).toEqual(["workspace.json"]);
  const id = await memory.end({ memo: "Moved the release.", observations: ["The release is on Friday."] });
  expect(id).toMatch(/-[a-z0-9]{8}$/);
  expect(filesIn(root)).toEqual([`queue/pending/${id}.json`, "workspace.json"]);
  expect(
    parseQueueJob(fs.readFileSync(path.join(root, "queue/pending", `${id}.json`), "utf8")),
  ).toMatchObject({
    is: "job",
    job: { memo: "Moved the release.", observations: ["The release is on Friday."], user: "local" },
  });
});

test("what is said at once keeps its order by name, and every file of it is there", async () => {
  const root = workspace();
  const memory = await openWorkspace(root);
  const texts = Array.from({ length: 200 }, (_unused, index) => `message ${index}`);
  const ids = await Promise.all(texts.map((text) => memory.say({ text })));
  expect([...ids].sort()).toEqual(ids);
  const jobs = await Promise.all(texts.slice(0, 20).map((memo) => memory.end({ memo })));
  expect([...jobs].sort()).toEqual(jobs);
  const names = fs.readdirSync(path.join(root, "inbox.d")).sort();
  const standing = names.map(
    (name) =>
      (JSON.parse(fs.readFileSync(path.join(root, "inbox.d", name), "utf8")) as { text: string }).text,
  );
  expect(standing).toEqual(texts);
});

test("what cannot be taken is refused in a sentence, and nothing is written", async () => {
  const root = workspace();
  const memory = await openWorkspace(root);
  await expect(memory.say({ text: " " })).rejects.toMatchObject({
    code: "value_invalid",
    message: '"text" must be more than blanks.',
    advice: expect.stringContaining("nothing was written") as string,
  });
  await expect(memory.end({ memo: "x", scope: "" })).rejects.toMatchObject({ code: "value_invalid" });
  const trouble: unknown = await memory.say({ text: "" }).catch((error: unknown) => error);
  expect([isMemdError(trouble, "value_invalid"), isMemdError(trouble, "disk_full")]).toEqual([true, false]);
  expect(filesIn(root)).toEqual(["workspace.json"]);
});

test("a folder that is no workspace is told apart from one that cannot be read", async () => {
  const root = tempDir();
  await expect(openWorkspace(path.join(root, "nowhere"))).rejects.toMatchObject({ code: "no_workspace" });
  await expect(openWorkspace(root)).rejects.toMatchObject({
    code: "no_workspace",
    advice: expect.stringContaining("memd init") as string,
  });
  fs.writeFileSync(path.join(root, "workspace.json"), "{");
  await expect(openWorkspace(root)).rejects.toMatchObject({ code: "workspace_unreadable" });
  fs.writeFileSync(path.join(root, "workspace.json"), '{"format": 99, "id": "x"}');
  await expect(openWorkspace(root)).rejects.toMatchObject({ code: "workspace_newer" });
  expect(filesIn(root)).toEqual(["workspace.json"]);
});

test("loading it loads no stage, no supervisor, no index, no schemas and no package", () => {
  const { folders, packages } = loadedBy("library/memd.ts");
  expect([...folders].sort()).toEqual(["library", "model", "platform", "protocol", "service"]);
  expect([...packages].filter((name) => !name.startsWith("node:"))).toEqual([]);
});

test("what it loads is found by its imports", () => {
  const { folders, packages } = loadedBy("daemon/own.ts");
  expect([...folders]).toEqual(expect.arrayContaining(["supervisor", "serve", "recall"]));
  expect([...packages]).toEqual(expect.arrayContaining(["hono", "zod"]));
});

/** Folders of src/ and packages that are there once a file has been imported. */
function loadedBy(entry: string): { folders: Set<string>; packages: Set<string> } {
  const sources = typescriptIn("src");
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const { specifier, kind } of readModule(file, sources.get(file) ?? "").imports) {
      if (kind !== "value") continue;
      if (!isRelative(specifier)) packages.add(packageOf(specifier));
      else files.add(path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, ".ts"));
    }
  }
  return { folders: new Set([...files].map((file) => file.split("/")[0] ?? "")), packages };
}

function filesIn(root: string): string[] {
  return fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}
