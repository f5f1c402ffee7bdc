/**
 * Many workspaces behind one socket and one port: whatever is asked, however it is named, an answer holds nothing of
 * another workspace than the one that was asked. `READS=100000` for a long look.
 */
import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Fleet } from "../../src/daemon/fleet.js";
import { systemClock } from "../../src/platform/clock.js";
import { ask } from "../../src/platform/http.js";
import { socketPath } from "../../src/platform/owner.js";
import { onlyReads } from "../../src/service/reading.js";
import { SERVED } from "../../src/service/runs.js";
import { randomOf } from "../faults/random.js";
import { record, recordLines } from "../support/records.js";
import { tempDir } from "../support/temp-dir.js";

const READS = Number(process.env["READS"] ?? 3000);
const AT_ONCE = 20;
const NAMES = ["red/lin", "red/mara", "blue"] as const;
type Name = (typeof NAMES)[number];
/** Words of each that stand nowhere else. */
const WORDS = /zq[a-z]+qz/g;
const wordsOf = (name: Name): string[] =>
  ["said", "kept", "pinned"].map((kind) => `zq${kind}${name.replaceAll(/[^a-z]/g, "")}qz`);
const ALL_WORDS = NAMES.flatMap(wordsOf);

function written(root: string, name: Name): void {
  const [said = "", kept = "", pinned = ""] = wordsOf(name);
  const files: Record<string, string> = {
    "workspace.json": JSON.stringify({ format: 1, id: name }),
    "memory.md": `# Memory\n\n- The ferry is called ${pinned}.\n`,
    "memory/records/2026-02.jsonl": recordLines(record("a", `The ferry sank at ${kept}.`)),
    "history.json": JSON.stringify([
      { id: "m-1", role: "user", text: `The ferry ${said} is late.`, createdAt: "2026-02-10T10:00:00Z" },
    ]),
  };
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name, file)), { recursive: true });
    fs.writeFileSync(path.join(root, name, file), text);
  }
}

interface Asked {
  of: Name;
  status: number;
  text: string;
}

test(`${READS} questions, and not a word of another workspace`, { timeout: 1_800_000 }, async () => {
  const outside = tempDir();
  const root = path.join(outside, "root");
  for (const name of ["XDG_RUNTIME_DIR", "HOME", "XDG_CONFIG_HOME"]) vi.stubEnv(name, outside);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of NAMES) written(root, name);
  const fleet = new Fleet({ root, clock: systemClock(), port: 0, tell: () => undefined });
  onTestFinished(() => fleet.stop());
  await fleet.start();
  await fleet.settled();
  const sockets = new Map<string, string>();
  for (const name of NAMES) sockets.set(name, await socketPath(path.join(root, name)));
  const tokenOf = (name: Name): string =>
    fs.readFileSync(path.join(root, name, ".memd/token"), "utf8").trim();
  const base = `http://127.0.0.1:${fleet.port ?? 0}`;
  const chance = randomOf(4711);
  const one = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T;
  const rows = SERVED.filter(({ name }) => onlyReads(name));

  const asked = async (): Promise<Asked> => {
    const of = one(NAMES);
    const row = one(rows);
    const isSearch = "query" in row.input.shape;
    const body = {
      ...row.example,
      ...(isSearch && { query: `${one(["ferry", "sank"])} ${one(ALL_WORDS)}` }),
    };
    const call = `/operations/${row.name}`;
    const named = one([encodeURIComponent(of), encodeURIComponent(of), one(NAMES), `${of}/../blue`, "", "."]);
    switch (one(["own", "root", "port"] as const)) {
      case "own": {
        const { status, body: answer } = await ask(sockets.get(of) ?? "", "POST", call, body);
        return { of, status, text: JSON.stringify(answer) };
      }
      case "root": {
        // A path that names another is the other's, whichever socket it is asked on.
        const { status, body: answer } = await ask(
          await socketPath(root),
          "POST",
          `/w/${encodeURIComponent(of)}${call}`,
          body,
        );
        return { of, status, text: JSON.stringify(answer) };
      }
      case "port": {
        const answer = await fetch(`${base}/w/${named}${call}`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${tokenOf(of)}` },
          body: JSON.stringify(body),
        });
        return { of, status: answer.status, text: await answer.text() };
      }
    }
  };

  const foreign: Asked[] = [];
  let own = 0;
  for (let reads = 0; reads < READS; reads += AT_ONCE) {
    for (const answer of await Promise.all(Array.from({ length: AT_ONCE }, asked))) {
      const mine = new Set(wordsOf(answer.of));
      // What was looked for may stand in a remark on it.
      const told = (answer.text.match(WORDS) ?? []).filter((word) => ALL_WORDS.includes(word));
      if (answer.status === 200) own += told.filter((word) => mine.has(word)).length;
      if (told.some((word) => !mine.has(word)) && answer.status === 200) foreign.push(answer);
    }
  }
  expect(foreign.slice(0, 3)).toEqual([]);
  expect(own).toBeGreaterThan(READS / 10);
});
