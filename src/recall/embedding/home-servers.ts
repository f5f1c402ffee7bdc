/**
 * Servers of models that run on this machine: where they would be, and which of the models that they have turn
 * texts into vectors. Only lists of models are asked for here; no text is sent. Nothing but the loopback is asked.
 */
import * as z from "zod";
import type { HttpFetch } from "../../platform/http-client.js";
import type { HomeModel } from "../../protocol/embedding.js";

type ServerName = HomeModel["server"];

interface Place {
  server: ServerName;
  url: string;
}

export interface Places {
  places: readonly Place[];
  /** What was not looked at, and why. */
  refused?: string;
}

export const SERVER_TITLES: Readonly<Record<ServerName, string>> = {
  ollama: "Ollama",
  "lm-studio": "LM Studio",
};

const OLLAMA_PORT = "11434";
const LM_STUDIO: Place = { server: "lm-studio", url: "http://127.0.0.1:1234" };

/** Where they listen: Ollama where OLLAMA_HOST says, as long as that is this machine. */
export function placesIn(environment: Readonly<Record<string, string | undefined>>): Places {
  const named = environment["OLLAMA_HOST"]?.trim() ?? "";
  const url = named === "" ? `http://127.0.0.1:${OLLAMA_PORT}` : loopbackUrl(named);
  if (url !== undefined) return { places: [{ server: "ollama", url }, LM_STUDIO] };
  const refused = `OLLAMA_HOST names another machine (${named}); memd asks only what runs on this one`;
  return { places: [LM_STUDIO], refused };
}

/** Of `host`, `host:port`, `:port` or a URL, as Ollama takes it. Undefined for what is not this machine, or cannot be told. */
function loopbackUrl(named: string): string | undefined {
  const whole = /^https?:\/\//i.test(named) ? named : `http://${named.replace(/^:/, "127.0.0.1:")}`;
  if (!URL.canParse(whole)) return undefined;
  const url = new URL(whole);
  if (url.protocol !== "http:" || url.username !== "" || url.password !== "") return undefined;
  const isSchemed = whole === named;
  const port = url.port !== "" ? url.port : isSchemed ? "80" : OLLAMA_PORT;
  // Where it listens on all addresses, it listens on this one too; and names are nobody's word but the machine's.
  if (url.hostname === "0.0.0.0" || url.hostname === "localhost") return `http://127.0.0.1:${port}`;
  const isLoopback = /^127(?:\.\d{1,3}){3}$/.test(url.hostname) || url.hostname === "[::1]";
  return isLoopback ? `http://${url.hostname}:${port}` : undefined;
}

/** All that turn texts into vectors, the ones that memd would take first. A server that does not answer has none. */
export async function lookAround(places: readonly Place[], fetch: HttpFetch): Promise<HomeModel[]> {
  const offered = await Promise.all(
    places.map(async (place) => {
      const models = await OFFERS[place.server](place.url, fetch).catch(() => []);
      return models.filter(embeds).map((model): HomeModel => ({ ...place, model }));
    }),
  );
  return offered.flat().sort((one, other) => rank(one.model) - rank(other.model));
}

const OFFERS: Readonly<Record<ServerName, (url: string, fetch: HttpFetch) => Promise<string[]>>> = {
  ollama: async (url, fetch) => {
    const { models } = tags.parse(await (await fetch(`${url}/api/tags`)).json());
    // Some of its models run elsewhere, and what they are sent goes there.
    return models
      .filter(({ name, remote_host, remote_model }) => !remote_host && !remote_model && !/-cloud$/.test(name))
      .map(({ name }) => name);
  },
  "lm-studio": async (url, fetch) => {
    const { data } = listed.parse(await (await fetch(`${url}/v1/models`)).json());
    return data.map(({ id }) => id);
  },
};

const tags = z.object({
  models: z.array(
    z.object({
      name: z.string().max(200),
      remote_host: z.string().nullish(),
      remote_model: z.string().nullish(),
    }),
  ),
});
const listed = z.object({ data: z.array(z.object({ id: z.string().max(200) })) });

/** Those that read many languages, best first; then whatever else makes vectors. */
const PREFERRED = [
  /bge-m3/i,
  /qwen3-embedding/i,
  /multilingual-e5/i,
  /nomic-embed-text-v2/i,
  /embeddinggemma/i,
  /arctic-embed2|arctic-embed-[lm]-v2/i,
  /granite-embedding.*(?:278m|multilingual)/i,
  /multilingual/i,
] as const;

function rank(model: string): number {
  const place = PREFERRED.findIndex((pattern) => pattern.test(model));
  return place === -1 ? PREFERRED.length : place;
}

/** Read off its name: neither server tells what a model is for. */
function embeds(model: string): boolean {
  const isNamedSo = /embed|(?<![a-z0-9])(?:bge|e5|gte|minilm|labse)(?![a-z0-9])|paraphrase-multilingual/i;
  return isNamedSo.test(model) && !/rerank/i.test(model);
}
