/** Claude Code's settings: hooks with a timeout in seconds in `settings.json`, tools of all projects in `.claude.json`. Pure. */
import { join } from "../../platform/files.js";
import { type Fields, stringOf } from "../fields.js";
import type { Host, Surroundings } from "../host.js";
import { jsonFile } from "../json-settings.js";

const VARIABLE = "CLAUDE_CONFIG_DIR";
/** What memd takes is a second; a machine that is busy may take longer to start it. */
const TIMEOUT_S = 10;

export function claudeCode({ home, environment }: Surroundings): Host {
  const named = stringOf(environment[VARIABLE]);
  const folder = named ?? join(home, ".claude");
  return {
    name: "claude-code",
    title: "Claude Code",
    folder,
    variable: VARIABLE,
    files: [
      jsonFile({
        path: join(folder, "settings.json"),
        hooks: {
          agent: "claude-code",
          entry: (command) => ({ hooks: [{ type: "command", command, timeout: TIMEOUT_S }] }),
        },
        off: ({ disableAllHooks }: Fields) =>
          disableAllHooks === true ? ["hooks are turned off (disableAllHooks)"] : [],
      }),
      jsonFile({
        path: join(named ?? home, ".claude.json"),
        servers: { at: ["mcpServers"], extra: { type: "stdio" } },
        off: () => [],
      }),
    ],
    past: [join(folder, "projects")],
    remarks: ["Sessions that run by now see it once they are started again."],
  };
}
