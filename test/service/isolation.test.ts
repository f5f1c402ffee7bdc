/**
 * Whatever is asked, nobody is given what they may not read: a workspace of many
 * scopes and users, random readers, random filters. `MEMD_RUNS=100000` for a long look.
 */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { OWNER, type ScopeId, type Viewer, viewerAt } from "../../src/model/address.js";
import { foundOf, type Found, type Listed } from "../../src/model/found.js";
import { isMemdError } from "../../src/model/errors.js";
import { RECORD_KINDS, type MemoryRecord, type RecordKind } from "../../src/model/record.js";
import { systemClock } from "../../src/platform/clock.js";
import { memoryDir, profilePath, recordsPath, userRecordsPaths } from "../../src/protocol/workspace.js";
import type { Month } from "../../src/model/time.js";
import { DISTILLED_KINDS, type DistilledKind } from "../../src/recall/newest.js";
import { OPERATIONS, type OperationName, type ParsedOf } from "../../src/service/operations.js";
import { withFullNames } from "../../src/service/operations/operation.js";
import { listProfiles, listRevisions } from "../../src/service/profiles.js";
import {
  getProfile,
  listMemories,
  searchEvents,
  searchMemories,
  searchProfiles,
} from "../../src/service/questions.js";
import type { Memd } from "../../src/service/memd.js";
import { instant } from "../support/archive-desk.js";
import { profileText, record, recordLines, withoutUser } from "../support/records.js";
import { diskInMemory, supervisorOn } from "../support/supervisor-in-memory.js";

const RUNS = Number(process.env["MEMD_RUNS"] ?? 3000);

const USERS = ["local", "lin", "wei", "ana", "main"];
const GROUPS = ["harbor", "band", "lin", "main"];
const SCOPES = [
  "main",
  "docs",
  ...Array.from({ length: 6 }, (_, n) => `project-${n}`),
  ...GROUPS.map((group) => `group:${group}`),
  "main:docs",
  ...Array.from({ length: 4 }, (_, n) => `project-${n}:docs`),
  ...GROUPS.slice(0, 3).map((group) => `group:${group}:docs`),
];
const SESSIONS = ["main", "s-1", "s-2"];
const DAYS = ["2026-01-30", "2026-02-01", "2026-02-10", "2026-02-19"];

/** Everything that can be read: what it is, by its id in an answer. */
interface Thing {
  kind: DistilledKind;
  level: "user" | "scope" | "session";
  scope: string;
  user?: string;
  session?: string;
  day: string;
}

const things = new Map<string, Thing>();
let supervisor: Memd;

/** The rule in words of its own, so that the program's is not its own witness. */
function isOpen(reader: Viewer, { level, scope, user, session }: Thing): boolean {
  if (reader.kind === "owner") return true;
  const isMine = user !== undefined && user === reader.user;
  if (level === "user") return isMine;
  const isHere = scope === reader.scope || scope === `${reader.scope}:docs`;
  if (!isHere || !(reader.scope.startsWith("group:") || isMine)) return false;
  return level === "scope" || session === reader.session;
}

beforeAll(async () => {
  expect(SCOPES).toHaveLength(20);
  const clock = systemClock(instant("2026-02-20T12:00:00Z"));
  const disk = await diskInMemory(clock);
  const files = new Map<string, MemoryRecord[]>();
  const put = (file: string, one: MemoryRecord, day: string): void => {
    files.set(file, [...(files.get(file) ?? []), one]);
    const { kind, level, scope, user, session } = one;
    things.set(one.id, {
      kind,
      level: level as Thing["level"],
      scope,
      day,
      ...(user === undefined ? {} : { user }),
      ...(session === undefined ? {} : { session }),
    });
  };
  let count = 0;
  const made = (kind: RecordKind, more: Parameters<typeof record>[2]): [MemoryRecord, string] => {
    const day = DAYS[count % DAYS.length] ?? "";
    const id = `r${count++}`;
    return [
      record(id, `The ferry ${id} of ${more?.user} in ${more?.scope}`, {
        kind,
        at: `${day}T12:00:00Z`,
        ...more,
      }),
      day,
    ];
  };
  const month = "2026-02" as Month;
  for (const scope of SCOPES) {
    const file = recordsPath(scope as ScopeId, month);
    for (const user of USERS) {
      put(file, ...made(RECORD_KINDS[count % 4] ?? "event", { scope, user }));
      put(file, ...made("event", { scope, user, session: SESSIONS[count % 3] ?? "" }));
      for (const session of SESSIONS) put(file, ...made("fact", { scope, user, session, level: "session" }));
    }
    const [nobodys, day] = made("event", { scope });
    put(file, withoutUser(nobodys), day);
  }
  for (const user of USERS)
    for (const file of userRecordsPaths(user))
      put(file, ...made("fact", { level: "user", user, scope: "project-1" }));
  const write = async (file: string, text: string): Promise<void> => {
    await disk.makeDir(`/w/${file}`.replace(/\/[^/]*$/, ""));
    disk.writeInPlace(`/w/${file}`, text);
  };
  for (const [file, records] of files) await write(file, recordLines(...records));
  // Lines that stand where they do not belong are nobody's.
  const stray = record("stray", "The ferry that strayed", { scope: "project-5", user: "wei" });
  await write(`${memoryDir("project-0" as ScopeId)}/records/2026-01.jsonl`, recordLines(stray));
  const profiles = [
    ...USERS.map((id) => ["user", id] as const),
    ...GROUPS.map((id) => ["group", id] as const),
  ];
  for (const [entity, id] of profiles) {
    const file = profilePath(entity, id);
    await write(
      file,
      profileText(entity, id, `Sails the ferry as ${entity} ${id}`, {
        updatedAt: instant("2026-02-10T12:00:00Z"),
      }),
    );
    await write(
      `memory/profiles/history/${entity}s/${id}/2026-01-01T00-00-00-000Z.md`,
      profileText(entity, id, "Rowed"),
    );
    const belonging =
      entity === "user"
        ? { level: "user", scope: "main", user: id }
        : { level: "scope", scope: `group:${id}` };
    things.set(`${file}#1`, { kind: "profile", day: "2026-02-10", ...belonging } as Thing);
  }
  supervisor = supervisorOn(disk, clock);
  await supervisor.start({ watch: true, work: false });
  return () => supervisor.stop();
});

