/** `memd embed`: which model turns texts into vectors, and the owner's yes to one on this machine. */
import pc from "picocolors";
import { SERVER_TITLES } from "../recall/embedding/home-servers.js";
import type { EmbeddingReport } from "../service/operations/embedding.js";
import { installEmbedding } from "./embed-install.js";
import { type CommonOptions, tell } from "./context.js";
import { askMemd } from "./memd.js";
import { vectorsOf } from "./status.js";

export async function embedStatus(options: CommonOptions): Promise<void> {
  tell(options, await askMemd(options, "embedding", {}), linesOf);
}

export async function acceptEmbedding(model: string | undefined, options: CommonOptions): Promise<void> {
  const report = await askMemd(options, "acceptEmbedding", { model });
  tell(options, report, ({ accepted, advice }) => {
    if (accepted === undefined) return "Nothing is accepted.";
    const { server, url } = accepted;
    return [
      `Texts of this workspace may be sent to ${accepted.model} of ${SERVER_TITLES[server]} at ${url}.`,
      "`memd embed decline` takes that back.",
      ...(advice === undefined ? [] : [advice]),
    ];
  });
}

export async function declineEmbedding(options: CommonOptions): Promise<void> {
  tell(options, await askMemd(options, "declineEmbedding", {}), ({ declined }) =>
    declined
      ? "No text is sent to a server of this machine any more; words answer."
      : "Nothing had been accepted.",
  );
}

export async function install(...given: Parameters<typeof installEmbedding>): Promise<void> {
  return installEmbedding(...given);
}

function linesOf({ setting, found, accepted, refused, status, advice }: EmbeddingReport): string[] {
  const row = (name: string, value: string): string => `${pc.dim(name.padEnd(10))} ${value}`;
  return [
    row("setting", setting === undefined ? "llm.embedding is not set" : `llm.embedding = "${setting}"`),
    ...(status === undefined ? [] : [row("vectors", vectorsOf(status))]),
    ...found.map(({ server, url, model }) => row("found", `${model}, ${SERVER_TITLES[server]} at ${url}`)),
    ...(found.length === 0 ? [row("found", "no embedding model of a server on this machine")] : []),
    ...(refused === undefined ? [] : [row("left out", refused)]),
    ...(accepted === undefined
      ? []
      : [row("accepted", `${accepted.model}, ${SERVER_TITLES[accepted.server]} at ${accepted.url}`)]),
    ...(advice === undefined ? [] : [advice]),
  ];
}
