/** When passages are embedded, and who waits for whom: an encoder that does as it is told here, and time by hand. */
import { beforeEach, expect, test } from "vitest";
import { settingsSchema, type Settings } from "../../src/model/settings.js";
import { epochMs } from "../../src/model/time.js";
import { Embedder } from "../../src/recall/embedder.js";
import type { Encoded, Encoder, EncodeRequest } from "../../src/recall/embedding/encoder.js";
import type { Engine } from "../../src/recall/index/engine.js";
import { memoryEngine } from "../../src/recall/index/memory.js";
import { handClock, type HandClock } from "../support/hand-clock.js";
import { said } from "./passage-samples.js";

const MINUTE_MS = 60_000;
/** Of those there are more than one batch of. */
const TEXTS = Array.from({ length: 7 }, (_, at) => `Note number ${at} of the harbour.`);

interface Told extends Encoder {
  model: string | undefined;
  asked: { texts: readonly string[]; of: EncodeRequest["of"] }[];
  mood: "well" | "hangs";
  encode: (texts: readonly string[], request: EncodeRequest) => Promise<Encoded>;
}

function encoder(model: string | undefined = "local:small"): Told {
  const told: Told = {
    title: "the small model",
    model,
    isHere: true,
    asked: [],
    mood: "well",
    gives: (other) => other === told.model,
    encode: (texts, { of, signal }) => {
      told.asked.push({ texts, of });
      if (told.mood === "well")
        return Promise.resolve({ vectors: texts.map((text) => [text.length % 7, text.length % 3, 1]) });
      return new Promise<Encoded>((resolve) => {
        signal?.addEventListener("abort", () => resolve({ reason: "cancelled" }));
      });
    },
  };
  return told;
}

let clock: HandClock;
let engine: Engine;
let machine: { battery: boolean; load: number };
beforeEach(async () => {
  clock = handClock(epochMs(Date.parse("2026-03-20T12:00:00Z")));
  engine = memoryEngine();
  machine = { battery: false, load: 0.1 };
  await engine.upsert(
    "a.md",
    "1",
    TEXTS.map((text, at) => said(text, { path: "a.md", id: String(at) })),
  );
});

function embedderOf(asked: Encoder, embedding: object = {}): Embedder {
  const settings: Settings = settingsSchema.parse({ embedding: { batch: 3, reads_han: true, ...embedding } });
  return new Embedder({
    encoder: asked,
    clock,
    settings,
    log: { write: () => undefined } as unknown as ConstructorParameters<typeof Embedder>[0]["log"],
    machine: {
      isOnBattery: () => Promise.resolve(machine.battery),
      loadPerCore: () => machine.load,
    },
  });
}

async function filled(embedder: Embedder): Promise<void> {
  embedder.fill(engine);
  await embedder.over();
}

const passagesAsked = ({ asked }: Told): string[] =>
  asked.filter(({ of }) => of === "passage").flatMap(({ texts }) => texts);

test("on battery nothing is embedded, a question is, and the rest follows by itself once it is plugged in", async () => {
  const asked = encoder();
  const embedder = embedderOf(asked);
  machine.battery = true;
  await filled(embedder);
  expect(embedder.status).toMatchObject({ embedded: 0, passages: 7, paused: "on battery" });
  expect(passagesAsked(asked)).toEqual([]);
  expect((await embedder.vectorOf("the harbour")).vector?.values).toHaveLength(3);

  await clock.advance(MINUTE_MS);
  await embedder.over();
  expect(embedder.status).toMatchObject({ embedded: 0, paused: "on battery" });

  machine.battery = false;
  await clock.advance(MINUTE_MS);
  await embedder.over();
  expect(embedder.status).toEqual({ model: "local:small", embedded: 7, passages: 7, readsHan: true });
  expect(passagesAsked(asked).sort()).toEqual([...TEXTS].sort());
  await embedder.close();
});

