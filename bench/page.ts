/**
 * `bench page`: the page in a real browser, over a real daemon: how long until the first view shows the prompt, in
 * a window that has never seen it, while a message waits, and how long from a letter that is typed to what it finds
 * being painted; beside an empty page that the same browser opens from the same memd. `--passages 10000 --rounds 9 --questions 20`.
 */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { MAIN_SCOPE } from "../src/model/address.js";
import { printWorkspaceFile } from "../src/protocol/workspace-file.js";
import { randomOf } from "../test/faults/random.js";
import { openBrowser } from "../test/page/browser.js";
import { writeScope } from "./search/corpus.js";
import { type Daemon, startDaemon } from "./search/daemon.js";
import { percentiles, questionsOf } from "./search/questions.js";
import { median, rounded } from "./stall.js";

const PASSAGES = 10_000;
const ROUNDS = 9;
const QUESTIONS = 20;
/** Somebody who types fast. */
const BETWEEN_LETTERS_MS = 60;
const PATIENCE_MS = 20_000;
const LOOKED_EVERY_MS = 50;

export async function benchPage(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const passages = Number(options.get("passages") ?? PASSAGES);
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-page-"));
  const root = path.join(home, "workspace");
  const chance = randomOf(passages);
  const browser = await openBrowser();
  let daemon: Daemon | undefined;
  try {
    await writeScope(root, MAIN_SCOPE, passages, chance);
    await fs.writeFile(path.join(root, "workspace.json"), printWorkspaceFile("bench"));
    const [waiting = ""] = questionsOf(1, chance);
    await fs.writeFile(path.join(root, "inbox.json"), JSON.stringify([{ role: "user", content: waiting }]));
    daemon = await startDaemon(home, root);
    const running = daemon;
    await running.ask("POST", "/archive", {});
    const rounds = Number(options.get("rounds") ?? ROUNDS);
    const empty = await times(rounds, () => emptyView(browser, running));
    const first = await times(rounds, () => firstView(browser, running));
    const typed = await typing(
      browser,
      running,
      questionsOf(Number(options.get("questions") ?? QUESTIONS), chance),
    );
    return {
      passages,
      empty_page_ms: rounded(median(empty)),
      first_view_ms: rounded(median(first)),
      first_view_longest_ms: rounded(Math.max(...first)),
      letters: typed.length,
      ...percentiles(typed),
    };
  } finally {
    await browser.close();
    await daemon?.stop();
    await fs.rm(home, { recursive: true, force: true });
  }
}

async function times(rounds: number, of: () => Promise<number>): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) taken.push(await of());
  return taken;
}

const addressOf = async (daemon: Daemon): Promise<string> =>
  (await daemon.ask<{ url: string }>("POST", "/page", {})).url;

/** Noted in the page: when this is there and painted, since the address was asked for. */
const WHEN_SHOWN = (selector: string): string => `
  new MutationObserver((_, observer) => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.shownAt = performance.now())));
  }).observe(document, { childList: true, subtree: true });`;

async function firstView(browser: Browser, daemon: Daemon): Promise<number> {
  return shown(browser, await addressOf(daemon), "main .sections summary");
}

/** What the browser itself takes: nothing but a picture is asked for. */
async function emptyView(browser: Browser, daemon: Daemon): Promise<number> {
  return shown(browser, new URL("/icon.svg", await addressOf(daemon)).href, "svg");
}

async function shown(browser: Browser, url: string, selector: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.addInitScript(WHEN_SHOWN(selector));
    await page.goto(url);
    return await until<number>(page, "window.shownAt");
  } finally {
    await context.close();
  }
}

/** From each letter on, as long as nobody has typed the next: until what it finds is painted. */
const WHEN_FOUND = `
  window.found = [];
  let typedAt;
  addEventListener("input", () => (typedAt = performance.now()), true);
  const fetched = window.fetch;
  window.fetch = async (target, options) => {
    const answer = await fetched(target, options);
    if (!String(target).endsWith("/searchMemories")) return answer;
    const { query } = JSON.parse(options.body);
    const json = answer.json.bind(answer);
    answer.json = async () => {
      const told = await json();
      requestAnimationFrame(() => setTimeout(() => {
        if (document.getElementById("query").value === query) window.found.push([query, performance.now() - typedAt]);
      }));
      return told;
    };
    return answer;
  };`;

async function typing(browser: Browser, daemon: Daemon, questions: readonly string[]): Promise<number[]> {
  const page = await browser.newPage();
  await page.addInitScript(WHEN_FOUND);
  await page.goto(await addressOf(daemon));
  await page.locator("main .sections summary").first().waitFor();
  await page.evaluate("location.hash = '#/search'");
  const box = page.locator("#query");
  for (const question of questions) {
    await box.fill("");
    await box.pressSequentially(question, { delay: BETWEEN_LETTERS_MS });
    await until(page, `window.found.some(([query]) => query === ${JSON.stringify(question)})`);
  }
  const found = await page.evaluate<[string, number][]>("window.found");
  await page.close();
  return found.map(([, taken]) => taken);
}

/** Asked from outside: the page lets nobody evaluate a text. */
async function until<T>(page: Page, expression: string): Promise<T> {
  for (const late = Date.now() + PATIENCE_MS; Date.now() < late; await page.waitForTimeout(LOOKED_EVERY_MS)) {
    const value = await page.evaluate<T | undefined | false>(expression);
    if (value !== undefined && value !== false) return value;
  }
  throw new Error(`${expression} does not come true`);
}
