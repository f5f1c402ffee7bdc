/** `memd scopes`: where something was said, and the conversations of one place. */
import { minuteOf, parseInstant, type Zone, zoneOf } from "../model/time.js";
import { nodeDisk } from "../platform/node-disk.js";
import { readSettings } from "../protocol/settings.js";
import type { AnswerOf } from "../service/operations.js";
import { openWorkspace, tell, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";
import { table } from "./words.js";

export async function scopes(
  scope: string | undefined,
  options: CommonOptions & { as?: string },
): Promise<void> {
  if (scope !== undefined) return sessionsOf(scope, options);
  const { as } = options;
  const { scopes: found } = await askMemd(options, "listScopes", { as });
  const zone = await zoneHere(options);
  tell(options, found, () =>
    found.length === 0
      ? "Nothing was said yet; `memd say TEXT` says something."
      : table(
          ["scope", "conversations", ...SPAN],
          found.map(({ id, sessions, ...span }) => [id, String(sessions), ...rowOf(span, zone)]),
        ),
  );
}

async function sessionsOf(scope: string, options: CommonOptions & { as?: string }): Promise<void> {
  const { as } = options;
  const { sessions } = await askMemd(options, "listSessions", { as, scope });
  const zone = await zoneHere(options);
  tell(options, sessions, () =>
    sessions.length === 0
      ? `Nothing was said in ${scope}; \`memd scopes\` lists where something was.`
      : table(
          ["conversation", "of", ...SPAN],
          sessions.map(({ id, users, ...span }) => [id, users.join(", "), ...rowOf(span, zone)]),
        ),
  );
}

const SPAN = ["messages", "from", "to"];

type Span = Omit<AnswerOf<"listScopes">["scopes"][number], "id" | "sessions">;

function rowOf({ messages, from, to }: Span, zone: Zone): string[] {
  return [
    String(messages),
    ...[from, to].map((text) => {
      const instant = parseInstant(text);
      return instant === undefined ? text : minuteOf(instant, zone);
    }),
  ];
}

/** As the days of the workspace are reckoned. */
async function zoneHere(options: CommonOptions): Promise<Zone> {
  const { timezone } = await readSettings(nodeDisk, await openWorkspace(options));
  return zoneOf(timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
