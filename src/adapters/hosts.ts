/** The agents that memd can be connected to, each as its own folder knows it. Pure. */
import { claudeCode } from "./claude-code/settings.js";
import { codex } from "./codex/settings.js";
import { cursor } from "./cursor/settings.js";
import { gemini } from "./gemini/settings.js";
import { type Host, HOST_NAMES, type HostName, type Surroundings } from "./host.js";
import { openclaw } from "./openclaw/settings.js";

export function hostNamed(name: HostName, surroundings: Surroundings): Host {
  return HOSTS[name](surroundings);
}

export function hostsIn(surroundings: Surroundings): Host[] {
  return HOST_NAMES.map((name) => hostNamed(name, surroundings));
}

const HOSTS: Readonly<Record<HostName, (surroundings: Surroundings) => Host>> = {
  "claude-code": claudeCode,
  codex,
  gemini,
  cursor,
  openclaw,
};
