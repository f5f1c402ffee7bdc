/** Three things that were said, told apart by what they mean: the talk for tests of vectors. */
import { expect } from "vitest";
import { cliPlace, type Place } from "./cli.js";

export const NOW = "2026-03-20T12:00:00Z";
export const TEXTS = [
  "We adopted a puppy from the shelter.",
  "The quarterly budget was approved.",
  "It rained all week.",
] as const;
const HISTORY = TEXTS.map((text, at) => ({
  id: `m-${at}`,
  role: "user",
  speaker: "Ana",
  text,
  createdAt: "2026-03-02T10:00:00Z",
}));

/** Archived, and then with these settings. */
export async function placeOfTexts(settings: string): Promise<Place> {
  const place = cliPlace({ zone: "UTC", files: { "history.json": HISTORY, "inbox.json": [] } });
  expect((await place.memd(["archive", "--now"], { now: NOW })).code).toBe(0);
  place.write("memd.toml", settings);
  return place;
}
