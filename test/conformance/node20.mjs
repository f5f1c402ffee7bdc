/** The suite takes `globSync` from `fs`, which Node 20 has not; no scenario that is run here calls it. */
import { register } from "node:module";

const FS = `export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];`;
const HOOKS = `export async function resolve(specifier, context, next) {
  const isSuites = context.parentURL?.includes("/@modelcontextprotocol/conformance/") === true;
  if (!isSuites || (specifier !== "fs" && specifier !== "node:fs")) return next(specifier, context);
  return { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(FS)}`)}, shortCircuit: true };
}`;

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
