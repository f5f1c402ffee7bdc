/**
 * What remembering costs the one who waits: `say` and `end` of the library
 * beside a bare durable write of the same bytes (temporary file, fsync, rename,
 * fsync of the folder), taking turns on one file system in one run.
 */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { openWorkspace } from "../src/library/memory.js";
import { printWorkspaceFile } from "../src/protocol/workspace-file.js";
import { bareWrite } from "./bare.js";
import { hundredths, percentile } from "./stall.js";

const ROUNDS = 2000;
const WARM_UP = 50;
const TEXT = "The staging database moved to port 5433 behind the bastion. 部署超时，改到周五。 ".repeat(3);

type Figure = "say" | "end" | "bare";

export async function benchEnqueue(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const rounds = Number(options.get("rounds") ?? ROUNDS);
  const root = await fs.mkdtemp(path.join(path.resolve(options.get("dir") ?? os.tmpdir()), "memd-bench-"));
  try {
    await fs.writeFile(path.join(root, "workspace.json"), printWorkspaceFile("bench"));
    const { bytes, writes } = await subjects(root);
    const taken: Record<Figure, number[]> = { say: [], end: [], bare: [] };
    const order: Figure[] = ["bare", "say", "end"];
    for (let round = -WARM_UP; round < rounds; round++) {
      for (const name of order) {
        const started = performance.now();
        await writes[name]();
        if (round >= 0) taken[name].push(performance.now() - started);
      }
      // Nobody always follows the same one.
      order.push(order.shift() ?? "bare");
      if (round % 2 === 0) order.reverse();
    }
    return { rounds, bytes, dir: path.dirname(root), ...figuresOf(taken) };
  } finally {
    await fs.rm(root, { recursive: true, force: true });
  }
}

/** The three writes, each of one file of (nearly) the same length in a folder of its own. */
async function subjects(
  root: string,
): Promise<{ bytes: number; writes: Record<Figure, () => Promise<unknown>> }> {
  const memory = await openWorkspace(root);
  const end = { memo: "Answered about staging.", observations: [TEXT.slice(0, 90), TEXT.slice(90)] };
  const said = await memory.say({ text: TEXT });
  const ended = await memory.end(end);
  const content = await fs.readFile(path.join(root, "inbox.d", `${said}.json`));
  const job = await fs.readFile(path.join(root, "queue", "pending", `${ended ?? ""}.json`));
  const padding = " ".repeat(Math.max(0, job.length - content.length));
  const dir = path.join(root, "bare");
  await fs.mkdir(dir);
  let next = 0;
  return {
    bytes: Math.max(job.length, content.length),
    writes: {
      say: () => memory.say({ text: TEXT + padding }),
      end: () => memory.end(end),
      bare: () =>
        bareWrite(
          path.join(dir, `2026-01-28T06-03-22-104Z-${next++}.json`),
          Buffer.from(padding + content.toString()),
        ),
    },
  };
}

function figuresOf(taken: Readonly<Record<Figure, readonly number[]>>): Record<string, number> {
  const p50 = (name: Figure): number => percentile(taken[name], 0.5);
  const p95 = (name: Figure): number => percentile(taken[name], 0.95);
  const ratios = {
    say_ratio_p50: p50("say") / p50("bare"),
    say_ratio_p95: p95("say") / p95("bare"),
    end_ratio_p50: p50("end") / p50("bare"),
    end_ratio_p95: p95("end") / p95("bare"),
  };
  const figures = {
    say_p50_ms: p50("say"),
    say_p95_ms: p95("say"),
    end_p50_ms: p50("end"),
    end_p95_ms: p95("end"),
    bare_p50_ms: p50("bare"),
    bare_p95_ms: p95("bare"),
    ...ratios,
    ratio_p50: Math.max(ratios.say_ratio_p50, ratios.end_ratio_p50),
    ratio_p95: Math.max(ratios.say_ratio_p95, ratios.end_ratio_p95),
  };
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, hundredths(value)]));
}
