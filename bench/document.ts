/** Whether what memd publishes of itself is so, whoever asks for it and however wrongly. */
import { fuzz, type FuzzFigures } from "../test/attacks/document/fuzz.js";

export async function benchDocument(options: ReadonlyMap<string, string>): Promise<FuzzFigures> {
  const number = (name: string, otherwise: number): number => Number(options.get(name) ?? otherwise);
  return fuzz({ requests: number("requests", 10_000), seed: number("seed", 1) });
}