test("a machine that gets busy is left in peace after the batch that was begun", async () => {
  const asked = encoder();
  const embedder = embedderOf(asked);
  const { encode } = asked;
  asked.encode = async (texts, request) => {
    if (request.of === "passage") machine.load = 2;
    return encode(texts, request);
  };
  await filled(embedder);
  expect(embedder.status).toMatchObject({
    embedded: 3,
    paused: "the machine is busy (load 2.0 per core)",
  });
  machine.load = 0.2;
  asked.encode = encode;
  await clock.advance(MINUTE_MS);
  await embedder.over();
  expect(embedder.status).toMatchObject({ embedded: 7 });
  expect(passagesAsked(asked)).toHaveLength(7);
  await embedder.close();
});

test("neither pauses where the settings say so, or where the work is done elsewhere", async () => {
  machine = { battery: true, load: 9 };
  const careless = embedderOf(encoder(), { pause_on_battery: false, pause_above_load: 0 });
  await filled(careless);
  expect(careless.status).toMatchObject({ embedded: 7 });
  const elsewhere = embedderOf({ ...encoder("far"), isHere: false, gives: () => true });
  await filled(elsewhere);
  expect(elsewhere.status).toMatchObject({ model: "far", embedded: 7 });
});

test("what was embedded before a restart is not embedded again", async () => {
  const first = encoder();
  const embedder = embedderOf(first);
  first.encode = async (texts, { of }) => {
    first.asked.push({ texts, of });
    if (of === "passage" && passagesAsked(first).length > 3) return { reason: "it was killed" };
    return { vectors: texts.map(() => [1, 2, 3]) };
  };
  await filled(embedder);
  expect(embedder.status).toMatchObject({ embedded: 3, fault: "it was killed" });
  await embedder.close();

  const second = encoder();
  const again = embedderOf(second);
  await filled(again);
  expect(again.status).toMatchObject({ embedded: 7 });
  expect(passagesAsked(second)).toHaveLength(4);
});

test("who hangs while it is being found out makes one question wait, and no other", async () => {
  const asked = encoder();
  asked.mood = "hangs";
  const embedder = embedderOf(asked);
  embedder.fill(engine);
  await clock.advance(0);
  const waits = async (): Promise<number> => {
    const begun = clock.monotonicMs();
    const answered = embedder.vectorOf("the harbour");
    let isOver = false;
    void answered.then(() => (isOver = true));
    for (let step = 0; step < 40; step++) {
      await clock.advance(0);
      if (isOver) break;
      await clock.advance(100);
    }
    expect(isOver).toBe(true);
    return clock.monotonicMs() - begun;
  };
  expect(await waits()).toBeGreaterThanOrEqual(2000);
  expect(await waits()).toBe(0);
  expect(await waits()).toBe(0);
});

test("who is late for a question rests, so that the next ones do not wait", async () => {
  const asked = encoder();
  const embedder = embedderOf(asked);
  await filled(embedder);
  asked.mood = "hangs";
  const late = embedder.vectorOf("the harbour");
  await clock.advance(0);
  await clock.advance(2000);
  expect(await late).toEqual({ reason: "the small model is late" });
  const before = asked.asked.length;
  expect(await embedder.vectorOf("a boat")).toEqual({ reason: "the small model is late" });
  expect(asked.asked).toHaveLength(before);

  asked.mood = "well";
  await clock.advance(MINUTE_MS);
  expect((await embedder.vectorOf("a boat")).vector).toBeDefined();
});

test("vectors of one who cannot be asked any more are no vectors of a question: words answer until the new ones stand", async () => {
  await filled(embedderOf(encoder("local:old")));
  const asked = encoder("local:new");
  const embedder = embedderOf(asked);
  machine.battery = true;
  await filled(embedder);
  expect(await embedder.vectorOf("the harbour")).toEqual({});
  machine.battery = false;
  await clock.advance(MINUTE_MS);
  await embedder.over();
  expect((await embedder.vectorOf("the harbour")).vector?.space).toContain("local:new");
  expect([...(await engine.spaces()).keys()]).toEqual([expect.stringContaining("local:new")]);
});
