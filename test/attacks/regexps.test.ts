import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { hostileTo, regexpsIn, type Found } from "./regexps.js";

/** A pattern that is linear is through all its texts in a tenth of this. */
const PATIENCE_MS = 15_000;
const MATCHES = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", ({ source, flags, texts }) => {
    const pattern = new RegExp(source, flags);
    for (const text of texts) text.replace(pattern, "");
    parentPort.postMessage("done");
  });`;

/** False where it was still at it when patience was over. */
async function isThrough(
  worker: Worker,
  { source, flags }: Pick<Found, "source" | "flags">,
  patienceMs: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), patienceMs);
    worker.once("message", () => {
      clearTimeout(late);
      resolve(true);
    });
    worker.postMessage({ source, flags, texts: hostileTo({ source, flags }) });
  });
}

async function slowOf(patterns: readonly Found[], patienceMs = PATIENCE_MS): Promise<string[]> {
  const slow: string[] = [];
  let worker = new Worker(MATCHES, { eval: true });
  for (const pattern of patterns) {
    if (await isThrough(worker, pattern, patienceMs)) continue;
    slow.push(`${pattern.at} /${pattern.source}/${pattern.flags}`);
    await worker.terminate();
    worker = new Worker(MATCHES, { eval: true });
  }
  await worker.terminate();
  return slow;
}

test("no pattern of the sources is stopped by a long hostile text", async () => {
  const patterns = regexpsIn("src");
  expect(patterns.length).toBeGreaterThan(400);
  expect(await slowOf(patterns)).toEqual([]);
}, 240_000);

test("a pattern that can be stopped is told", async () => {
  const slow = (source: string): Found => ({ at: "planted", source, flags: "g" });
  expect(await slowOf([slow(String.raw`^(?:a+)+$`)], 2000)).toHaveLength(1);
  expect(await slowOf([slow(String.raw`\{\{\s*([^{}]*?)\s*\}\}`)], 2000)).toHaveLength(1);
}, 90_000);
