/** Gemini CLI's `settings.json`: hooks with a timeout in milliseconds, and tools. Pure. */
import { join } from "../../platform/files.js";
import { type Fields, fieldsOf, stringOf } from "../fields.js";
import type { Host, Surroundings } from "../host.js";
import { jsonFile } from "../json-settings.js";

/** The folder above `.gemini`. */
const VARIABLE = "GEMINI_CLI_HOME";
const TIMEOUT_MS = 10_000;

export function gemini({ home, environment }: Surroundings): Host {
  const folder = join(stringOf(environment[VARIABLE]) ?? home, ".gemini");
  return {
    name: "gemini",
    title: "Gemini CLI",
    folder,
    variable: VARIABLE,
    files: [
      jsonFile({
        path: join(folder, "settings.json"),
        hooks: {
          agent: "gemini",
          entry: (command) => ({ hooks: [{ name: "memd", type: "command", command, timeout: TIMEOUT_MS }] }),
        },
        servers: { at: ["mcpServers"] },
        off: hooksOff,
      }),
    ],
    past: [join(folder, "tmp")],
    remarks: ["Sessions that run by now see it once they are started again."],
  };
}

/** Where they are turned off was called otherwise in older versions. */
function hooksOff(settings: Fields): string[] {
  const turnedOff = [
    ["hooksConfig", "enabled"],
    ["hooks", "enabled"],
    ["tools", "enableHooks"],
  ].filter(([group = "", key = ""]) => fieldsOf(settings[group])[key] === false);
  return turnedOff.map((path) => `hooks are turned off (${path.join(".")})`);
}
