/** The page of a memd that runs, and what every journey through it begins with. */
import fs from "node:fs";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { cliPlace, openPlace, type Place } from "../support/cli.js";

export const VIEWS = [
  "now",
  "search?q=deploy",
  "time",
  "known",
  "known?tab=records",
  "known?tab=profiles",
  "known?tab=topics",
  "known?tab=documents",
  "hands",
  "health",
  "source?path=memory.md",
];
export const WAIT = { timeout: 30_000, interval: 100 };

const AXE = `${axe.source};axe.run(document,{runOnly:["wcag2a","wcag2aa","wcag21aa","wcag22aa","best-practice"]})`;

/** What somebody who cannot see it, or sees little, stumbles over: in words. */
export async function stumbledOver(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { html: string }[] }[];
  }>(AXE);
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`);
}

/** The sample, made once, and a copy of it for whoever asks. */
export function samples(): () => Place {
  let made: ReturnType<typeof openPlace>;
  beforeAll(async () => {
    made = openPlace({ workspace: false });
    const { place } = made;
    expect((await place.memd(["init", "--sample", place.root])).code).toBe(0);
    expect((await place.memd(["start", "--until-idle"])).code).toBe(0);
  }, 90_000);
  afterAll(() => made.end());
  return () => {
    const place = cliPlace({ workspace: false });
    fs.cpSync(made.place.root, place.root, { recursive: true });
    return place;
  };
}

export async function view(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${hash}`)}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForTimeout(200);
  await page.locator("main[aria-busy=false]").waitFor();
}

interface Options {
  colorScheme?: "light" | "dark";
  locale?: string;
  width?: number;
  as?: string;
}

export function pagesIn(browser: () => Browser) {
  /** A memd that runs, and the page of it. */
  async function opened(place: Place, options: Options = {}) {
    const daemon = place.launch(["start"]);
    await daemon.says("Watching");
    return { daemon, ...(await entered(place, options)) };
  }

  /** A page more of a memd that runs. */
  async function entered(place: Place, options: Options = {}) {
    const as = options.as === undefined ? [] : ["--as", options.as];
    const told = await place.memd(["open", "--no-browser", "--json", ...as]);
    const { url } = JSON.parse(told.stdout) as { url: string };
    const page = await browser().newPage({
      colorScheme: options.colorScheme ?? "light",
      locale: options.locale ?? "en-GB",
      viewport: { width: options.width ?? 1200, height: 900 },
    });
    onTestFinished(() => page.close());
    const elsewhere: string[] = [];
    const refused: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).origin !== new URL(url).origin) elsewhere.push(request.url());
    });
    page.on("console", (line) => {
      if (/Content Security Policy/i.test(line.text())) refused.push(line.text());
    });
    page.on("pageerror", (error) => refused.push(String(error)));
    await page.goto(url);
    await page.getByRole("heading", { level: 1 }).waitFor();
    return { page, url, elsewhere, refused };
  }
  return { opened, entered };
}
