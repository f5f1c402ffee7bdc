/** Whatever a newcomer has comes in through one command, once, however often it is given. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { generate, KINDS } from "../adapters/generator/index.js";
import { cliPlace } from "../support/cli.js";
import { blocksOf } from "../support/cli-memory.js";

const SESSIONS = 4;

test("the stores of every kind, in one command, three times", async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "memd-kinds-"));
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }));
  const kinds = KINDS.filter((kind) => kind !== "memd");
  const made = await Promise.all(
    kinds.map((kind) => generate(kind, path.join(home, kind), { seed: 7, sessions: SESSIONS })),
  );
  const place = cliPlace();
  const paths = made.flatMap((one) => one.paths);
  const take = async (): Promise<unknown> => {
    const ended = await place.memd(["import", "--json", ...paths]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    return JSON.parse(ended.stdout);
  };
  const said = made.flatMap(({ messages }) => messages.map(({ role, text }) => `${role}: ${text}`));
  expect(await take()).toMatchObject({ messages: said.length, fresh: said.length });
  const blocks = blocksOf(place).map(({ message: { role, text } }) =>
    role === "user" ? `user: ${text}` : `assistant: ${text}`,
  );
  expect(blocks.sort()).toEqual(said.sort());
  const standing = place.snapshot("memory");
  expect(await take()).toMatchObject({ fresh: 0, documents: 0 });
  for (const file of fs.readdirSync(home, { recursive: true, encoding: "utf8" }))
    fs.utimesSync(path.join(home, file), new Date(), new Date());
  expect(await take()).toMatchObject({ fresh: 0, documents: 0 });
  expect(place.snapshot("memory")).toEqual(standing);
}, 300_000);
