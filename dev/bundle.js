/**
 * The programs as files of few pieces, beside the built modules: to find and open hundreds of them takes Node
 * longer than most of what they do. With the licenses of the packages that they hold.
 */
import { existsSync, readFileSync } from "node:fs";
import { copyFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

/** What packages of before ES modules take for granted. */
const requires = [
  'import { createRequire as requireFrom } from "node:module";',
  'import { fileURLToPath as pathOfUrl } from "node:url";',
  "const require = requireFrom(import.meta.url);",
  "const __filename = pathOfUrl(import.meta.url);",
].join(" ");

/** They look for programs and libraries beside themselves. */
const STAY_PACKAGES = ["@photostructure/sqlite", "@vscode/ripgrep"];

/** js-yaml reads functions with a parser of programs, which takes longer to load than all of YAML. Nothing here asks for any. */
const withoutFunctions = {
  name: "without functions",
  setup: ({ onLoad }) =>
    onLoad({ filter: /js-yaml\/lib\/js-yaml\/type\/js\/function\.js$/ }, () => ({
      contents: `const Type = require("../../type");
        module.exports = new Type("tag:yaml.org,2002:js/function", { kind: "scalar", resolve: () => false });`,
    })),
};

const PROGRAM = {
  bundle: true,
  platform: "node",
  target: "node20",
  // What Node reads at every start; names stay, for who reads a stack.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};

await hook("dist/hook");
await bundle("dist/programs", [
  "cli/main",
  "cli/answer-main",
  "llm/worker-main",
  "platform/watchdog-thread",
  "recall/embedding/encoder-thread",
  "recall/index/sqlite/reader-thread",
  "recall/index/sqlite/writer-thread",
]);

await page("dist/web");

/**
 * `memd hook` is apart, and of the older kind of module: of what the others share it needs very little, and an
 * agent waits while it starts. What it hardly ever asks for are files of their own.
 */
async function hook(outdir) {
  await rm(outdir, { recursive: true, force: true });
  const rare = {
    settings: "src/protocol/settings.ts",
    "write-file-atomic": "write-file-atomic",
    "proper-lockfile": "proper-lockfile",
  };
  const apart = {
    name: "apart",
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ kind, path: asked }) => {
        const name = path.basename(asked, ".js");
        return kind === "dynamic-import" && name in rare
          ? { path: `./${name}.cjs`, external: true }
          : undefined;
      }),
  };
  const { metafile } = await build({
    ...PROGRAM,
    entryPoints: { "hook-main": "src/cli/hook-main.ts", ...rare },
    outdir,
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    plugins: [apart],
  });
  await writeFile(path.join(outdir, "LICENSES.txt"), licensesIn(metafile));
}

/** What a browser loads: one script, one sheet, and the page around them. */
async function page(outdir) {
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: [
      { in: "web/src/main.tsx", out: "page" },
      { in: "web/page.css", out: "page" },
    ],
    outdir,
    bundle: true,
    format: "esm",
    platform: "browser",
    target: ["chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  for (const file of ["index.html", "icon.svg"]) await copyFile(`web/${file}`, path.join(outdir, file));
  await writeFile(path.join(outdir, "LICENSES.txt"), licensesIn(metafile));
}

async function bundle(outdir, programs) {
  // Their pieces are named by what they hold: those of before would stay.
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    ...PROGRAM,
    entryPoints: programs.map((program) => ({
      in: `src/${program}.ts`,
      out: path.basename(program),
    })),
    outdir,
    splitting: true,
    format: "esm",
    external: STAY_PACKAGES,
    plugins: [withoutFunctions],
    banner: { js: requires },
  });
  await writeFile(path.join(outdir, "LICENSES.txt"), licensesIn(metafile));
}

function licensesIn(metafile) {
  const packages = new Set(Object.keys(metafile.inputs).flatMap(packageOf));
  return [...packages].sort().map(licenseOf).join("\n\n");
}

/** The folder of the package that a file is of. */
function packageOf(file) {
  const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  return folder === undefined ? [] : [folder];
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = ["LICENSE", "LICENSE.md", "license", "LICENSE.txt", "LICENCE", "License.md"]
    .map((each) => path.join(folder, each))
    .find((each) => existsSync(each));
  const text = file === undefined ? `License: ${license}` : readFileSync(file, "utf8").trim();
  return `${name} ${version}\n\n${text}`;
}
