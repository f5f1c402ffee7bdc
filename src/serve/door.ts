/**
 * The way in, for every request on the socket and on the port: how long its address
 * may be, where it comes from, who asks, how often and how many at once. All of it
 * before a body is read; what is let in is answered by app.ts, which is told as whom.
 */
import * as z from "zod";
import { entryOf } from "../model/collections.js";
import { MemdError, troubleOf } from "../model/errors.js";
import type { Token } from "../protocol/tokens.js";
import { Allowance, LIMITS } from "./allowance.js";
import type { App } from "./app.js";
import { type Asker, askerOf, isForeignBody, type Place, seatOf, strangeness } from "./guard.js";
import type { Assets } from "./page/assets.js";
import type { PageKeys } from "./page/keys.js";
import { problem } from "./problem.js";
import { Strangers, tooMany } from "./strangers.js";

/** Of path and query, in characters. */
const LONGEST_ADDRESS = 8192;

export interface DoorParts {
  app: App;
  ownerToken: string | undefined;
  /** As they stand now. */
  tokens: () => Promise<readonly Token[]>;
  monotonicMs: () => number;
  /** Where a page is served, on the port. */
  page?: { assets: Assets; keys: PageKeys };
}

/** Answers what comes from a place; allowances are the same wherever somebody asks. */
export type Door = (request: Request, place: Place) => Promise<Response>;

export function openDoor({ app, ownerToken, tokens, monotonicMs, page }: DoorParts): Door {
  const strangers = new Strangers(monotonicMs);
  const known = new Map<string, Allowance>();
  const allowanceOf = (asker: Asker): Allowance => {
    const key = asker.is === "owner" ? "owner" : asker.token.hash;
    return entryOf(known, key, () => new Allowance(LIMITS[asker.is]));
  };
  /** Of the files of the page, for all who load it. */
  const shown = new Allowance(LIMITS.bearer);
  /** The files of the page, which anybody may have, and the key that it asks for with its code. */
  const ofPage = async (request: Request, path: string, place: Place): Promise<Response | undefined> => {
    if (page === undefined || place.kind !== "loopback") return undefined;
    if (path === KEY_PATH && request.method === "POST") {
      const caller = { ...Object.fromEntries(request.headers), method: request.method };
      const isJson = !isForeignBody(caller, place);
      const isShort = Number(request.headers.get("content-length") ?? Infinity) <= LONGEST_CODE_BODY;
      const code = isJson && isShort ? codeIn(await request.text()) : undefined;
      const key = code === undefined ? undefined : page.keys.redeem(code, monotonicMs());
      return key === undefined ? strangers.refused(USED_CODE, 403) : Response.json({ key });
    }
    if (!page.assets.has(request.method, path)) return undefined;
    const waitS = shown.enter(monotonicMs());
    if (waitS !== undefined) return tooMany(waitS);
    return page.assets.answer(request.method, path).finally(() => shown.leave());
  };
  const letIn: Door = async (request, place) => {
    const { url, method, headers } = request;
    const { pathname, search } = new URL(url);
    const caller = { ...Object.fromEntries(headers), method };
    if (pathname.length + search.length > LONGEST_ADDRESS)
      return problem(new MemdError("usage", "The address is too long: what is long is sent in a body."), 414);
    const strange = strangeness(caller, place);
    if (strange !== undefined) return strangers.refused(strange, 403);
    const forPage = await ofPage(request, pathname, place);
    if (forPage !== undefined) return forPage;
    const brings = "authorization" in caller ? await tokens() : [];
    const asker = askerOf(caller, place, {
      ownerToken,
      tokens: brings,
      ...(page !== undefined && { pageOf: (key: string) => page.keys.holder(key) }),
    });
    const why = "authorization" in caller ? "There is no such token." : "Nobody asks here without a token.";
    if (asker === undefined) return strangers.refused(why, 401);
    const allowance = allowanceOf(asker);
    const waitS = allowance.enter(monotonicMs());
    if (waitS !== undefined) return tooMany(waitS);
    try {
      if (isForeignBody(caller, place))
        return problem(new MemdError("refused", "A body is sent as application/json."), 415);
      return await app.fetch(request, { seat: seatOf(asker) });
    } finally {
      allowance.leave();
    }
  };
  // Where it cannot be read who may ask, nobody may.
  return (request, place) => letIn(request, place).catch((error: unknown) => problem(troubleOf(error)));
}

/** Where the page gives its code back. */
const KEY_PATH = "/page/key";
const LONGEST_CODE_BODY = 200;
const USED_CODE = "This code has been used, or is older than a minute: open the page anew with `memd open`.";

function codeIn(body: string): string | undefined {
  try {
    return z.object({ code: z.string() }).safeParse(JSON.parse(body)).data?.code;
  } catch {
    // No JSON: no code either.
    return undefined;
  }
}
