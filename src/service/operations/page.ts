/** The page: what the agent saw, why, and where it is written. */
import * as z from "zod";
import { owner, reader } from "./operation.js";

export const openPage = owner({
  call: "POST /page",
  command: "open",
  summary:
    "the address of the page, with a code that lets it in once, within a minute; with `viewer` it shows what that one may read. memd listens on a port of 127.0.0.1 from then on",
  input: z.strictObject({ viewer: reader.exactOptional() }),
  example: { viewer: "lin/main" },
  output: z.object({ url: z.string() }),
});
