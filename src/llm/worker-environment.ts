/**
 * Which model works for this workspace, and the environment its workers see.
 *
 * Pure. A key is only ever looked for under the name that the owner gave, so
 * that no conversation goes to an endpoint because some variable happens to be set.
 */
import type { Settings } from "../model/settings.js";

type Llm = Settings["llm"];
type Environment = Readonly<Record<string, string | undefined>>;

/** What a program needs to run and to reach an endpoint behind a company's certificate. */
const PASSED_ON = [
  "PATH",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SYSTEMROOT",
];

/** The variable that holds the key: the named one, else OpenAI's own at OpenAI's own address. */
export function keyVariable(llm: Llm): string | undefined {
  return (
    llm.api_key_env ??
    (llm.provider === "openai" && llm.base_url === undefined ? "OPENAI_API_KEY" : undefined)
  );
}

/** `builtin` unless the settings name an endpoint, or a key that is there. */
export function chooseProvider(llm: Llm, environment: Environment): "builtin" | "openai" {
  if (llm.provider !== undefined) return llm.provider;
  const named = keyVariable(llm);
  const keyIsThere = named !== undefined && (environment[named] ?? "") !== "";
  return keyIsThere || (named === undefined && llm.base_url !== undefined) ? "openai" : "builtin";
}

export function workerEnvironment(llm: Llm, environment: Environment): Record<string, string> {
  const key = keyVariable(llm);
  const passed = key === undefined ? PASSED_ON : [...PASSED_ON, key];
  const found: Record<string, string> = {};
  for (const name of passed) {
    const value = environment[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}
