/** What a start knows with a checkpoint is what it knows without one, whatever has become of the files since. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Archive } from "../../src/archive/archive.js";
import { copyHash, placeHash } from "../../src/archive/identity.js";
import { Checkpoints, writeCheckpoint } from "../../src/archive/checkpoints.js";
import { type Desk, openDesk, said } from "../support/archive-desk.js";

const FILE = ".memd/checkpoint.jsonl";

/** All that a start reads off blocks and journal. */
function known({ context: { ledger, catalogue } }: Archive): unknown {
  const entries = [...ledger.entries()];
  const places = new Set(entries.map(({ scope, session }) => `${scope} ${session}`));
  return {
    entries: entries.map(({ createdAt, ...entry }) => ({
      ...entry,
      createdAt: createdAt ?? new Date(entry.filedAt).toISOString(),
    })),
    places: entries.map((entry) => [placeHash(entry), copyHash(entry, entry.hash)]),
    unsettled: ledger.unsettled().map(({ key, held, place }) => ({ key, held, place })),
    names: entries.map(({ key }) => [key, ledger.isMet(key), ledger.aliasesOf(key)]),
    stubs: [...new Set(entries.map(({ scope }) => scope))].map((scope) => ledger.stubsOf(scope)),
    oneSide: ledger.seenOnOneSide().map(({ key }) => key),
    imports: [...ledger.imports.conversations()].map(({ messages, ...whose }) => ({
      ...whose,
      messages: messages.map(({ key }) => key),
    })),
    speakers: [...places].map((place) => {
      const [scope = "", session = ""] = place.split(" ");
      return (["history", "import"] as const).map((from) =>
        ledger.lastSpeaker(scope as never, session, from),
      );
    }),
    days: catalogue.verbatimDays().sort((one, other) => one.path.localeCompare(other.path)),
  };
}

async function startedWithAndWithout(desk: Desk): Promise<{ read: number; same: [unknown, unknown] }> {
  await desk.restart();
  const read = desk.archive.context.catalogue.messagesRead;
  const first = known(await desk.restart());
  await desk.disk.unlink(`/w/${FILE}`);
  return { read, same: [first, known(await desk.restart())] };
}

const AT = "2026-03-01T10:00:00Z";
const WHO = [
  {},
  { user: "lin", speaker: "Lin" },
  { role: "agent" },
  { session: "s-2", user: "mo" },
  { scope: "team" },
];

interface World {
  desk: Desk;
  list: Record<string, unknown>[];
  count: number;
}

const STEPS: Record<string, (world: World, pick: number) => Promise<void> | void> = {
  say: (world, pick) => {
    const { desk } = world;
    const at = new Date(Date.parse(AT) + world.count * 3_600_000 * (pick % 9)).toISOString();
    world.list.push(said(`m-${world.count++}`, at, `Words number ${world.count}`, WHO[pick % WHO.length]));
    desk.write("history.json", world.list);
  },
  wait: (world, pick) => {
    world.desk.write("inbox.json", [said(`i-${world.count++}`, AT, `Waits ${pick}`)]);
  },
  change: (world, pick) => {
    const message = world.list[pick % Math.max(1, world.list.length)];
    if (message !== undefined) message["text"] = `Another version ${world.count++}`;
    world.desk.write("history.json", world.list);
  },
  drop: (world) => {
    world.list.splice(1, 1);
    world.desk.write("history.json", world.list);
  },
  bring: async (world, pick) => {
    const message = said(`p-${world.count++}`, AT, `Of the past ${pick}`, WHO[pick % WHO.length]);
    await world.desk.archive.importMessages([message as never]);
  },
  look: ({ desk }) => desk.archive.look(),
  pass: ({ desk }) => desk.pass(),
  edit: ({ desk }, pick) => {
    const days = [...new Set(desk.blocks().map(({ path }) => path))];
    const day = days[pick % Math.max(1, days.length)];
    if (day !== undefined)
      desk.write(day, desk.read(day).replace(/[Ww]ords|Waits|version/, `Edited ${pick}`));
  },
  remove: async ({ desk }, pick) => {
    const days = [...new Set(desk.blocks().map(({ path }) => path))];
    const day = days[pick % Math.max(1, days.length)];
    if (day !== undefined && pick % 3 === 0) await desk.disk.unlink(`/w/${day}`);
  },
  tear: ({ desk }) => {
    const journal = desk.files("journal/").at(-1);
    if (journal !== undefined) desk.write(journal, `${desk.read(journal)}{"op":"mess`);
  },
  tick: ({ desk }, pick) => desk.clock.advance(pick * 3_600_000),
  restart: async ({ desk }) => void (await desk.restart()),
  checkpoint: ({ desk }) => writeCheckpoint(desk.archive.context),
};

test("a start with a checkpoint knows what one without it knows", async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(STEPS), "say", "say", "pass"), fc.nat(40));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const world: World = { desk: await openDesk({ now: "2026-03-05T12:00:00Z" }), list: [], count: 0 };
      for (const [name, pick] of steps) await STEPS[name]?.(world, pick);
      const { same } = await startedWithAndWithout(world.desk);
      expect(same[0]).toEqual(same[1]);
    }),
    { numRuns: 150 },
  );
});

