/**
 * A workspace of many people, places and conversations whose names are easily
 * taken for each other. Each of them has a word of their own in everything that
 * is kept of them, and this file says by itself who may read which.
 */
import path from "node:path";
import { builtinAnswer } from "../../src/llm/run-job.js";
import type { SummaryOutcome } from "../../src/llm/jobs/summary.js";
import { OWNER, type ScopeId } from "../../src/model/address.js";
import type { MemoryRecord } from "../../src/model/record.js";
import type { Month } from "../../src/model/time.js";
import { systemClock } from "../../src/platform/clock.js";
import { profilePath, recordsPath, userRecordsPaths } from "../../src/protocol/workspace.js";
import type { Memd } from "../../src/service/memd.js";
import { instant } from "../../test/support/archive-desk.js";
import { profileText, record, recordLines } from "../../test/support/records.js";
import { talkOf } from "../../test/support/topic-talk.js";
import { diskInMemory, supervisorOn } from "../../test/support/supervisor-in-memory.js";
import { workerIn } from "../../test/support/worker.js";

const USERS = [
  "local",
  "lin",
  "Lin",
  "LIN",
  "ｌｉｎ",
  "lin.",
  "lin ",
  "jose\u0301",
  "jos\u00e9",
  "José",
  "a/b",
  "a%2Fb",
  "a%252Fb",
  "a%2fb",
  "..",
  "main",
  "wei",
  "Wei",
  "group:harbor",
  "%6cin",
  "l\u0131n",
  "ﬁn",
  "fin",
  "ß",
  "ss",
  "..%2F..",
  "con",
  "CON",
  "林悦",
  "林悅",
];
const SCOPES = [
  "main",
  "group:harbor",
  "Main",
  "group:Harbor",
  "p/q",
  "p%2Fq",
  "p%252Fq",
  "ma\u0301in",
  "m\u00e1in",
  "ｍain",
  "main ",
  "group:p/q",
  "group:",
  "group",
  "main.",
  "harbor",
  "..",
  "project",
  "Project",
  "group:h\u00e1rbor",
];
const SESSIONS = ["main", "s-1", "S-1"];
const NOW = "2026-03-20T12:00:00Z";

export interface Reader {
  user: string;
  scope: string;
  session: string;
}

/** Whose a word is, and how far it reaches. */
interface Kept extends Partial<Reader> {
  reach: "owner" | "person" | "place" | "conversation";
}

export interface World {
  memd: Memd;
  readers: Reader[];
  /** By its word. */
  kept: ReadonlyMap<string, Kept>;
  /** Of all files that somebody may read something in. */
  paths: string[];
}

/** Written anew, after the text of the rule and not its code: what is somebody's is theirs, what was said in a group is the group's. */
export function maySee(reader: Reader, { reach, user, scope, session }: Kept): boolean {
  const inGroup = reader.scope.slice(0, 6) === "group:";
  if (reach === "owner") return reader.user === "local" && !inGroup;
  if (reach === "person") return user === reader.user;
  if (scope !== reader.scope) return false;
  if (reach === "conversation" && session !== reader.session) return false;
  return inGroup || user === reader.user;
}

/** What stands in its files, by their paths, and who may read what of it. */
interface WorldFiles extends Pick<World, "readers" | "kept"> {
  files: ReadonlyMap<string, string>;
}

interface WorldOptions {
  topics?: object;
  /** Every other of them in a place speaks so often that there are topics. */
  talk?: number;
}

export async function worldOf(
  userCount: number,
  scopeCount: number,
  { topics = { enabled: true }, talk = 0 }: WorldOptions = {},
): Promise<World> {
  const { files, readers, kept } = worldFiles(userCount, scopeCount, talk);
  const memd = await running(files, { topics });
  return { memd, readers, kept, paths: await memd.search.paths(OWNER) };
}

