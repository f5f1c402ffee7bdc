/** Cursor's settings: `hooks.json`, a flat list for each event, and `mcp.json`. Pure. */
import { join } from "../../platform/files.js";
import type { Host, Surroundings } from "../host.js";
import { jsonFile } from "../json-settings.js";

const FORMAT_VERSION = 1;

export function cursor({ home }: Surroundings): Host {
  const folder = join(home, ".cursor");
  return {
    name: "cursor",
    title: "Cursor",
    folder,
    variable: undefined,
    files: [
      jsonFile({
        path: join(folder, "hooks.json"),
        needs: { version: FORMAT_VERSION },
        hooks: {
          agent: "cursor",
          entry: (command) => ({ command }),
        },
        off: () => [],
      }),
      jsonFile({ path: join(folder, "mcp.json"), servers: { at: ["mcpServers"] }, off: () => [] }),
    ],
    past: [join(folder, "projects")],
    remarks: ["Cursor reads its hooks when it starts: start it again."],
  };
}
