/** The page in a real browser, over the sample and over a workspace that somebody filled to break it. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { cliPlace } from "../support/cli.js";
import { talkOf } from "../support/topic-talk.js";
import { browserPath, openBrowser } from "./browser.js";
import { pagesIn, samples, stumbledOver, view, VIEWS, WAIT } from "./opened.js";

const NASTY = `<img src=x onerror="window.hit=1"><script>window.hit=1</script> \u202Egnp\u202C \u001b[31mred {{x}} javascript:hit()`;

if (browserPath === undefined)
  console.warn(
    "\n*** No Chromium on this machine: THE PAGE IS NOT TESTED (set CHROMIUM=/path to test it). ***\n",
  );

describe.skipIf(browserPath === undefined)("the page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser.close());

  const sample = samples();
  const { opened, entered } = pagesIn(() => browser);

  test.each(["light", "dark"] as const)(
    "every view of the sample can be read by everybody, asks nobody else and breaks no rule, %s",
    async (colorScheme) => {
      const { page, elsewhere, refused } = await opened(sample(), { colorScheme });
      for (const each of VIEWS) {
        await view(page, each);
        expect(await stumbledOver(page), each).toEqual([]);
      }
      expect(elsewhere).toEqual([]);
      expect(refused).toEqual([]);
    },
    120_000,
  );

  test("by keys alone: from now to a search, to a hit, to where it is written", async () => {
    const { page } = await opened(sample());
    await page.getByText("memory", { exact: true }).first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("deploy timeout");
    const hit = page.getByRole("article").first();
    await hit.waitFor();
    await expect.poll(() => page.url(), WAIT).toContain("q=deploy+timeout");
    // What stands there until the last letter is answered was found by its beginning.
    await expect.poll(() => hit.locator("mark").count(), WAIT).toBeGreaterThan(0);
    expect(await hit.textContent()).toMatch(/deploy/i);
    await page.keyboard.press("Tab");
    await page.locator("body").click({ position: { x: 2, y: 400 } });
    await page.keyboard.press("j");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("ARTICLE");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url(), WAIT).toContain("#/source?path=");
    await page.locator("[aria-current=true]").first().waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await expect.poll(() => page.url(), WAIT).toContain("#/time");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
  }, 90_000);

  test("the prompt unfolds to its text, and what would be told of another question is shown", async () => {
    const place = sample();
    const { page } = await opened(place);
    await page.locator("summary", { hasText: "profiles" }).click();
    await page.locator("details[open] .lines .place").first().click();
    await page.locator("[aria-current=true] .note", { hasText: "it still says" }).waitFor();
    await page.goBack();
    await page.locator("summary", { hasText: "pinned" }).click();
    await page.locator("details[open] .lines").waitFor();
    expect((await page.locator("details[open] .lines").textContent())?.length).toBeGreaterThan(20);
    // What is kept by hand leads to its line, which tells when it says something else.
    const kept = page.locator("details[open] .lines .bullet", { has: page.locator(".place") }).first();
    const words = (await kept.locator("bdi").textContent()) ?? "";
    await kept.locator(".place").click();
    await page.locator("[aria-current=true] .note", { hasText: "it still says" }).waitFor();
    place.write("memory.md", place.read("memory.md").replace(words, `${words} No more.`));
    await page.reload();
    await page.locator("[aria-current=true] .note", { hasText: "has been changed" }).waitFor();
    await page.goBack();
    // A line of what was found leads to where it was said.
    const memory = page.locator("details", { has: page.locator("summary", { hasText: "memory" }) });
    await memory.locator("summary").click();
    const line = memory.locator(".lines li", { has: page.locator(".place") }).first();
    const told = (await line.locator("bdi").textContent())?.split(": ").slice(1).join(": ") ?? "";
    await line.locator(".place").click();
    await expect
      .poll(async () => (await page.locator("[aria-current=true] .text").textContent())?.slice(0, 40), WAIT)
      .toBe(told.slice(0, 40));
    await page.goBack();
    await page.getByRole("textbox").fill("What did we decide about refunds?");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 3 }).waitFor();
    await expect.poll(() => page.locator("section .lines").last().textContent(), WAIT).toMatch(/refund/i);
  }, 90_000);

  test("what is pinned is changed; what somebody else changed meanwhile is shown beside it and not lost", async () => {
    const place = sample();
    const { page } = await opened(place);
    await view(page, "hands");
    await page.getByRole("textbox", { name: "Text" }).fill("Ferries sleep in winter.");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("Ferries sleep in winter.").waitFor();
    expect(place.read("memory.md")).toContain("Ferries sleep in winter.");
    await page.getByRole("button", { name: "Edit: Ferries sleep in winter." }).click();
    await page.locator("textarea").fill("Ferries sleep until March.");
    // In another window, by hand.
    place.write(
      "memory.md",
      place.read("memory.md").replace("Ferries sleep in winter.", "Ferries sleep in May."),
    );
    await page.getByRole("button", { name: "Save" }).click();
    const conflict = page.getByRole("alert");
    await conflict.waitFor();
    expect(await conflict.textContent()).toContain("Ferries sleep in May.");
    expect(place.read("memory.md")).toContain("Ferries sleep in May.");
    await page.getByRole("button", { name: "Put mine in its place" }).click();
    await expect.poll(() => place.read("memory.md"), WAIT).toContain("Ferries sleep until March.");
  }, 90_000);

  test("twenty edits beside those of another window, of a person's editor and of other programs: none is lost", async () => {
    const entries = Array.from({ length: 20 }, (_, n) => `Whale ${String(n + 1).padStart(2, "0")} swims.`);
    const place = cliPlace({ files: { "memory.md": entries.map((text) => `- ${text}\n`).join("") } });
    const { page } = await opened(place);
    const { page: other } = await entered(place);
    await view(page, "hands");
    await view(other, "hands");
    for (const [n, text] of entries.entries()) {
      await page.getByRole("button", { name: `Edit: ${text}` }).click();
      await page.locator("textarea").fill(text.replace("swims", "dives"));
      const isInTheWay = n % 4 === 0;
      // A person's editor, in the entry itself, or the other window and another program elsewhere.
      if (isInTheWay)
        place.write("memory.md", place.read("memory.md").replace(text, text.replace("swims", "sings")));
      else if (n % 4 === 1) {
        await other.getByRole("textbox", { name: "Text" }).fill(`From the other window ${n}.`);
        await other.getByRole("button", { name: "Add" }).click();
        await other.getByText(`From the other window ${n}.`).waitFor();
      } else expect((await place.memd(["memory", "add", `From a program ${n}.`])).code).toBe(0);
      await page.getByRole("button", { name: "Save" }).click();
      if (isInTheWay) {
        await page.getByRole("alert").waitFor();
        expect(place.read("memory.md")).toContain(text.replace("swims", "sings"));
        await page.getByRole("button", { name: "Put mine in its place" }).click();
      }
      await page.getByRole("button", { name: `Edit: ${text.replace("swims", "dives")}` }).waitFor();
    }
    const written = place.read("memory.md");
    const lost = [
      ...entries.map((text) => text.replace("swims", "dives")),
      ...entries.flatMap((_, n) =>
        n % 4 === 0 ? [] : [n % 4 === 1 ? `From the other window ${n}.` : `From a program ${n}.`],
      ),
    ].filter((text) => !written.includes(text));
    expect(lost).toEqual([]);
    expect(written).not.toMatch(/swims|sings/);
  }, 180_000);

  test("what somebody was writing stays where the page's key ends, and is saved with another", async () => {
    const place = cliPlace({ files: { "memory.md": "- Ferries sleep.\n" } });
    const { page } = await opened(place);
    await view(page, "hands");
    await page.getByRole("button", { name: "Edit: Ferries sleep." }).click();
    await page.locator("textarea").fill("Ferries wake.");
    await page.evaluate("sessionStorage.setItem('memd-key', 'of-no-use')");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("What you wrote stays").waitFor();
    const { stdout } = await place.memd(["open", "--no-browser", "--json"]);
    const { hash } = new URL((JSON.parse(stdout) as { url: string }).url);
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await page.getByText("What you wrote stays").waitFor({ state: "detached" });
    expect(await page.locator("textarea").inputValue()).toBe("Ferries wake.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Edit: Ferries wake." }).waitFor();
    expect(place.read("memory.md")).toContain("Ferries wake.");
  }, 90_000);

  test("a profile is edited, over nobody's words: what stands meanwhile is shown beside it", async () => {
    const file = "memory/profiles/users/lin.md";
    const head = "---\nentity_type: user\nentity_id: lin\nname: Lin Yue\ntags: []\n---\n";
    const place = cliPlace({ files: { [file]: `${head}- Sails on Sundays.\n` } });
    const { page } = await opened(place);
    await view(page, "known?tab=profiles");
    await page.getByRole("button", { name: "Edit: Lin Yue" }).click();
    await page.locator("textarea").fill("- Sails on Mondays.");
    place.write(file, `${head}- Sails no more.\n`);
    await page.getByRole("button", { name: "Save" }).click();
    const conflict = page.getByRole("alert");
    await conflict.waitFor();
    expect(await conflict.textContent()).toContain("Sails no more.");
    expect(place.read(file)).toBe(`${head}- Sails no more.\n`);
    await page.getByRole("button", { name: "Put mine in its place" }).click();
    await expect.poll(() => place.read(file), WAIT).toBe(`${head}- Sails on Mondays.\n`);
    // What stood is an older version.
    await page.getByText("Older versions (1)").click();
    await page.getByText("- Sails no more.").waitFor();
  }, 90_000);

  test("a topic is called otherwise, its last scores beside it; a name that somebody else gave stays until it is seen", async () => {
    const settings = "[topics]\nenabled = true\nwindow_tokens = 2000\n";
    const talk = [
      ...talkOf("ferry", 30, "2026-02-25T10:00:00Z"),
      ...talkOf("tea", 30, "2026-02-27T10:00:00Z"),
    ];
    const place = cliPlace({ files: { "memd.toml": settings, "history.json": talk } });
    expect((await place.memd(["start", "--until-idle"])).code).toBe(0);
    const { page } = await opened(place);
    await view(page, "known?tab=topics");
    const first = page.locator("li.item").first();
    await first.getByRole("img", { name: /^Scores of the last turns/ }).waitFor();
    const name = (await first.locator("strong").textContent()) ?? "";
    await first.getByRole("button").click();
    await page.locator("textarea").fill("To the islands");
    expect((await place.memd(["topics", "rename", name, "The crossing"])).code).toBe(0);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toContain("The crossing");
    await page.getByRole("button", { name: "Put mine in its place" }).click();
    await page.getByText("To the islands").waitFor();
    expect((await place.memd(["topics", "list"])).stdout).toContain("To the islands");
  }, 90_000);

  test("single keys can be switched off, and stay off", async () => {
    const { page } = await opened(cliPlace());
    await page.keyboard.press("?");
    await page.getByRole("checkbox").click();
    await page.getByRole("button", { name: "Close" }).click();
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("?");
    await page.keyboard.press("/");
    await page.waitForTimeout(200);
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(page.url()).toContain("#/now");
  }, 90_000);

  test("what would go is listed before it is forgotten", async () => {
    const place = sample();
    const { page } = await opened(place);
    await view(page, "hands");
    await page.getByRole("textbox", { name: "Id of the message" }).fill("sample-010");
    await page.getByRole("button", { name: "What would go" }).click();
    const status = page.getByRole("status");
    await expect.poll(() => status.textContent(), WAIT).toMatch(/messages1/);
    await page.getByRole("button", { name: "Forget for good" }).click();
    await expect.poll(() => status.textContent(), WAIT).toContain("It is forgotten.");
  }, 90_000);

  test("texts with markup, scripts, bidi and escapes are texts in every view", async () => {
    const place = cliPlace({
      files: {
        "memory.md": `# ${NASTY}\n\n- ${NASTY}\n`,
        "history.json": JSON.stringify(
          [1, 2, 3].map((n) => ({
            id: `m-${n}`,
            role: n === 2 ? "agent" : "user",
            speaker: NASTY,
            text: `${NASTY} deploy ${n}`,
            createdAt: `2026-03-0${n}T10:00:00Z`,
          })),
        ),
      },
    });
    await place.memd(["start", "--until-idle"]);
    const { page, refused, elsewhere } = await opened(place);
    for (const each of VIEWS) {
      await view(page, each);
      expect(await page.evaluate("window.hit"), each).toBeUndefined();
      expect(await page.locator("main img, main script").count(), each).toBe(0);
    }
    await view(page, "search?q=deploy");
    await page.getByRole("article").first().waitFor();
    expect(await page.getByRole("article").first().textContent()).toContain("<script>");
    expect(refused).toEqual([]);
    expect(elsewhere).toEqual([]);
  }, 90_000);

  test("an empty workspace says in every view that there is nothing, in Chinese to who reads Chinese", async () => {
    const { page } = await opened(cliPlace(), { locale: "zh-CN", width: 320 });
    expect(await page.evaluate("document.documentElement.lang")).toBe("zh");
    for (const each of VIEWS.slice(0, 10)) {
      await view(page, each);
      const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      expect(wide, `${each} at 320 px`).toBeLessThanOrEqual(0);
    }
    expect(await page.getByRole("navigation").first().textContent()).toContain("搜索");
  }, 90_000);

  test("an address lets one page in, and a page that was loaded again is still in", async () => {
    const { page, url } = await opened(sample());
    expect(page.url()).not.toContain("code=");
    await page.reload();
    await page.getByText("What the agent reads next").waitFor();
    const other = await browser.newPage();
    onTestFinished(() => other.close());
    await other.goto(url);
    await other.getByText("This page has no key any more.").waitFor();
  }, 90_000);

  test("a page of a viewer shows what that viewer may read, and nothing of the owner's", async () => {
    const place = sample();
    const { page } = await opened(place, { as: "nobody/main" });
    await view(page, "search?q=deploy");
    await page.getByText("Nothing was found.").waitFor();
    await view(page, "health");
    expect(await page.getByRole("alert").count()).toBeGreaterThan(0);
    expect(await page.locator("main").textContent()).not.toContain(place.root);
  }, 90_000);
});