function worldFiles(userCount: number, scopeCount: number, talk = 0): WorldFiles {
  const users = namesOf(USERS, userCount, "user");
  const scopes = namesOf(SCOPES, scopeCount, "scope");
  const kept = new Map<string, Kept>();
  const word = (of: Kept): string => {
    const made = wordOf(kept.size);
    kept.set(made, of);
    return made;
  };
  const files = new Map<string, string>();
  const messages: object[] = [];
  const records = new Map<string, MemoryRecord[]>();
  const put = (file: string, one: MemoryRecord): void =>
    void records.set(file, [...(records.get(file) ?? []), one]);
  for (const user of users) {
    for (const scope of scopes) {
      for (const session of SESSIONS) {
        const day = 1 + (messages.length % 19);
        const said = word({ reach: "place", user, scope, session });
        messages.push({
          id: `m${messages.length}`,
          role: "user",
          user,
          scope,
          session,
          text: `I will take the ${said} ferry to Porto.`,
          createdAt: `2026-03-${String(day).padStart(2, "0")}T10:00:00Z`,
        });
      }
      if (messages.length % 2 === 1) messages.push(...talkIn({ user, scope }, talk, word));
      const file = recordsPath(scope as ScopeId, "2026-03" as Month);
      const at = "2026-03-10T12:00:00Z";
      const event = word({ reach: "place", user, scope });
      put(file, record(`r${kept.size}`, `The ferry ${event} sank.`, { user, scope, at }));
      for (const session of SESSIONS) {
        const fact = word({ reach: "conversation", user, scope, session });
        const more = { kind: "fact", level: "session", user, scope, session, at } as const;
        put(file, record(`r${kept.size}`, `The ferry ${fact} leaves.`, more));
      }
    }
    const trait = word({ reach: "person", user });
    for (const file of userRecordsPaths(user))
      put(
        file,
        record(`r${kept.size}`, `The ferry ${trait} is liked.`, {
          kind: "fact",
          level: "user",
          user,
          scope: scopes[0] ?? "main",
        }),
      );
    files.set(
      profilePath("user", user),
      profileText("user", user, `Sails the ${word({ reach: "person", user })} ferry`),
    );
  }
  for (const scope of scopes.filter((one) => one.startsWith("group:") && one !== "group:")) {
    const of = word({ reach: "place", scope });
    files.set(
      profilePath("group", scope.slice(6)),
      profileText("group", scope.slice(6), `Sails the ${of} ferry`),
    );
  }
  files.set("memory.md", `## Notes\n\n- The ferry ${word({ reach: "owner" })} is ours.\n`);
  files.set("history.json", JSON.stringify(messages));
  for (const [file, lines] of records) files.set(file, recordLines(...lines));
  const readers = users.flatMap((user) =>
    scopes.flatMap((scope) => SESSIONS.slice(0, 2).map((session) => ({ user, scope, session }))),
  );
  return { files, readers, kept };
}

/** About two matters, with a word in each message. */
function talkIn(
  { user, scope }: Omit<Reader, "session">,
  count: number,
  word: (of: Kept) => string,
): object[] {
  if (count === 0) return [];
  const said = word({ reach: "place", user, scope });
  return (["tea", "python"] as const).flatMap((matter, at) =>
    talkOf(matter, count / 2, `2026-03-0${at + 1}T09:00:00Z`, { user, scope }).map((message) => ({
      ...message,
      id: `${String(message["id"])}-${said}`,
      text: `${String(message["text"])} `.repeat(3) + said,
    })),
  );
}

async function running(files: ReadonlyMap<string, string>, settings: object): Promise<Memd> {
  const clock = systemClock(instant(NOW));
  const disk = await diskInMemory(clock);
  for (const [file, text] of files) {
    await disk.makeDir(path.dirname(`/w/${file}`));
    disk.writeInPlace(`/w/${file}`, text);
  }
  const memd = supervisorOn(disk, clock, {
    settings,
    spawn: workerIn(async (job) => {
      const result = await builtinAnswer(job);
      return (result === undefined
        ? { to: "failed", reason: "not done here", usage: [] }
        : { to: "done", usage: [], result }) as unknown as SummaryOutcome;
    }),
  });
  await memd.start({ watch: false, work: true });
  await memd.idle();
  await memd.settled();
  return memd;
}

function namesOf(hard: readonly string[], count: number, plain: string): string[] {
  return Array.from({ length: count }, (_, n) => hard[n] ?? `${plain}-${n}`);
}

/** Of letters alone, and no other word holds it. */
function wordOf(n: number): string {
  const letters = [...n.toString(25).padStart(4, "0")].map((digit) =>
    String.fromCharCode(97 + parseInt(digit, 25)),
  );
  return `zq${letters.join("")}qz`;
}
