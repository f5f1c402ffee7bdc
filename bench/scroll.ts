/**
 * `bench scroll`: a year of 20,000 messages in the page, from its first day to its last, in a real browser over a real
 * daemon: the longest frame, and what the tab takes at most. `--messages 20000 --runs 5 --step 400` (pixels a frame).
 */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { MAIN_SCOPE } from "../src/model/address.js";
import type { Day } from "../src/model/time.js";
import { printWorkspaceFile } from "../src/protocol/workspace-file.js";
import { randomOf } from "../test/faults/random.js";
import { openBrowser } from "../test/page/browser.js";
import { writeScope } from "./search/corpus.js";
import { type Daemon, startDaemon } from "./search/daemon.js";
import { median, percentile, rounded } from "./stall.js";

const MESSAGES = 20_000;
const RUNS = 5;
/** Somebody who holds the key for the next page down. */
const STEP_PX = 400;
const DAYS = 365;
const FIRST_DAY = "2025-01-01";
const LAST_DAY = "2025-12-31" as Day;
const LOOKED_EVERY_MS = 1000;
/** A browser without a screen at times draws no more, whatever asks for a frame: such a run is none. */
const STALLED_MS = 10_000;
const MOST_STALLS = 5;

export async function benchScroll(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const messages = Number(options.get("messages") ?? MESSAGES);
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-scroll-"));
  const root = path.join(home, "workspace");
  let stalls = 0;
  let daemon: Daemon | undefined;
  try {
    const spread = { perDay: Math.ceil(messages / DAYS), lastDay: LAST_DAY };
    await writeScope(root, MAIN_SCOPE, messages, randomOf(messages), spread);
    await fs.writeFile(path.join(root, "workspace.json"), printWorkspaceFile("bench"));
    const running = (daemon = await startDaemon(home, root));
    const step = Number(options.get("step") ?? STEP_PX);
    const whole = async (isCounted: boolean): Promise<Run> => {
      for (;;) {
        const run = await inOwnBrowser((browser) => scrolled(browser, running, step, isCounted));
        if (run !== undefined) return run;
        if (++stalls > MOST_STALLS) throw new Error("The browser draws no frames.");
      }
    };
    const runs: Run[] = [];
    for (let run = 0; run < Number(options.get("runs") ?? RUNS); run++) runs.push(await whole(false));
    // Once more: whoever counts what a tab takes holds it up.
    const { heapMb, tabMb } = await whole(true);
    return {
      messages,
      step_px: step,
      height_px: median(runs.map(({ height }) => height)),
      longest_frame_ms: rounded(median(runs.map(({ frames }) => Math.max(...frames)))),
      longest_frames_ms: runs.map(({ frames }) => rounded(Math.max(...frames))),
      p99_frame_ms: rounded(median(runs.map(({ frames }) => percentile(frames, 0.99)))),
      frames: median(runs.map(({ frames }) => frames.length)),
      heap_mb: heapMb,
      tab_mb: tabMb,
      seen: Math.min(...runs.map(({ seen }) => seen)),
      stalls,
    };
  } finally {
    await daemon?.stop();
    await fs.rm(home, { recursive: true, force: true });
  }
}

interface Run {
  /** Milliseconds from each frame to the next. */
  frames: number[];
  height: number;
  heapMb: number;
  /** What the tab's process has for itself alone; 0 where it was not counted, as the heap. */
  tabMb: number;
  /** How many different messages stood in the page. */
  seen: number;
}

/** One step a frame; at the end it is waited for what still comes. */
const SCROLL = (step: number): string => `
  window.frames_ = [];
  window.seen_ = new Set();
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const time of node.querySelectorAll(".said time")) window.seen_.add(time.dateTime);
  }).observe(document.querySelector("main"), { childList: true, subtree: true });
  let last;
  const frame = (now) => {
    if (last !== undefined) window.frames_.push(now - last);
    last = now;
    const { scrollHeight } = document.documentElement;
    if (scrollY + innerHeight >= scrollHeight - 1) return void (window.end_ = scrollHeight);
    scrollBy({ top: ${step}, behavior: "instant" });
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);`;

async function inOwnBrowser<T>(use: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await openBrowser();
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

/** Undefined where the browser stalled. */
async function scrolled(
  browser: Browser,
  daemon: Daemon,
  step: number,
  isCounted: boolean,
): Promise<Run | undefined> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  try {
    const page = await context.newPage();
    const { url } = await daemon.ask<{ url: string }>("POST", "/page", {});
    await page.goto(url);
    await page.locator("main .sections summary").first().waitFor();
    await page.evaluate(`location.hash = "#/time?day=${FIRST_DAY}"`);
    await page.locator("main .said li").first().waitFor();
    // Until it holds the day no more that it was led to.
    await page.waitForTimeout(LOOKED_EVERY_MS);
    const processes = await browser.newBrowserCDPSession();
    await page.evaluate(SCROLL(step));
    let [heapMb, tabMb] = [0, 0];
    let height: number | undefined;
    let [drawn, drawnAt] = [0, performance.now()];
    while (height === undefined) {
      await page.waitForTimeout(LOOKED_EVERY_MS);
      const frames = await page.evaluate<number>("window.frames_.length");
      if (frames > drawn) [drawn, drawnAt] = [frames, performance.now()];
      else if (performance.now() - drawnAt > STALLED_MS) return undefined;
      if (isCounted) {
        heapMb = Math.max(heapMb, await heapOf(page));
        const { processInfo } = await processes.send("SystemInfo.getProcessInfo");
        const tabs = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => privateMb(id));
        tabMb = Math.max(tabMb, ...(await Promise.all(tabs)));
      }
      height = await page.evaluate<number | undefined>("window.end_");
    }
    const frames = await page.evaluate<number[]>("window.frames_");
    const seen = await page.evaluate<number>("window.seen_.size");
    return { frames, height, heapMb, tabMb, seen };
  } finally {
    await context.close();
  }
}

async function heapOf(page: Page): Promise<number> {
  return Math.round((await page.evaluate<number>("performance.memory.usedJSHeapSize")) / 1e6);
}

/** Of Linux. */
async function privateMb(pid: number): Promise<number> {
  const rollup = await fs.readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  const kilobytes = [...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+)/gm)].map(([, size]) =>
    Number(size),
  );
  return Math.round(kilobytes.reduce((sum, size) => sum + size, 0) / 1000);
}
