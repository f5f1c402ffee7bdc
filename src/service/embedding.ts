/** What is told of vectors, and the owner's yes to a server of this machine. */
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import { isoOf } from "../model/time.js";
import { type HomeModel, removeAccepted, writeAccepted } from "../protocol/embedding.js";
import { isSame } from "../recall/embedding/home.js";
import type { Memd } from "./memd.js";
import type { EmbeddingReport } from "./operations/embedding.js";

export async function embeddingOf(memd: Memd): Promise<EmbeddingReport> {
  await memd.stages.home.look();
  return reportOf(memd);
}

/** Of a model that is offered now, the best where none is named. Throws `embedding_unknown`. */
export async function acceptEmbedding(memd: Memd, model?: string): Promise<EmbeddingReport> {
  const { home } = memd.stages;
  await home.look();
  const taken = home.offered.find((offer) => model === undefined || offer.model === model);
  if (taken === undefined) throw new MemdError("embedding_unknown", unknownOf(memd, model));
  if (home.accepted === undefined || !isSame(home.accepted, taken)) {
    const { writer, workspace } = memd.archive.context;
    await writeAccepted(writer, workspace, { ...taken, acceptedAt: isoOf(memd.parts.clock.now()) });
    await home.look();
    memd.stages.embedder?.lookAgain();
    memd.changed();
  }
  return reportOf(memd);
}

export async function declineEmbedding(memd: Memd): Promise<{ declined: boolean }> {
  const { writer, workspace } = memd.archive.context;
  const { home } = memd.stages;
  // What is under way is sent no further, whatever the disk does.
  home.accepted = undefined;
  const declined = await removeAccepted(writer, workspace);
  await home.look();
  return { declined };
}

function unknownOf({ stages: { home } }: Memd, model: string | undefined): string {
  const nothing = home.parts.where.refused ?? "No Ollama or LM Studio with an embedding model answers here";
  if (home.offered.length === 0 || model === undefined) return `${nothing}.`;
  return `No server of this machine offers ${model}.`;
}

async function reportOf(memd: Memd): Promise<EmbeddingReport> {
  const { home } = memd.stages;
  const { embedding: status } = await memd.search.status();
  return defined({
    setting: memd.parts.settings.llm.embedding,
    found: home.offered.map(({ server, url, model }) => ({ server, url, model })),
    accepted: home.accepted,
    refused: home.parts.where.refused,
    status,
    advice: adviceOf(memd),
  });
}

function adviceOf({ stages: { home }, parts }: Memd): string | undefined {
  const { embedding, models } = parts.settings.llm;
  if (embedding?.startsWith("local:") === true) return undefined;
  if (embedding === undefined && models.embedding !== undefined) return undefined;
  const [best] = home.offered;
  const isTaken = home.offered.some((offer) => home.accepted !== undefined && isSame(offer, home.accepted));
  if (embedding === "auto") return isTaken ? undefined : best === undefined ? NONE : acceptIt(best);
  const setting = 'Write `embedding = "auto"` under `[llm]` in memd.toml and start memd again';
  if (best === undefined) return `${NONE} ${LOCAL}`;
  return isTaken ? `${setting}.` : `${setting}. ${acceptIt(best)}`;
}

const NONE = "Start Ollama or LM Studio with an embedding model, such as `ollama pull bge-m3`.";
const LOCAL = "Or have memd run a small one itself: `memd embed install`.";

function acceptIt({ model, url }: HomeModel): string {
  return `\`memd embed accept\` lets memd send the texts of this workspace to ${model} at ${url}, and nowhere else.`;
}
