/**
 * memd as a service of this user: what stands in the unit of systemd or the
 * property list of launchd, where, and what has it taken up. Pure.
 */
import { basename, join, shortHash } from "../platform/files.js";

export interface ServiceParts {
  /** What is run. These and the workspace are absolute paths, without control characters. */
  node: string;
  program: string;
  root: string;
  port?: number | undefined;
  home: string;
  /** Where systemd looks for units of this user's, above `systemd/user`; `.config` at home when not set. */
  configHome?: string | undefined;
  /** Of this user, for launchd. */
  uid: number;
}

export type Argv = readonly [string, ...string[]];

export interface ServicePlan {
  /** What the system calls it. */
  name: string;
  file: string;
  text: string;
  /** Has it started, now and at every login. */
  install: readonly Argv[];
  /** The same where another version of it stands: first what may fail, since that need not run. */
  clear: readonly Argv[];
  replace: readonly Argv[];
  /** Has it stopped, before the file goes, and forgotten after. */
  remove: readonly Argv[];
  removed: readonly Argv[];
  /** Ends with 0 where it runs. */
  isActive: Argv;
}

/** Undefined where there is neither systemd nor launchd. */
export function servicePlan(platform: string, parts: ServiceParts): ServicePlan | undefined {
  switch (platform) {
    case "linux":
      return systemdPlan(parts);
    case "darwin":
      return launchdPlan(parts);
    default:
      return undefined;
  }
}

/** Whether memd has made it: somebody else's is left alone. */
export function isOwnService(text: string): boolean {
  return text.includes(MADE_BY);
}

const MADE_BY = "Made by `memd service install`; `memd service remove` takes it away.";

/** Two folders of one name are two services. */
function nameOf(root: string): string {
  const word = basename(root)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 32);
  return ["memd", ...(word === "" ? [] : [word]), shortHash(root)].join("-");
}

function commandOf({ node, program, root, port }: ServiceParts): string[] {
  const onPort = port === undefined ? [] : ["--port", String(port)];
  return [node, program, "start", "--workspace", root, ...onPort];
}

/** Usage and settings: what nobody changes meanwhile is wrong the next time too. */
const HOPELESS = "2 3";
const AGAIN_SECONDS = 10;

function systemdPlan(parts: ServiceParts): ServicePlan {
  const name = `${nameOf(parts.root)}.service`;
  const [node = "", ...args] = commandOf(parts);
  const file = join(parts.configHome ?? join(parts.home, ".config"), "systemd", "user", name);
  const systemctl = (...words: string[]): Argv => ["systemctl", "--user", ...words];
  const reload = systemctl("daemon-reload");
  // The program itself is no place for variables: a dollar sign stays one there.
  const command = [quoted(node), ...args.map((word) => quoted(word).replaceAll("$", "$$$$"))].join(" ");
  const text = `# ${MADE_BY}
[Unit]
Description=memd (${plain(parts.root)})

[Service]
ExecStart=${command}
Restart=on-failure
RestartSec=${AGAIN_SECONDS}
RestartPreventExitStatus=${HOPELESS}

[Install]
WantedBy=default.target
`;
  return {
    name,
    file,
    text,
    install: [reload, systemctl("enable", "--now", name)],
    clear: [],
    replace: [reload, systemctl("enable", name), systemctl("restart", name)],
    remove: [systemctl("disable", "--now", name)],
    removed: [reload],
    isActive: systemctl("is-active", "--quiet", name),
  };
}

/** A word of a command line of systemd's. */
function quoted(word: string): string {
  return `"${plain(word).replace(/["\\]/g, "\\$&")}"`;
}

/** In systemd's files a `%` begins something. */
function plain(text: string): string {
  return text.replaceAll("%", "%%");
}

function launchdPlan(parts: ServiceParts): ServicePlan {
  const name = `dev.${nameOf(parts.root).replace("-", ".")}`;
  const file = join(parts.home, "Library", "LaunchAgents", `${name}.plist`);
  const output = xml(join(parts.root, "logs", "service.txt"));
  const words = commandOf(parts).map((word) => `    <string>${xml(word)}</string>`);
  const domain = `gui/${parts.uid}`;
  const take: Argv = ["launchctl", "bootstrap", domain, file];
  const leave: Argv = ["launchctl", "bootout", `${domain}/${name}`];
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${MADE_BY} -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${name}</string>
  <key>ProgramArguments</key>
  <array>
${words.join("\n")}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>${AGAIN_SECONDS}</integer>
  <key>StandardOutPath</key>
  <string>${output}</string>
  <key>StandardErrorPath</key>
  <string>${output}</string>
</dict>
</plist>
`;
  return {
    name,
    file,
    text,
    install: [take],
    clear: [leave],
    replace: [take],
    remove: [leave],
    removed: [],
    isActive: ["launchctl", "print", `${domain}/${name}`],
  };
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function xml(text: string): string {
  return text.replace(/[&<>]/g, (char) => ENTITIES[char] ?? char);
}
