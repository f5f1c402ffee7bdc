/** Who gives vectors, as the settings say: a model on this machine before one of an endpoint. */
import { encoderThread } from "../../platform/package-root.js";
import type { Disk } from "../../platform/disk.js";
import type { Encoder } from "./encoder.js";
import { endpointEncoder, type EndpointParts } from "./endpoint.js";
import type { HomeEncoder } from "./home.js";
import { LocalEncoder } from "./local.js";
import { embedFolder, localName } from "./local-model.js";

interface ChoiceParts extends EndpointParts {
  disk: Disk;
  environment: Readonly<Record<string, string | undefined>>;
  home: HomeEncoder;
}

/** Undefined where the settings name none. */
export function encoderFor({ disk, environment, home, ...endpoint }: ChoiceParts): Encoder | undefined {
  const { embedding, models } = endpoint.settings.llm;
  if (embedding === "auto") return home;
  const name = localName(embedding);
  if (name !== undefined)
    return new LocalEncoder({ disk, name, folder: embedFolder(environment), entry: encoderThread() });
  return models.embedding === undefined ? undefined : endpointEncoder(endpoint);
}