const reader = fc.oneof(
  { weight: 1, arbitrary: fc.constant(OWNER) },
  {
    weight: 12,
    arbitrary: fc
      .record({
        user: fc.constantFrom(...USERS, "", "stranger"),
        scope: fc.constantFrom(...SCOPES, "group:nobody", "project"),
        session: fc.constantFrom(...SESSIONS, ""),
      })
      .map(({ scope, ...rest }) => viewerAt({ ...rest, scope: scope as ScopeId })),
  },
);
const optional = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined });
const bound = fc.oneof(
  fc.constantFrom(...DAYS).map((day) => ({ day: day as never })),
  fc.constantFrom(...DAYS).map((day) => ({ at: instant(`${day}T12:00:00Z`) })),
);
const user = optional(fc.constantFrom(...USERS, "", "stranger"));
const period = { from: optional(bound), to: optional(bound) };
const narrowed = { user, group: optional(fc.constantFrom(...GROUPS, "group:harbor", "nobody")), ...period };
const limit = fc.constantFrom(1, 3, 12, 1000);
const query = fc.constantFrom(
  "ferry",
  "ferry of lin",
  "in group:harbor",
  "r7 r8 r9",
  "stranger",
  "eaten",
  "的",
);

type Asked = { reader: Viewer } & (
  | { call: "events"; asked: object & { kinds?: readonly RecordKind[] } }
  | { call: "list"; asked: object & { kinds?: readonly DistilledKind[] } }
  | { call: "search"; query: string; asked: object & { kinds?: readonly DistilledKind[] } }
  | { call: "profiles"; asked: { query: string; entity?: "user" | "group"; limit: number } }
  | { call: "profile"; entity: "user" | "group"; id: string }
);
const kindsOf = <K>(kinds: readonly K[]): fc.Arbitrary<readonly K[] | undefined> =>
  optional(fc.subarray([...kinds], { minLength: 1 }));
const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({
    call: fc.constant("events" as const),
    reader,
    asked: given({ ...narrowed, query: optional(query), kinds: kindsOf(RECORD_KINDS), limit }),
  }),
  fc.record({
    call: fc.constant("list" as const),
    reader,
    asked: given({ ...narrowed, kinds: kindsOf(DISTILLED_KINDS), limit: fc.constantFrom(5, 40, 1000) }),
  }),
  fc.record({
    call: fc.constant("search" as const),
    reader,
    query,
    asked: given({
      user,
      ...period,
      scope: optional(fc.constantFrom(...SCOPES)),
      session: optional(fc.constantFrom(...SESSIONS)),
      kinds: kindsOf(DISTILLED_KINDS),
      mode: optional(fc.constantFrom("keyword", "hybrid", "vector", "agentic")),
      limit,
    }),
  }),
  fc.record({
    call: fc.constant("profiles" as const),
    reader,
    asked: given({ query, entity: optional(fc.constantFrom("user" as const, "group" as const)), limit }),
  }),
  fc.record({
    call: fc.constant("profile" as const),
    reader,
    entity: fc.constantFrom("user" as const, "group" as const),
    id: fc.constantFrom(...USERS, ...GROUPS, "stranger", ""),
  }),
) as fc.Arbitrary<Asked>;

test(
  "no question gives what its reader may not read, nor what the filters leave out",
  { timeout: 3_600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(asked, (one) => check(one)),
      { numRuns: RUNS },
    );
  },
);

