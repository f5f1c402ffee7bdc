/** `memd read`: what stands in a source that a search has named. */
import pc from "picocolors";
import { defined } from "../model/collections.js";
import { nameOf } from "../context/quote.js";
import type { AnswerOf } from "../service/operations.js";
import type { Part } from "../service/operations/sources.js";
import { sourceNamed } from "../service/source-name.js";
import { tell, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";

interface ReadFlags extends CommonOptions {
  from?: number;
  to?: number;
  as?: string;
}

/** A terminal has room. */
const TOKENS = 50_000;

export async function read(name: string, flags: ReadFlags): Promise<void> {
  const { path, ...lines } = sourceNamed(name);
  const { from = lines.from, to = lines.to, as } = flags;
  const answer = await askMemd(flags, "readSource", {
    path,
    ...defined({ from, to, as }),
    max_tokens: TOKENS,
  });
  tell(flags, answer, () => printed(answer));
}

function printed({ path, parts, next }: AnswerOf<"readSource">): string[] {
  return [
    ...parts.flatMap((part) => {
      const who = part.kind === "message" ? `  ${nameOf(part)}` : "";
      return [pc.dim(`${placeOf(path, part)}  ${part.date}${who}`), part.text, ""];
    }),
    ...(next === undefined ? [] : [`There is more: memd read ${path} --from ${next.from}`]),
  ];
}

/** In the owner's own file, where it is read from one. */
function placeOf(path: string, { lines: [first, last], original }: Part): string {
  const at = original === undefined ? { path, from: first } : sourceNamed(original);
  const { from = first } = at;
  return `${at.path}:${first === last ? from : `${from}-${from + last - first}`}`;
}
