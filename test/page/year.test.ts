/** A year of conversation that was imported, walked through in the page as a person would. */
import fs from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Day } from "../../src/model/time.js";
import { openPlace, type Place } from "../support/cli.js";
import { conversation, printLines } from "../support/cli-conversation.js";
import { browserPath, openBrowser } from "./browser.js";
import { pagesIn, stumbledOver, view, VIEWS, WAIT } from "./opened.js";

const MESSAGES = 2000;
const UNTIL = "2026-10-01" as Day;

describe.skipIf(browserPath === undefined)("an imported year", () => {
  let browser: Browser;
  let place: Place;
  let end: () => void | Promise<void>;
  beforeAll(async () => {
    browser = await openBrowser();
    ({ place, end } = openPlace());
    const file = path.join(place.outside, "year.jsonl");
    fs.writeFileSync(file, printLines(conversation(MESSAGES, UNTIL, { months: 12, longest: 20_000 })));
    expect((await place.memd(["import", file])).code).toBe(0);
    expect((await place.memd(["start", "--until-idle"])).code).toBe(0);
    await place.launch(["start"]).says("Watching");
  }, 240_000);
  afterAll(async () => {
    await browser.close();
    await end();
  });
  const { entered } = pagesIn(() => browser);

  const said = (page: Page) => page.locator("[data-day] .said li");

  test("from a year to a month, to a day, on by scrolling, and what is far away is not in the page", async () => {
    const { page } = await entered(place);
    await view(page, "time");
    const heat = page.getByRole("navigation", { name: "Days on which something was said" });
    expect(await heat.getByRole("list").first().getByRole("link").count()).toBe(2);
    await heat.getByRole("link", { name: /^2026: / }).click();
    await heat.getByRole("link", { name: /^2026-05: / }).click();
    await expect.poll(() => page.url(), WAIT).toContain("day=2026-05");
    const day = new URL(page.url().replace("#/", "")).searchParams.get("day") ?? "";
    await page.locator(`#day-${day} .said li`).first().waitFor();
    expect(await page.locator(`#day-${day}`).boundingBox()).toMatchObject({ y: expect.any(Number) });
    const box = await page.locator(`#day-${day}`).boundingBox();
    expect(Math.abs(box?.y ?? Infinity)).toBeLessThan(900);
    expect(await said(page).count()).toBeGreaterThan(0);
    await page.mouse.move(600, 600);
    for (let turn = 0; turn < 30 && page.url().includes(day); turn++) {
      await page.mouse.wheel(0, 1500);
      await page.waitForTimeout(250);
    }
    // The address goes with what is read.
    expect(page.url()).not.toContain(day);
    expect(await said(page).count()).toBeLessThan(200);
    await page.goBack();
    await page.goForward();
    await said(page).first().waitFor();
  }, 120_000);

  test("as of a day later ones are not there", async () => {
    const { page } = await entered(place);
    await view(page, "time?as_of=2026-04-30");
    await said(page).first().waitFor();
    const days = await page.evaluate<string[]>(
      "[...document.querySelectorAll('[data-day]')].map((day) => day.dataset.day)",
    );
    expect(days.length).toBeGreaterThan(3);
    expect(days.every((day) => day <= "2026-04-30")).toBe(true);
  }, 90_000);

  test("what was chosen is told in sentences, taken back by itself, and what it left out is named", async () => {
    const { page } = await entered(place);
    await view(page, "search?q=deploy timed out&to=2026-01-31");
    const hits = page.getByRole("article");
    await hits.first().waitFor();
    await page.getByText("Said on 2026-01-31 or before.").waitFor();
    await page.getByRole("heading", { name: "Just missed" }).waitFor();
    await page.getByRole("heading", { name: "Found without what was chosen" }).waitFor();
    await page.getByRole("link", { name: /^Remove: Said on/ }).click();
    await expect.poll(() => page.url(), WAIT).not.toContain("to=");
    await hits.getByRole("link", { name: "only here" }).first().click();
    await page.getByText(/^Only in the conversation/).waitFor();
    await page.locator("main[aria-busy=false]").waitFor();
    await hits.locator(".place").first().click();
    // Where it was said, in its conversation.
    await page.locator("[aria-current=true]").first().waitFor();
    expect(await page.locator(".said li").count()).toBeGreaterThan(1);
  }, 90_000);

  test("a link leads to its message, however long the one before it is", async () => {
    const texts = [
      "What does the permit say?",
      Array.from(
        { length: 300 },
        (_, at) => `Clause ${at}: boats of the inner harbour are moored by night.`,
      ).join("\n"),
      "The permit of the harbour has the number 4711-B.",
    ];
    const file = path.join(place.outside, "permit.jsonl");
    const lines = texts.map((text, at) => ({
      conversation: "permit",
      role: at % 2 === 0 ? "user" : "assistant",
      text,
      createdAt: `2026-09-30T10:0${at}:00Z`,
    }));
    fs.writeFileSync(file, printLines(lines));
    expect((await place.memd(["import", file])).code).toBe(0);
    const { page } = await entered(place);
    await view(page, "search?q=4711-B");
    await page.getByRole("article").filter({ hasText: "4711-B" }).locator(".place").first().click();
    const meant = page.locator("[aria-current=true]", { hasText: "4711-B" });
    await meant.waitFor();
    await expect.poll(async () => (await meant.boundingBox())?.y ?? Infinity, WAIT).toBeLessThan(900);
    expect(await page.evaluate("scrollY")).toBeGreaterThan(900);
  }, 90_000);

  test.each(["light", "dark"] as const)(
    "every view of it can be read by everybody, asks nobody else and breaks no rule, %s",
    async (colorScheme) => {
      const { page, elsewhere, refused } = await entered(place, { colorScheme });
      for (const each of [...VIEWS, "time?day=2026-05-01", "search?q=deploy&to=2026-01-31"]) {
        await view(page, each);
        expect(await stumbledOver(page), each).toEqual([]);
      }
      expect(elsewhere).toEqual([]);
      expect(refused).toEqual([]);
    },
    120_000,
  );
});
