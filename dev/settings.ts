/** Writes docs/SETTINGS.md anew from the schema of the settings. */
import { writeFileSync } from "node:fs";
import { settingsPage } from "../test/house/settings.js";

writeFileSync(new URL("../docs/SETTINGS.md", import.meta.url), settingsPage());
