/** Codex's settings: `hooks.json` with a timeout in seconds, tools in `config.toml`. Pure. */
import { join } from "../../platform/files.js";
import { stringOf } from "../fields.js";
import type { Host, Surroundings } from "../host.js";
import { jsonFile } from "../json-settings.js";
import { configFile } from "./config-toml.js";

const VARIABLE = "CODEX_HOME";
const TIMEOUT_S = 10;

export function codex({ home, environment }: Surroundings): Host {
  const folder = stringOf(environment[VARIABLE]) ?? join(home, ".codex");
  return {
    name: "codex",
    title: "Codex",
    folder,
    variable: VARIABLE,
    files: [
      jsonFile({
        path: join(folder, "hooks.json"),
        hooks: {
          agent: "codex",
          entry: (command) => ({ hooks: [{ type: "command", command, timeout: TIMEOUT_S }] }),
        },
        off: () => [],
      }),
      configFile(join(folder, "config.toml")),
    ],
    past: ["sessions", "archived_sessions"].map((name) => join(folder, name)),
    remarks: [
      "Codex passes over a new hook until you trust it: start `codex`, type /hooks and trust memd's.",
    ],
  };
}
