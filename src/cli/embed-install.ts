/**
 * `memd embed install`: the package that runs a small model of vectors, and the model's files, into a folder of
 * the owner's outside of any workspace. What comes, from where, how much and under which licence is told first.
 * Each step that is done already is passed over, so that a command that was cut off is run again.
 */
import { defined } from "../model/collections.js";
import { isMemdError, MemdError } from "../model/errors.js";
import { isLocalName } from "../model/settings/models.js";
import { basename, dirname, isAbsolute, join, resolve } from "../platform/files.js";
import { installedPackage, npmInstall } from "../platform/installed.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { canBeAsked, currentDir, environment } from "../platform/process.js";
import { publish } from "../protocol/publish.js";
import { readSettings } from "../protocol/settings.js";
import {
  allowedFile,
  embedFolder,
  ENCODER_PACKAGE,
  faultOfFiles,
  fetchable,
  localName,
  modelFolder,
  MODEL_FILES,
  SUGGESTED_MODEL,
} from "../recall/embedding/local-model.js";
import { type CommonOptions, isAnsweredYes, openWorkspace, printJson, printLine } from "./context.js";

type InstallFlags = CommonOptions & { from?: string; yes?: boolean };

/** Whose interface memd knows. */
const RANGE = "^4.3.2";
/** On Linux; most of it is the engine's library. */
const PACKAGE_MB = 480;
const SUGGESTED_SAYS = "MIT, about 135 MB";
/** What the package brings that is worth a word; what each says of itself is told when it is there. */
const PACKAGES = [ENCODER_PACKAGE, "onnxruntime-node", "sharp"];
const LICENSES = "Apache-2.0; onnxruntime MIT; sharp Apache-2.0, its libvips LGPL-3.0";

interface Plan {
  folder: string;
  /** By which the settings call it; a folder where they name one. */
  name: string;
  /** Absolute. */
  from?: string;
  needsPackage: boolean;
  /** Copied, fetched by the package later, or there already. */
  files: "copy" | "fetch" | "there";
}

export async function installEmbedding(given: string | undefined, flags: InstallFlags): Promise<void> {
  const plan = await planned(given, flags);
  const { folder, name, from, needsPackage, files } = plan;
  const quiet = flags.json === true;
  if (needsPackage || files !== "there") {
    if (!quiet) for (const line of await linesOf(plan)) printLine(line);
    if (!(await isAgreed(flags))) return printLine("Nothing was installed.");
    await nodeDisk.makeDir(folder);
    if (needsPackage) await installPackage(folder);
    if (files === "copy" && from !== undefined) await copyModel(from, modelFolder(folder, name));
    if (files === "fetch") await letFetch(folder, name);
  }
  const packages = Object.fromEntries(PACKAGES.map((each) => [each, installedPackage(folder, each)]));
  if (quiet) return printJson(defined({ folder, model: name, packages }));
  for (const [each, found] of Object.entries(packages))
    if (found !== undefined) printLine(`${each} ${found.version} (${found.license})`);
  printLine(`All is in ${folder}; delete that folder and it is gone.`);
  printLine(`Write \`embedding = "local:${name}"\` under \`[llm]\` in memd.toml and start memd again.`);
}