test("the rule of this test is broken where everybody may read", () => {
  const open = [...things.values()].filter((thing) =>
    isOpen(viewerAt({ user: "lin", scope: "main" as ScopeId, session: "main" }), thing),
  );
  expect(open.length).toBeGreaterThan(5);
  expect(open.length).toBeLessThan(things.size / 10);
});

async function check(one: Asked): Promise<void> {
  if (one.call === "profile") return checkProfile(one.reader, one.entity, one.id);
  const found = await foundBy(one);
  const ids = found.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const filters = one.asked as Parameters<typeof fits>[1];
  const kinds = filters.kinds ?? defaultKinds(one);
  for (const { id } of found) {
    const thing = things.get(id);
    const isAllowed = thing !== undefined && isOpen(one.reader, thing) && fits(thing, { ...filters, kinds });
    if (!isAllowed) throw new Error(`${id} was given away: ${JSON.stringify(thing)}`);
  }
  // A list leaves nothing out either.
  if (one.call !== "list") return;
  const open = [...things].filter(
    ([, thing]) => isOpen(one.reader, thing) && fits(thing, { ...filters, kinds }),
  );
  expect([...ids].sort()).toEqual(open.map(([id]) => id).sort());
}

function defaultKinds({ call }: Asked): readonly DistilledKind[] {
  return call === "events"
    ? ["event", "episode", "fact"]
    : call === "profiles"
      ? ["profile"]
      : DISTILLED_KINDS;
}

async function foundBy(one: Exclude<Asked, { call: "profile" }>): Promise<Found[]> {
  const hits = async (): Promise<readonly Listed[]> => {
    switch (one.call) {
      case "events":
        return (await searchEvents(supervisor, one.reader, named("searchEvents", one.asked))).found;
      case "list":
        return allPages(one.reader, one.asked);
      case "search":
        return (
          await searchMemories(
            supervisor,
            one.reader,
            named("searchMemories", { query: one.query, ...one.asked }),
          )
        ).hits;
      case "profiles":
        return (await searchProfiles(supervisor, one.reader, one.asked)).hits;
      default:
        return one satisfies never;
    }
  };
  return (await hits()).map(foundOf);
}

/** Under the names of the table; the times are parsed already. */
function named<N extends OperationName>(name: N, asked: object): ParsedOf<N> {
  return withFullNames(OPERATIONS[name].input, asked) as ParsedOf<N>;
}

/** Page by page, to the last. */
async function allPages(by: Viewer, narrowedBy: object): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let cursor: string | undefined, pages = 0; pages < things.size; pages++) {
    const page = await listMemories(supervisor, by, {
      ...named("listMemories", narrowedBy),
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...page.found);
    cursor = page.next;
    if (cursor === undefined) return found;
  }
  throw new Error("The pages do not end.");
}

async function checkProfile(by: Viewer, entity: "user" | "group", id: string): Promise<void> {
  const thing = things.get(`${profilePath(entity, id)}#1`);
  const isAllowed = thing !== undefined && isOpen(by, thing);
  const shown = await getProfile(supervisor, by, { entity, id }).catch((error: unknown) => {
    if (!isMemdError(error, "profile_unknown")) throw error;
    return undefined;
  });
  expect(shown !== undefined).toBe(isAllowed);
  const { revisions } = await listRevisions(supervisor, by, { entity, id });
  expect(revisions.length > 0).toBe(isAllowed);
  const known = await listProfiles(supervisor, by);
  expect(known.some((one) => one.entity === entity && one.id === id)).toBe(isAllowed);
}

function fits(
  thing: Thing,
  filters: {
    user?: string;
    group?: string;
    scope?: string;
    session?: string;
    kinds?: readonly string[];
    entity?: string;
    from?: object;
    to?: object;
  },
): boolean {
  const { user: ofUser, group, session, kinds, entity, from, to } = filters;
  const scope = filters.scope ?? (group === undefined ? undefined : `group:${group.replace("group:", "")}`);
  // Whichever way round: the two ends are turned where they must be.
  const days = [dayOf(from) ?? "0", dayOf(to) ?? "9"].sort();
  return (
    (ofUser === undefined || thing.user === ofUser) &&
    (session === undefined || thing.session === session) &&
    (scope === undefined || thing.scope === scope || thing.scope === `${scope}:docs`) &&
    (kinds === undefined || kinds.includes(thing.kind)) &&
    (entity === undefined || (thing.level === "user") === (entity === "user")) &&
    (days[0] ?? "") <= thing.day &&
    thing.day <= (days[1] ?? "")
  );
}

function dayOf(given: object | undefined): string | undefined {
  if (given === undefined) return undefined;
  return "day" in given
    ? String(given.day)
    : new Date(Number((given as { at: number }).at)).toISOString().slice(0, 10);
}

/** Without what is undefined. */
function given<T extends Record<string, fc.Arbitrary<unknown>>>(shape: T): fc.Arbitrary<object> {
  return fc
    .record(shape)
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
}
