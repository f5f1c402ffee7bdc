/** `memd token`: who may ask besides the owner. The file is edited here, whether memd runs or not. */
import { type Seat, seatIn, seatText } from "../model/address.js";
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import { fileLocks } from "../platform/lock.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { addToken, readTokens, removeToken } from "../protocol/tokens.js";
import { shownToken } from "../service/tokens.js";
import { commandClock, type CommonOptions, openWorkspace, tell } from "./context.js";
import { shortTime, table } from "./words.js";

const writer = { ...ownerless, locks: fileLocks };

type AddFlags = CommonOptions & { as: string; session?: string; name?: string };

export async function addTokenFor(flags: AddFlags): Promise<void> {
  const { as, session, name } = flags;
  const seat = seatOf(as, session);
  const workspace = await openWorkspace(flags);
  const { secret, token } = await addToken(writer, workspace, defined({ seat, name }), commandClock().now());
  tell(flags, { token: secret, ...shownToken(token) }, () => [
    secret,
    `Reads as ${seatText(seat)}${seat.session === undefined ? ", and nothing that is of one session alone" : ""}.`,
    `It is shown this once; \`memd token remove ${token.id}\` takes it back.`,
  ]);
}

export async function listTokens(options: CommonOptions): Promise<void> {
  const tokens = (await readTokens(nodeDisk, await openWorkspace(options))).map(shownToken);
  tell(options, tokens, () =>
    tokens.length === 0
      ? "There are no tokens; `memd token add --as USER/SCOPE` makes one."
      : table(
          ["id", "name", "reads as", "made"],
          tokens.map(({ id, name = "", viewer, createdAt }) => [id, name, viewer, shortTime(createdAt)]),
        ),
  );
}

export async function removeTokenNamed(named: string, options: CommonOptions): Promise<void> {
  const token = await removeToken(writer, await openWorkspace(options), named);
  tell(options, { removed: shownToken(token) }, () => `Removed ${named}: it lets nobody in from now on.`);
}

/** The session may be the third part of the address too. */
function seatOf(as: string, session: string | undefined): Seat {
  const seat = seatIn(as);
  if (session === undefined) return seat;
  if (session.trim() === "") throw new MemdError("usage", "--session is empty.");
  if (seat.session !== undefined)
    throw new MemdError("usage", `The session of ${as} is said twice: leave --session out.`);
  return { ...seat, session };
}
