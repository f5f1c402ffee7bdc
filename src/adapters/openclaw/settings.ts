/**
 * OpenClaw's `openclaw.json`, which is JSON5: memd's plugin has the memory slot. Its tools are OpenClaw's own by
 * name, so that a server of tools beside it would offer everything twice. Pure.
 */
import { dirname, join } from "../../platform/files.js";
import { stringOf } from "../fields.js";
import type { Host, Surroundings } from "../host.js";
import { jsonFile } from "../json-settings.js";
import { pluginPart } from "./plugin-settings.js";

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
        formerServers: ["mcp", "servers"],
        part: pluginPart,
        off: () => [],
      }),
    ],
    past: [join(folder, "agents")],
    remarks: [
      "OpenClaw takes it up when its gateway is started again: `openclaw gateway restart`.",
      "What a turn says is kept when it ends well; `memd import` takes in what was said while memd was not connected.",
    ],
  };
}
