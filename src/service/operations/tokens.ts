/** Who may ask besides the owner. */
import * as z from "zod";
import { maybe, name, only } from "./fields.js";
import { owner, reader } from "./operation.js";

const token = {
  id: z.string(),
  name: maybe,
  /** As whom it reads: `user/scope/session`, each part percent-encoded. */
  viewer: z.string(),
  /** ISO 8601. */
  createdAt: z.string(),
};

export const addToken = owner({
  call: "POST /tokens",
  command: "token add",
  summary:
    "lets whoever brings this token ask as one viewer; without a session in `viewer`, for nothing that is of one session alone. The token itself is told this once",
  input: z.strictObject({ viewer: reader, name: only }),
  example: { viewer: "lin/main", name: "lin's phone" },
  errors: ["value_invalid"],
  output: z.object({ token: z.string(), ...token }),
});

export const listTokens = owner({
  call: "GET /tokens",
  command: "token list",
  summary: "which tokens there are, and as whom each reads; oldest first",
  input: z.strictObject({}),
  output: z.object({ tokens: z.array(z.object(token)) }),
});

export const removeToken = owner({
  call: "DELETE /tokens/:id",
  command: "token remove",
  summary: "lets nobody in with that token any more: by its id, or its name",
  input: z.strictObject({ id: name }),
  example: { id: "4f0c9a1b" },
  errors: ["token_unknown"],
  output: z.object({ removed: z.object(token) }),
});
