/** The memory slot in a file on a disk, and the note of who had it. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { connectHost, disconnectHost } from "../../../src/adapters/connecting.js";
import { hostNamed } from "../../../src/adapters/hosts.js";
import { treeOf, valueOf } from "../../../src/adapters/json-tree.js";
import { makeWorkspace } from "../../../src/cli/make-workspace.js";
import { ownerless } from "../../../src/platform/node-disk.js";
import { tempDir } from "../../support/temp-dir.js";

const OWN = "{\n  // mine\n  plugins: { slots: { memory: 'memory-lancedb' } },\n}\n";

/** An OpenClaw with these settings, and what memd does to them. */
async function openclawWith(text: string) {
  const home = fs.realpathSync(tempDir());
  const workspace = { root: path.join(home, "memd") };
  fs.mkdirSync(workspace.root);
  await makeWorkspace(workspace.root, false);
  fs.mkdirSync(path.join(home, ".openclaw"));
  const file = path.join(home, ".openclaw/openclaw.json");
  fs.writeFileSync(file, text);
  const host = hostNamed("openclaw", { home, environment: {} });
  const program = { node: process.execPath, script: path.join(home, "bin/memd.js") };
  return {
    read: () => fs.readFileSync(file, "utf8"),
    value: () => valueOf(treeOf(fs.readFileSync(file, "utf8"))) as { plugins: { slots: { memory: string } } },
    write: (value: object) => fs.writeFileSync(file, JSON.stringify(value)),
    connect: () => connectHost(ownerless, host, { program, workspace: workspace.root }, workspace),
    disconnect: () => disconnectHost(ownerless, host),
  };
}

test("the plugin that had it has it again, byte for byte", async () => {
  const openclaw = await openclawWith(OWN);
  await openclaw.connect();
  expect(openclaw.value().plugins.slots.memory).toBe("memd");
  await openclaw.connect();
  await openclaw.disconnect();
  expect(openclaw.read()).toBe(OWN);
});

test.each([
  ["memd", "memory-lancedb"],
  ["honcho", "honcho"],
])("also where all was written anew in between: of %s it is %s", async (later, then) => {
  const openclaw = await openclawWith(OWN);
  await openclaw.connect();
  const anew = openclaw.value();
  anew.plugins.slots.memory = later;
  openclaw.write({ ...anew, more: 1 });
  await openclaw.disconnect();
  expect(openclaw.value()).toEqual({ plugins: { slots: { memory: then } }, more: 1 });
});

test("one that it was given to in between is noted when memd has it again", async () => {
  const openclaw = await openclawWith(OWN);
  await openclaw.connect();
  const anew = openclaw.value();
  anew.plugins.slots.memory = "honcho";
  openclaw.write(anew);
  await openclaw.connect();
  expect(openclaw.value().plugins.slots.memory).toBe("memd");
  await openclaw.disconnect();
  expect(openclaw.value()).toEqual({ plugins: { slots: { memory: "honcho" } } });
});

test("where nobody had it, nobody has it again", async () => {
  for (const text of ['{"plugins":{"slots":{}}}', "{}", '{"plugins":{"allow":["whatsapp"]}}']) {
    const openclaw = await openclawWith(text);
    await openclaw.connect();
    await openclaw.disconnect();
    expect(openclaw.read()).toBe(text);
  }
});
