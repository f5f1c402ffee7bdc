/** Which paths a glob means. Pure; the package's defaults for hidden names and negation are switched off. */
import picomatch from "picomatch";

const OPTIONS = { dot: false, nonegate: true, strictSlashes: true } as const;

/** Whether a path, relative with `/` between its parts, is one of those. */
export function globMatcher(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.map((glob) => picomatch(glob, OPTIONS));
  return (path) => matchers.some((matches) => matches(path));
}

/** The folder below which everything lies that the glob means; empty for the whole. */
export function globBase(glob: string): string {
  const { base, isGlob } = picomatch.scan(glob, OPTIONS);
  if (isGlob) return base === "." ? "" : base;
  return base.includes("/") ? base.slice(0, base.lastIndexOf("/")) : "";
}
