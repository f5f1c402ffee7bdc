/** `memd profile`: what is known of people and groups, and how it came to be so. */
import pc from "picocolors";
import type { ProfileTarget } from "../historian/profile.js";
import { tell, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";
import { table } from "./words.js";

/** On whose behalf; the owner's when not given. */
type Reading = CommonOptions & { as?: string };

export async function listProfiles(options: Reading): Promise<void> {
  const { profiles } = await askMemd(options, "listProfiles", { as: options.as });
  const rows = profiles.map((target) => [given(target), target.name ?? ""]);
  tell(options, profiles, () =>
    rows.length === 0
      ? "Nobody is known yet: profiles grow from what agents observe (`memd end --observe TEXT`)."
      : table(["of", "name"], rows),
  );
}

export async function showProfile(of: string, options: Reading & { revision?: string }): Promise<void> {
  const { revision, as } = options;
  const shown = await askMemd(options, "getProfile", { ...targetIn(of), revision, as });
  tell(options, shown, () => shown.text.trimEnd());
}

export async function profileHistory(of: string, options: Reading): Promise<void> {
  const { revisions } = await askMemd(options, "listRevisions", { ...targetIn(of), as: options.as });
  tell(options, revisions, () =>
    revisions.length === 0 ? "There is no older version." : revisions.toReversed(),
  );
}

export async function diffProfile(of: string, revision: string | undefined, options: Reading): Promise<void> {
  const diff = await askMemd(options, "diffProfile", { ...targetIn(of), revision, as: options.as });
  const { from = null, gone, come } = diff;
  tell(options, { from, gone, come }, () =>
    gone.length + come.length === 0
      ? "Nothing is different."
      : [...gone.map((line) => pc.red(`- ${line}`)), ...come.map((line) => pc.green(`+ ${line}`))],
  );
}

export async function rollbackProfile(
  of: string,
  revision: string | undefined,
  options: CommonOptions,
): Promise<void> {
  const shown = await askMemd(options, "rollbackProfile", { ...targetIn(of), revision });
  tell(options, shown, () => `${shown.file} says again:\n\n${shown.text.trimEnd()}`);
}

export async function searchProfiles(query: string, options: Reading & { limit?: number }): Promise<void> {
  const { limit, as } = options;
  const { hits, advice = "" } = await askMemd(options, "searchProfiles", { query, limit, as });
  const lines = hits.map(
    ({ passage, score }) =>
      `${pc.bold(passage.path)}  ${score.toFixed(2)}\n${passage.text.replaceAll(/^/gm, "  ")}`,
  );
  tell(options, hits, () => (hits.length === 0 ? `No profile says that. ${advice}`.trimEnd() : lines));
}

/** A user's id, or `group:` and a group's. */
function targetIn(of: string): ProfileTarget {
  return of.startsWith("group:")
    ? { entity: "group", id: of.slice("group:".length) }
    : { entity: "user", id: of };
}

function given({ entity, id }: ProfileTarget): string {
  return entity === "group" ? `group:${id}` : id;
}
