/**
 * `.gitignore`: what of a workspace is not for a repository. Pure.
 *
 * Tokens and logs are nobody else's; the journal, the queue and the host's lists
 * are what memd goes on from, and must not go back when git checks out another commit.
 */
/** Undefined where nothing is missing. Lines that stand stay as they are; one that names a place in any way settles it. */
export function withIgnored(standing: string | undefined, wanted: string): string | undefined {
  if (standing === undefined) return wanted;
  const end = standing.includes("\r\n") ? "\r\n" : "\n";
  const settled = new Set(linesOf(standing).map(placeOf));
  const lines = linesOf(wanted);
  const missing = lines.filter((line) => isPattern(line) && !settled.has(placeOf(line)));
  if (missing.length === 0) return undefined;
  const above = lines.filter((line) => line.startsWith("#"));
  const before = standing === "" || standing.endsWith("\n") ? standing : `${standing}${end}`;
  const gap = before.trim() === "" ? "" : end;
  return `${before}${gap}${[...above, ...missing].map((line) => `${line}${end}`).join("")}`;
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

function isPattern(line: string): boolean {
  return line !== "" && !line.startsWith("#");
}

/** The same for `logs`, `/logs/` and `!logs/`: whoever wrote one of them has decided. */
function placeOf(line: string): string {
  return line
    .trim()
    .replace(/^!?\/?/, "")
    .replace(/\/$/, "");
}
