/** An operation that is in no table: what is added to one is found wherever the table is read. */
import * as z from "zod";
import { limit, name } from "../../src/service/operations/fields.js";
import { viewer } from "../../src/service/operations/operation.js";
import { served } from "../../src/service/served.js";

export const echo = viewer({
  call: "POST /echo/:id",
  summary: "says it again",
  input: z.strictObject({ id: name, text: z.string(), loud: limit }),
  output: z.object({ said: z.string() }),
});

export const ECHO = served("echo", echo, (_service, viewer, { id, text, loud = 1 }) => {
  const who = viewer.kind === "owner" ? "the owner" : viewer.user;
  return Promise.resolve({ said: `${id}: ${text.repeat(loud)} (${who})` });
});
