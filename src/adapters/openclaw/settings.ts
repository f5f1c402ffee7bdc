/** OpenClaw's `openclaw.json`, which is JSON5: the server of memd's tools. Its hooks are code of a plugin, which memd has none of. Pure. */
import { dirname, join } from "../../platform/files.js";
import { stringOf } from "../fields.js";
import type { Host, Surroundings } from "../host.js";
import { jsonFile } from "../json-settings.js";

const VARIABLE = "OPENCLAW_STATE_DIR";

export function openclaw({ home, environment }: Surroundings): Host {
  const file = stringOf(environment["OPENCLAW_CONFIG_PATH"]);
  const folder =
    stringOf(environment[VARIABLE]) ?? (file === undefined ? join(home, ".openclaw") : dirname(file));
  return {
    name: "openclaw",
    title: "OpenClaw",
    folder,
    variable: VARIABLE,
    files: [
      jsonFile({
        path: file ?? join(folder, "openclaw.json"),
        servers: { at: ["mcp", "servers"] },
        off: () => [],
      }),
    ],
    past: [join(folder, "agents")],
    remarks: [
      "Only memd's tools are connected: OpenClaw keeps its own memory plugin, and what is said from now on comes in with `memd import`.",
    ],
  };
}
