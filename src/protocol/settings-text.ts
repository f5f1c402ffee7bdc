/** `memd.toml` as a person wrote it, with one setting changed. Pure. */

/** `git.commit = true`; undefined where it is (`isOn`). Everything else stays as it was written. */
export function withCommits(text: string, isOn: boolean): string | undefined {
  if (isOn) return undefined;
  const lines = text.split("\n");
  const head = lines.findIndex((line) => /^\s*\[git\]\s*(?:#.*)?$/.test(line));
  if (head < 0) {
    const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    return `${before}${before === "" ? "" : "\n"}[git]\ncommit = true\n`;
  }
  const below = lines.slice(head + 1);
  const end = below.findIndex((line) => /^\s*\[/.test(line));
  const inside = end < 0 ? below : below.slice(0, end);
  const said = inside.findIndex((line) => /^\s*commit\s*=/.test(line));
  if (said < 0) lines.splice(head + 1, 0, "commit = true");
  else lines[head + 1 + said] = "commit = true";
  return lines.join("\n");
}