async function livedIn(): Promise<Desk> {
  const messages = Array.from({ length: 40 }, (_, n) =>
    said(`m-${n}`, `2026-03-0${1 + (n % 3)}T10:${10 + n}:00Z`, `Secretive words ${n}`, WHO[n % WHO.length]),
  );
  const desk = await openDesk({ now: "2026-03-05T12:00:00Z", files: { "history.json": messages } });
  await desk.pass();
  desk.write("history.json", [...messages, said("late", "2026-03-05T11:00:00Z", "Not in a block yet")]);
  await desk.archive.look();
  await writeCheckpoint(desk.archive.context);
  return desk;
}

/** What becomes of two messages of a day, each archived by a pass of its own, before the checkpoint is written. */
const TWISTS: [string, (world: World) => Promise<void> | void][] = [
  [
    "a message got another version before its block was written anew",
    async ({ desk, list }) => {
      (list[0] as { text: string }).text = "Said otherwise";
      desk.write("history.json", list);
      await desk.pass();
    },
  ],
  [
    "a person changed the block of another pass",
    ({ desk }) => desk.write(dayOf(desk), desk.read(dayOf(desk)).replace("Words of lin", "A person's words")),
  ],
  [
    "a person changed whose a message is",
    ({ desk }) => desk.write(dayOf(desk), desk.read(dayOf(desk)).replaceAll("lin", "kim")),
  ],
  ["the day has moved", ({ desk }) => desk.clock.advance(60 * 86_400_000)],
];

function dayOf(desk: Desk): string {
  return desk.blocks()[0]?.path ?? "";
}

test.each(TWISTS)("what is known is the same where %s", async (_what, twist) => {
  const list = [
    said("one", "2026-03-04T10:00:00Z", "Words of lin", { user: "lin" }),
    said("two", "2026-03-04T10:01:00Z", "An answer", { role: "agent" }),
  ];
  const desk = await openDesk({ now: "2026-03-05T12:00:00Z", files: { "history.json": list.slice(0, 1) } });
  await desk.pass();
  desk.write("history.json", list);
  await desk.pass();
  await twist({ desk, list, count: 2 });
  await desk.restart();
  await writeCheckpoint(desk.archive.context);
  const { same } = await startedWithAndWithout(desk);
  expect(same[0]).toEqual(same[1]);
});

describe("a checkpoint", () => {
  test("spares a start the reading of days, and holds none of the words", async () => {
    const desk = await livedIn();
    expect(desk.read(FILE)).toContain("m-17");
    expect(desk.read(FILE)).not.toMatch(/Secretive|Not in a block/);
    const { read, same } = await startedWithAndWithout(desk);
    expect(read).toBe(0);
    expect(same[0]).toEqual(same[1]);
    expect(desk.archive.context.ledger.unsettled().map(({ held }) => held?.message.text)).toEqual([
      "Not in a block yet",
    ]);
  });

  test("is not believed about a day that has changed, or a journal that began otherwise", async () => {
    const desk = await livedIn();
    const day = desk.files("memory/").find((file) => file.includes("2026-03-02")) ?? "";
    desk.write(day, desk.read(day).replace("Secretive words 1", "What a person wrote"));
    const [journal = ""] = desk.files("journal/");
    desk.write(journal, desk.read(journal).split("\n").slice(1).join("\n"));
    const { read, same } = await startedWithAndWithout(desk);
    expect(read).toBe(desk.blocks().filter(({ path }) => path === day).length);
    expect(same[0]).toEqual(same[1]);
  });

  test.each([
    ["a byte of it is another", (text: string) => text.replace("m-17", "m-71")],
    ["half of it is there", (text: string) => text.slice(0, text.length / 2)],
    ["it is of another memd", (text: string) => text.replace(/"memd":"[^"]*"/, '"memd":"9.9.9"')],
    ["it is empty", () => ""],
  ])("is left aside where %s", async (_what, spoilt) => {
    const desk = await livedIn();
    const all = desk.blocks().length;
    desk.write(FILE, spoilt(desk.read(FILE)));
    const { read, same } = await startedWithAndWithout(desk);
    expect(read).toBe(all);
    expect(same[0]).toEqual(same[1]);
  });

  test("is gone once something is forgotten, and the one that is being written with it", async () => {
    const desk = await livedIn();
    const keeper = new Checkpoints(desk.archive, 1);
    await desk.archive.forgetting(() => keeper.forget());
    expect(desk.files(".memd/")).not.toContain(FILE);
    keeper.poll();
    await desk.archive.forgetting(() => keeper.forget());
    expect(desk.files(".memd/")).not.toContain(FILE);
    await keeper.stop();
    expect(desk.files(".memd/").filter((file) => file.includes("checkpoint"))).toEqual([]);
    await expect(writeCheckpoint(desk.archive.context, () => true)).rejects.toThrow();
    expect(desk.files(".memd/")).not.toContain(FILE);
  });

  test("is written once there is enough that a start would have to read, and again once as much has come", async () => {
    const desk = await livedIn();
    await desk.disk.unlink(`/w/${FILE}`);
    const [few, many] = [new Checkpoints(desk.archive, 1), new Checkpoints(desk.archive, 1000)];
    many.poll();
    await many.forget();
    expect(desk.files(".memd/")).not.toContain(FILE);
    few.poll();
    await expect.poll(() => desk.files(".memd/")).toContain(FILE);
    await few.forget();
    few.poll();
    await few.stop();
    expect(desk.files(".memd/")).not.toContain(FILE);
  });
});
