import { expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.js";
import { type Desk, instant, openDesk, said } from "../support/archive-desk.js";
import { openStage } from "../support/stage.js";
import { supervisorOn } from "../support/supervisor-in-memory.js";

const DAY = "2026-02-19";
const NOW = "2026-02-20T12:00:00Z";

/** The desk with its one day under a name that an earlier memd may have given. */
async function named(slug: string, ...texts: string[]): Promise<Desk> {
  const at = (index: number): string => `${DAY}T10:00:0${index}Z`;
  const messages = texts.map((text, index) => said(`m${index}`, at(index), text));
  const desk = await openDesk({ now: NOW, files: { "history.json": messages } });
  await desk.pass();
  const [path = ""] = desk.files("memory/2026-");
  await desk.disk.rename(`/w/${path}`, `/w/memory/${DAY}-${slug}.md`);
  await desk.archive.rescan();
  return desk;
}

const nameOf = (desk: Desk): string | undefined =>
  /\d-([a-z].*)\.md/.exec(desk.files("memory/2026-")[0] ?? "")?.[1];
const renamed = async (desk: Desk): Promise<string | undefined> => {
  await desk.archive.renameTellingDays();
  return nameOf(desk);
};

test.each([
  ["tr0ub4dor3xyz-password", "the password for the nas is Tr0ub4dor3xyz"],
  ["berlin-nas", "the nas: password: Berlin"],
  ["zhimakaimen-mima", "wifi密码：芝麻开门"],
  // A name has room for the beginning of a long value.
  ["correcthorsebatterystaple", "password: correcthorsebatterystapleforever2"],
])("a day called %s by its secret gets another name, and says the same", async (slug, text) => {
  const desk = await named(slug, text, "the garden needs water");
  const before = desk.blocks().map(({ block }) => block.raw);
  const name = await renamed(desk);
  for (const word of slug.split("-").slice(0, 1)) expect(name).not.toContain(word);
  expect(desk.blocks().map(({ block }) => block.raw)).toEqual(before);
  const told = desk.events.filter(({ event }) => event === "file_renamed");
  expect(told).toEqual([expect.objectContaining({ file: `memory/${DAY}-${name}.md` })]);
  expect(JSON.stringify(told)).not.toContain(slug.split("-")[0]);
  expect(await renamed(desk)).toBe(name);
});

test.each([
  ["berlin-trip", ["password: Berlin", "the trip to Berlin is booked"]],
  ["a-name-of-my-own", ["password: Tr0ub4dor3xyz"]],
  ["garden-water", ["the garden needs water"]],
])("a day called %s, which no secret alone says, keeps its name", async (slug, texts) => {
  expect(await renamed(await named(slug, ...texts))).toBe(slug);
});

test("a free name is taken: no other file is written over", async () => {
  const desk = await named("tr0ub4dor3xyz", "password: Tr0ub4dor3xyz", "the garden needs water");
  const free = await renamed(desk);
  await desk.disk.rename(`/w/memory/${DAY}-${free}.md`, `/w/memory/${DAY}-tr0ub4dor3xyz.md`);
  desk.write(`memory/${DAY}-${free}.md`, "a person's own");
  await desk.archive.rescan();
  await desk.archive.renameTellingDays();
  expect(desk.files("memory/2026-")).toEqual(
    [`memory/${DAY}-${free}-2.md`, `memory/${DAY}-${free}.md`].sort(),
  );
  expect(desk.read(`memory/${DAY}-${free}.md`)).toBe("a person's own");
});

test("names are looked through by one pass, and not by those after it", async () => {
  const messages = [
    said("a", `${DAY}T10:00:00Z`, "password: Tr0ub4dor3xyz"),
    said("b", `${DAY}T11:00:00Z`, "the garden needs water"),
  ];
  const stage = await openStage({ "history.json": messages });
  const { disk } = stage;
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.archiveNow();
  const paths = (): string[] => Object.keys(disk.files()).filter((path) => path.includes(`/${DAY}-`));
  const [innocent = ""] = paths();
  const telling = `/w/memory/${DAY}-tr0ub4dor3xyz.md`;
  await disk.rename(innocent, telling);
  await stage.supervisor.archiveNow();
  expect(paths()).toEqual([telling]);
  await stage.supervisor.stop();
  // As an earlier memd has left it.
  disk.writeInPlace("/w/.memd/state.json", "{}");
  const next = supervisorOn(disk, systemClock(instant(NOW)));
  await next.start({ watch: false, work: true });
  await next.archiveNow();
  await next.stop();
  expect(paths()).toEqual([innocent]);
});

test("nor by another where a pass did not come to its end", async () => {
  const old = said("a", "2026-01-10T10:00:00Z", "the garden needs water");
  let tellAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => (tellAsked = resolve));
  const answer = (): Promise<never> => {
    tellAsked();
    return new Promise(() => undefined);
  };
  const stage = await openStage({ "history.json": [old] }, { answer });
  await stage.supervisor.start({ watch: false, work: true });
  await asked;
  expect(JSON.parse(stage.read(".memd/state.json"))).toEqual({ names: 1 });
  await stage.supervisor.stop();
});
