/** `memd scopes`: where something was said, and the conversations of one place. */
import type { AnswerOf } from "../service/operations.js";
import { tell, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";
import { table } from "./words.js";

export async function scopes(
  scope: string | undefined,
  options: CommonOptions & { as?: string },
): Promise<void> {
  if (scope !== undefined) return sessionsOf(scope, options);
  const { as } = options;
  const { scopes: found } = await askMemd(options, "listScopes", { as });
  tell(options, found, () =>
    found.length === 0
      ? "Nothing was said yet; `memd say TEXT` says something."
      : table(
          ["scope", "conversations", ...SPAN],
          found.map(({ id, sessions, ...span }) => [id, String(sessions), ...rowOf(span)]),
        ),
  );
}

async function sessionsOf(scope: string, options: CommonOptions & { as?: string }): Promise<void> {
  const { as } = options;
  const { sessions } = await askMemd(options, "listSessions", { as, scope });
  tell(options, sessions, () =>
    sessions.length === 0
      ? `Nothing was said in ${scope}; \`memd scopes\` lists where something was.`
      : table(
          ["conversation", "of", ...SPAN],
          sessions.map(({ id, users, ...span }) => [id, users.join(", "), ...rowOf(span)]),
        ),
  );
}

const SPAN = ["messages", "from (UTC)", "to (UTC)"];
const MINUTE_CHARS = "2026-01-28T10:00".length;

function rowOf({
  messages,
  from,
  to,
}: Omit<AnswerOf<"listScopes">["scopes"][number], "id" | "sessions">): string[] {
  return [String(messages), ...[from, to].map((at) => at.slice(0, MINUTE_CHARS).replace("T", " "))];
}
