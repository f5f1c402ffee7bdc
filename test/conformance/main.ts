/**
 * Runs those scenarios of the official conformance suite of MCP that need no fixtures, against a memd that runs:
 * `npm run check:mcp`. The suite cannot send a token, so it asks through a proxy that adds one and changes nothing else.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const SCENARIOS = {
  "2025-11-25": [
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
  ],
  "2026-07-28": [
    "server-stateless",
    "tools-list",
    "resources-list",
    "prompts-list",
    "caching",
    "sep-2164-resource-not-found",
    "http-header-validation",
    "dns-rebinding-protection",
  ],
} as const;

const LONGEST_MS = 120_000;

const here = path.dirname(fileURLToPath(import.meta.url));
const memdScript = path.join(here, "../../bin/memd.js");
const suite = path.join(here, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const folder = mkdtempSync(path.join(tmpdir(), "memd-conformance-"));
const workspace = path.join(folder, "w");

if (!existsSync(suite))
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", here], {
    stdio: "inherit",
  });
execFileSync(process.execPath, [memdScript, "init", workspace, "--sample"]);
const memd = spawn(process.execPath, [memdScript, "start", "--port", "0", "-w", workspace], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const proxy = await proxyTo(await portOf(memd.stdout));
  const failed: string[] = [];
  for (const [version, scenarios] of Object.entries(SCENARIOS))
    for (const scenario of scenarios)
      if (!(await passes(proxy.url, version, scenario))) failed.push(`${version} ${scenario}`);
  proxy.close();
  for (const name of failed) console.log(`FAILED ${name}`);
  console.log(
    `MCP conformance: ${Object.values(SCENARIOS).flat().length - failed.length} passed, ${failed.length} failed`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  memd.kill();
  await once(memd, "exit");
  rmSync(folder, { recursive: true, force: true });
}

/** As memd says when it has started; its output is read to the end, or it would end too. */
function portOf(output: NodeJS.ReadableStream): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = "";
    output.on("data", (chunk) => {
      said += String(chunk);
      const port = /127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    output.on("end", () => reject(new Error(`memd did not start: ${said}`)));
  });
}

/** Host and Origin go through as they came, but for the port, which is the proxy's. */
async function proxyTo(port: number): Promise<{ url: string; close: () => void }> {
  const token = readFileSync(path.join(workspace, ".memd/token"), "utf8").trim();
  const server = http.createServer((asked, answer) => {
    const own = `:${(server.address() as { port: number }).port}`;
    const through = (value: string): string => value.replace(own, `:${port}`);
    const { host = "", origin, ...headers } = asked.headers;
    const sent = {
      ...headers,
      host: through(host),
      ...(origin !== undefined && { origin: through(origin) }),
      authorization: `Bearer ${token}`,
    };
    const request = http.request(
      { host: "127.0.0.1", port, path: asked.url, method: asked.method, headers: sent },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    request.on("error", () => answer.destroy());
    asked.pipe(request);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: own } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${own}/mcp`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function passes(url: string, version: string, scenario: string): Promise<boolean> {
  const argv = [
    ["--import", path.join(here, "node20.mjs"), suite, "server", "--url", url],
    ["--scenario", scenario, "--spec-version", version, "-o", path.join(folder, "results")],
    scenario === "server-stateless" ? ["--expected-failures", path.join(here, "expected-failures.yml")] : [],
  ].flat();
  const run = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"], timeout: LONGEST_MS });
  let said = "";
  for (const stream of [run.stdout, run.stderr]) stream.on("data", (chunk) => (said += String(chunk)));
  const [code] = (await once(run, "close")) as [number | null];
  if (code !== 0) console.log(said);
  console.log(`${code === 0 ? "passed" : "failed"}  ${version} ${scenario}`);
  return code === 0;
}