/** Throws `value_invalid` for a model that is none. */
async function planned(given: string | undefined, flags: InstallFlags): Promise<Plan> {
  const folder = embedFolder(environment());
  if (folder === undefined) throw new MemdError("usage", "There is no home folder (HOME, XDG_DATA_HOME).");
  const from = flags.from === undefined ? undefined : resolve(currentDir(), flags.from);
  const name =
    given ?? (from === undefined ? await namedInSettings(flags) : basename(from)) ?? SUGGESTED_MODEL;
  if (!isLocalName(name) && (given !== undefined || !isAbsolute(name)))
    throw new MemdError("value_invalid", `${name} is no name of a model, as ${SUGGESTED_MODEL} is one.`);
  const fault = from === undefined ? undefined : await faultOfFiles(nodeDisk, from);
  if (fault !== undefined) throw new MemdError("value_invalid", `${from} is no folder of a model: ${fault}.`);
  const isThere =
    isAbsolute(name) ||
    (await faultOfFiles(nodeDisk, modelFolder(folder, name))) === undefined ||
    (await fetchable(nodeDisk, folder)).includes(name);
  const needsPackage = installedPackage(folder, ENCODER_PACKAGE) === undefined;
  const files: Plan["files"] = from !== undefined ? "copy" : isThere ? "there" : "fetch";
  return defined({ folder, name, from, needsPackage, files });
}

async function namedInSettings(flags: CommonOptions): Promise<string | undefined> {
  try {
    return localName((await readSettings(nodeDisk, await openWorkspace(flags))).llm.embedding);
  } catch (error) {
    if (isMemdError(error, "no_workspace")) return undefined;
    throw error;
  }
}

async function linesOf({ folder, name, from, needsPackage, files }: Plan): Promise<string[]> {
  const lines: string[] = [];
  if (needsPackage)
    lines.push(`package  ${ENCODER_PACKAGE} ${RANGE} by npm, about ${PACKAGE_MB} MB, no script is run`);
  if (needsPackage) lines.push(`         ${LICENSES}`);
  const says = name === SUGGESTED_MODEL ? SUGGESTED_SAYS : "see its maker's page for size and licence";
  if (files === "copy" && from !== undefined)
    lines.push(`model    ${name}, ${await sizeMb(from)} MB copied from ${from}; its licence is its maker's`);
  if (files === "fetch")
    lines.push(`model    ${name} (${says}), fetched by that package when memd first needs it`);
  return [...lines, `into     ${folder}`];
}

async function isAgreed({ yes, json }: InstallFlags): Promise<boolean> {
  if (yes === true) return true;
  if (json === true || !canBeAsked())
    throw new MemdError("usage", "Nothing is installed unasked, and nobody can be asked here: add --yes.");
  return isAnsweredYes("Install this? [y/N] ");
}

/** Throws `install_failed`. */
async function installPackage(folder: string): Promise<void> {
  // Without it npm would take the first folder above that has one.
  const manifest = join(folder, "package.json");
  if ((await nodeDisk.stat(manifest)) === undefined)
    await publish(ownerless, manifest, '{ "private": true }\n');
  const fault = await npmInstall(folder, [`${ENCODER_PACKAGE}@${RANGE}`]);
  if (fault !== undefined)
    throw new MemdError("install_failed", `${ENCODER_PACKAGE} is not installed: ${fault}.`);
  if (installedPackage(folder, ENCODER_PACKAGE) === undefined)
    throw new MemdError("install_failed", `npm ended well, but ${ENCODER_PACKAGE} is not in ${folder}.`);
}

async function copyModel(from: string, to: string): Promise<void> {
  for (const file of MODEL_FILES) {
    const bytes = await nodeDisk.read(join(from, file));
    if (bytes === undefined) continue;
    await nodeDisk.makeDir(dirname(join(to, file)));
    await publish(ownerless, join(to, file), bytes);
  }
}

async function letFetch(folder: string, name: string): Promise<void> {
  const fetch = [...new Set([...(await fetchable(nodeDisk, folder)), name])];
  await publish(ownerless, allowedFile(folder), `${JSON.stringify({ fetch }, null, 2)}\n`);
}

const MEGABYTE = 1_000_000;

async function sizeMb(folder: string): Promise<number> {
  const sizes = await Promise.all(MODEL_FILES.map((file) => nodeDisk.stat(join(folder, file))));
  const bytes = sizes.reduce((sum, stat) => sum + (stat?.size ?? 0), 0);
  return Math.max(1, Math.round(bytes / MEGABYTE));
}
