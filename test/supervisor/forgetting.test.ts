/** Forgetting: what is named is nowhere any more, does not come back, and nothing else goes. */
import { describe, expect, test } from "vitest";
import { OWNER } from "../../src/model/address.js";
import type { JobOutcome, JobResult } from "../../src/model/work.js";
import { systemClock } from "../../src/platform/clock.js";
import type { ForgetRequest } from "../../src/supervisor/forgetting.js";
import { extractive, instant, said } from "../support/archive-desk.js";
import { openStage, type Stage } from "../support/stage.js";

const NOW = "2026-03-02T12:00:00Z";
const SECRET = "zebrafish";
const OTHER = "marmalade";

type Options = Parameters<typeof openStage>[1];

const job = (more: object): object => ({
  version: 1,
  kind: "end",
  createdAt: NOW,
  user: "lin",
  scope: "main",
  session: "main",
  observations: [],
  ...more,
});

/** Two conversations; what is said in `s-1` holds the secret. */
const HISTORY = [
  said("old-1", "2026-01-05T10:00:00Z", `An ancient ${SECRET} swims`, { user: "lin", session: "s-1" }),
  said("old-2", "2026-01-05T10:01:00Z", `An ancient jar of ${OTHER}`, { user: "lin", session: "s-2" }),
  said("mid-1", "2026-02-10T10:00:00Z", `The ${SECRET} tank leaks`, { user: "lin", session: "s-1" }),
  said("mid-2", "2026-02-10T10:01:00Z", `The ${OTHER} jar is open`, { user: "lin", session: "s-2" }),
  said("new-1", "2026-03-02T11:00:00Z", `I like my ${SECRET} best`, { user: "lin", session: "s-1" }),
  said("new-2", "2026-03-02T11:01:00Z", `I like ${OTHER} on bread`, { user: "lin", session: "s-2" }),
];

const FILES = {
  "history.json": HISTORY,
  "inbox.json": [
    said("in-1", "2026-03-02T11:59:00Z", `Feed the ${SECRET}?`, { user: "lin", session: "s-1" }),
  ],
  "queue/pending/a.json": job({
    session: "s-1",
    memo: `Talked of the ${SECRET}.`,
    observations: [`lin likes the ${SECRET} in the kitchen.`],
  }),
  "queue/pending/b.json": job({
    session: "s-2",
    memo: `Talked of ${OTHER}.`,
    observations: [`lin likes ${OTHER} on toast.`],
  }),
  "queue/failed/c.json": job({ session: "s-1", observations: [`It was the ${SECRET}.`], error: "no" }),
  "conflicts/history.json.unreadable.1": `[{"id":"old-1","role":"user","session":"s-1","text":"An ancient ${SECRET} sw`,
  "memory.md": `# Notes\n\n- The owner wrote of a ${SECRET.toUpperCase()}.\n`,
};

async function opened(files: Record<string, unknown> = FILES, options: Options = {}): Promise<Stage> {
  const stage = await openStage(files, { clock: systemClock(instant(NOW)), ...options });
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.archiveNow();
  await rested(stage);
  return stage;
}

async function rested({ supervisor }: Stage): Promise<void> {
  await supervisor.idle();
  await supervisor.settled();
}

async function forget(stage: Stage, request: ForgetRequest): Promise<void> {
  await stage.supervisor.forget(request, false);
}

/** Every file with the word in its name or text. */
const holding = ({ disk }: Stage, word: string): string[] =>
  Object.entries(disk.files()).flatMap(([path, text]) =>
    path.startsWith("/w/") && (text.includes(word) || path.includes(word)) ? [path.slice("/w/".length)] : [],
  );

async function found(stage: Stage, word: string): Promise<string[]> {
  await stage.supervisor.settled();
  const { hits } = await stage.supervisor.search.find(word, OWNER, {});
  return hits.map(({ passage }) => passage.text).filter((text) => text.includes(word));
}

const LIKES = async (kind: {
  bullets: readonly string[];
  events: readonly { text: string }[];
}): Promise<unknown> => kind;
void LIKES;

describe("a session", () => {
  test("is nowhere any more, and the other one is where it was", async () => {
    const stage = await opened();
    expect(holding(stage, SECRET)).not.toEqual([]);
    await forget(stage, { session: "s-1" });
    expect(holding(stage, SECRET)).toEqual([]);
    expect(holding(stage, "s-1")).toEqual([]);
    expect(await found(stage, SECRET)).toEqual([]);
    await rested(stage);
    await stage.supervisor.archiveNow();
    await rested(stage);
    expect(holding(stage, SECRET)).toEqual([]);
    const standing = holding(stage, OTHER);
    for (const file of ["history.json", "memory/summary/2026-01.md", "memory/summary/2026-02-10.md"])
      expect(standing).toContain(file);
    expect(standing.some((file) => file.startsWith("memory/archive/2026-01/"))).toBe(true);
    expect(await found(stage, OTHER)).not.toEqual([]);
    expect(stage.read("memory.md")).toContain(SECRET.toUpperCase());
  });
});

void extractive;
export type Unused = JobOutcome<JobResult>;
