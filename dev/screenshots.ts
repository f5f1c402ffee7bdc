/**
 * `npm run screenshots`: the pictures of the README, of the page over the sample: light, dark and narrow. Needs a
 * Chromium.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { openBrowser } from "../test/page/browser.js";

const SHOTS = [
  { name: "now-light", view: "now", colorScheme: "light", width: 1100, height: 760 },
  { name: "search-dark", view: "search?q=deploy+timeout", colorScheme: "dark", width: 1100, height: 760 },
  { name: "time-narrow", view: "time", colorScheme: "light", width: 380, height: 760 },
] as const;

const root = path.join(import.meta.dirname, "..");
const home = mkdtempSync(path.join(os.tmpdir(), "memd-shots-"));
const workspace = path.join(home, "my-agent");
const memd = (...args: string[]): string =>
  execFileSync(process.execPath, [path.join(root, "bin", "memd.js"), ...args], {
    encoding: "utf8",
    cwd: home,
    env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: home, NO_COLOR: "1" },
  });

memd("init", "--sample", workspace);
memd("start", "--until-idle", "-w", workspace);
const browser = await openBrowser();
mkdirSync(path.join(root, "docs", "pictures"), { recursive: true });
try {
  for (const { name, view, colorScheme, width, height } of SHOTS) {
    const { url } = JSON.parse(memd("open", "--no-browser", "--json", "-w", workspace)) as { url: string };
    const page = await browser.newPage({ colorScheme, viewport: { width, height }, locale: "en-GB" });
    await page.goto(url);
    await page.locator("main[aria-busy=false]").waitFor();
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`);
    await page.waitForTimeout(500);
    await page.locator("main[aria-busy=false]").waitFor();
    // Years, months and days are above the day that is led to.
    await page.evaluate("scrollTo(0, 0)");
    await page.waitForTimeout(1500);
    await page.screenshot({ path: path.join(root, "docs", "pictures", `${name}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  memd("stop", "-w", workspace);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
