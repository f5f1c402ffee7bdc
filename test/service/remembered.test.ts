/** What is remembered of somebody who is not the owner: theirs alone, as an agent's word. */
import { expect, test } from "vitest";
import { OWNER, type ScopeId, type Viewer, viewerAt } from "../../src/model/address.js";
import { SERVED } from "../../src/service/runs.js";
import type { Memd } from "../../src/service/memd.js";
import { searchMemories } from "../../src/service/questions.js";
import { record, recordLines } from "../support/records.js";
import { openStage } from "../support/stage.js";

interface Entries {
  entries: { number: number; text: string; id: string; heading?: string }[];
}

async function memory(files: Record<string, unknown> = {}) {
  const { supervisor: memd, disk } = await openStage(files);
  await memd.start({ watch: false, work: false });
  const ask = async <T = unknown>(as: string | undefined, name: string, asked: object = {}): Promise<T> => {
    const served = SERVED.find((one) => one.name === name);
    const service = { memd, socket: "/none", stop: () => undefined };
    return (await served?.answer(service, as === undefined ? asked : { as, ...asked })) as T;
  };
  const listed = async (as?: string): Promise<string[]> =>
    (await ask<Entries>(as, "listPinned")).entries.map(({ number, text }) => `${number} ${text}`);
  const read = async (file: string): Promise<string> =>
    new TextDecoder().decode(await disk.read(`/w/${file}`));
  return { memd, ask, listed, read };
}

const found = async (memd: Memd, viewer: Viewer): Promise<string[]> =>
  (await searchMemories(memd, viewer, { query: "rooibos", memory_types: ["fact"] })).hits.map(
    ({ passage }) => `${passage.trust} ${passage.text}`,
  );
const at = (user: string, scope: string): Viewer =>
  viewerAt({ user, scope: scope as ScopeId, session: "main" });

test("is a fact of that user, wherever they are, found by them and nobody else; memory.md stays as it was", async () => {
  const { memd, ask, listed, read } = await memory({ "memory.md": "- Ours.\n" });
  const said = await ask("lin/main", "addPinned", { text: "Lin drinks rooibos." });
  expect(said).toMatchObject({ added: true, entry: { number: 1, text: "Lin drinks rooibos." } });
  expect(await ask("lin/harbor", "addPinned", { text: "Lin drinks rooibos." })).toMatchObject({
    added: false,
  });
  expect(await listed("lin/harbor")).toEqual(["1 Lin drinks rooibos."]);
  expect(await listed("wei/main")).toEqual([]);
  expect(await listed()).toEqual(["1 Ours."]);
  expect(await listed("local/main")).toEqual(["1 Ours."]);
  expect(await read("memory.md")).toBe("- Ours.\n");
  expect(await found(memd, at("lin", "harbor"))).toEqual(["agent Lin drinks rooibos."]);
  expect(await found(memd, at("wei", "main"))).toEqual([]);
  expect(await found(memd, OWNER)).toEqual(["agent Lin drinks rooibos."]);
});

test.each([undefined, "lin/main"])("nothing is written over that was not seen, as %s", async (as) => {
  const { ask, listed } = await memory();
  await ask(as, "addPinned", { text: "Lin drinks rooibos." });
  await ask(as, "updatePinned", { entry: 1, text: "Lin drinks tea.", shown: "Lin drinks rooibos." });
  for (const [name, more] of [
    ["updatePinned", { text: "Lin drinks water." }],
    ["removePinned", {}],
  ] as const)
    await expect(ask(as, name, { entry: 1, shown: "Lin drinks rooibos.", ...more })).rejects.toMatchObject({
      code: "entry_changed",
    });
  expect(await listed(as)).toEqual(["1 Lin drinks tea."]);
  await ask(as, "removePinned", { entry: 1, shown: "Lin drinks tea." });
  expect(await listed(as)).toEqual([]);
});

test("is changed and removed by them alone, and what else is known of them is not", async () => {
  const trait = record("job_1", "Lin sails on rooibos.", { kind: "fact", level: "user", user: "lin" });
  const { memd, ask, listed } = await memory({ "memory/records/users/lin.jsonl": recordLines(trait) });
  await ask("lin/main", "addPinned", { text: "Lin drinks rooibos." });
  await ask("lin/main", "addPinned", { text: "Lin has a cat." });
  expect(await listed("lin/main")).toEqual(["1 Lin drinks rooibos.", "2 Lin has a cat."]);
  for (const [who, entry] of [
    ["wei/main", 1],
    ["wei/main", "rooibos"],
    ["lin/main", "sails"],
    ["lin/main", "job_1"],
    ["lin/main", 3],
  ] as const)
    await expect(ask(who, "removePinned", { entry })).rejects.toMatchObject({ code: "entry_unknown" });
  await ask("lin/main", "updatePinned", { entry: 1, text: "Lin drinks rooibos at night." });
  expect(await listed("lin/main")).toEqual(["1 Lin drinks rooibos at night.", "2 Lin has a cat."]);
  await ask("lin/main", "removePinned", { entry: "rooibos" });
  expect(await listed("lin/main")).toEqual(["1 Lin has a cat."]);
  expect(await found(memd, OWNER)).toEqual(["human Lin sails on rooibos."]);
});

test("what cannot be remembered is refused, and nothing is written", async () => {
  const { ask, listed } = await memory();
  await expect(ask("lin", "addPinned", { text: " " })).rejects.toMatchObject({ code: "value_invalid" });
  await expect(ask("lin", "addPinned", { text: "x", heading: "Notes" })).rejects.toMatchObject({
    code: "value_invalid",
  });
  await expect(ask("lin", "updatePinned", { entry: 1, text: "x" })).rejects.toMatchObject({
    code: "entry_unknown",
  });
  expect(await listed("lin")).toEqual([]);
});

test("a turn that is ended on somebody's behalf is of where they are", async () => {
  const { ask, read } = await memory();
  await ask("lin/harbor/s-1", "end", { memo: "Looked up the ferries." });
  await ask("lin/harbor/s-1", "end", { memo: "Once more.", user: "lin", scope: "harbor" });
  const jobs = await Promise.all(
    (await ask<{ jobs: { id: string }[] }>(undefined, "listQueue")).jobs.map(({ id }) =>
      ask(undefined, "showJob", { id }),
    ),
  );
  for (const job of jobs) expect(JSON.stringify(job)).toMatch(/"harbor".*"s-1"|"s-1".*"harbor"/);
  expect(await read("memory/scopes/harbor/memos.json").catch(() => "")).toBeDefined();
  for (const other of [{ user: "wei" }, { scope: "main" }, { session: "s-2" }])
    await expect(ask("lin/harbor/s-1", "end", { memo: "x", ...other })).rejects.toMatchObject({
      code: "refused",
    });
});
