/** A browser of this machine, where there is one; where `MEMD_NEEDS_CHROMIUM` is set there must be. */
import fs from "node:fs";
import { chromium, type Browser } from "playwright-core";

const PATHS = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

export const browserPath = PATHS.find((path): path is string => path !== undefined && fs.existsSync(path));

if (browserPath === undefined && process.env["MEMD_NEEDS_CHROMIUM"] === "1")
  throw new Error("There is no Chromium: install it, or name it with CHROMIUM=/path.");

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath ?? "",
    headless: true,
    args: ["--disable-dev-shm-usage", "--disable-gpu"],
  });
}
