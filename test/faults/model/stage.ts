/**
 * A workspace on a modelled disk with everyone who has a hand in it: memd, the
 * host, the person with an editor. What they do is noted in the log, and what
 * must hold from then on in the facts.
 */
import { DAY_MS, epochMs, HOUR_MS, isoOf, MINUTE_MS, type EpochMs } from "../../../src/model/time.js";
import { prune, prunePlan } from "../../../src/archive/prune.js";
import { oweAgain, planAgain } from "../../../src/archive/resummarize.js";
import type { MessageId } from "../../../src/model/message.js";
import { LOCAL_USER, MAIN_SCOPE } from "../../../src/model/address.js";
import type { TopicEvent, TopicId } from "../../../src/model/topic.js";
import { docsScope, documentSource, parseDocument } from "../../../src/protocol/document.js";
import { writeDrop } from "../../../src/protocol/read-list.js";
import { rewriteMemory } from "../../../src/protocol/memory-file.js";
import { answerInto } from "../../../src/cli/chat.js";
import { writeJob, writeJobOnce } from "../../../src/protocol/queue.js";
import { JOB_VERSION, type EndJob } from "../../../src/protocol/queue-job.js";
import { documentPath, FILES } from "../../../src/protocol/workspace.js";
import { failing } from "../../support/archive-desk.js";
import { Facts, tokensIn } from "./facts.js";
import { ModelFs, type Call } from "./file-system.js";
import { copyOf, eachFile, emptyImage, type Image } from "./image.js";
import { STANDING } from "./oracle.js";
import { ROOT, startLife, worldOf, type Life, type World } from "./life.js";

const NOON = epochMs(Date.parse("2026-03-20T12:00:00Z"));

/** Of the one document of the stories. */
const PAPER = "notes/paper";
const PAPER_FILE = documentPath(docsScope("main"), PAPER);

export type Age = "recent" | "old" | "ancient";
const AGE_MS: Record<Age, number> = { recent: HOUR_MS, old: 10 * DAY_MS, ancient: 70 * DAY_MS };

/** Which call: on a path that holds this, after so many others. */
export interface Where {
  path?: string;
  skip?: number;
}

export class Stage {
  facts = new Facts();
  base: Image;
  fs: ModelFs;
  world: World;
  #life: Life | undefined;
  #lives = 0;
  #next = 1;
  /** An inode that an editor opened and will save into. */
  #open: number | undefined;
  /** What the host last wrote or read whole. */
  #hosts: Record<string, unknown>[] = [];
  #isBroken = false;
  /** What the document says, and what was found in it. */
  #paper: string | undefined;
  #found: string | undefined;

  constructor(settings: Record<string, unknown> = {}) {
    this.base = emptyImage();
    this.fs = new ModelFs(copyOf(this.base), 1);
    this.fs.outsideFolder(ROOT);
    this.world = worldOf(NOON, settings);
  }

  /** What was done so far stands durably; from here on it is logged. `placeOf` says who asked for an effect. */
  async begin(placeOf: () => string): Promise<void> {
    this.base = copyOf(this.fs.image);
    this.fs = new ModelFs(copyOf(this.base), 2, placeOf);
    const before = this.facts.standing();
    this.facts = new Facts();
    for (const fact of before) this.facts.from(0, fact);
    await this.restart();
  }

  get life(): Life {
    if (this.#life === undefined) throw new Error("memd has not been started");
    return this.#life;
  }

  get at(): number {
    return this.fs.log.length;
  }

  async restart(): Promise<void> {
    this.#life = await startLife(this.fs, this.world, this.#lives++);
  }

  look = async (): Promise<void> => this.life.archive.look();
  pass = async (): Promise<void> => this.life.pass();
  failingPass = async (): Promise<void> => this.life.pass(failing);

  /** Days pass, for memd too. */
  wait(days: number): void {
    this.world = { ...this.world, now: epochMs(this.world.now + days * DAY_MS) };
    this.life.clock.set(this.world.now);
  }

  /** The text of a new message, with its mark. */
  text(kind = "m"): { token: string; text: string } {
    const n = this.#next++;
    const token = `${kind}${n}`;
    const more = ["tea", "茶 and 咖啡", "a line\nand another", "### 10:00:00 user <!-- id=x -->", "fine"];
    return { token, text: `⟦${token}⟧ ${more[n % more.length]}` };
  }

  timeOf(age: Age): EpochMs {
    // In order: each message is a minute later than the one before.
    return epochMs(this.world.now - AGE_MS[age] + this.#next * MINUTE_MS);
  }

  async say(age: Age = "recent"): Promise<void> {
    const { token, text } = this.text("d");
    const { writer, workspace, clock } = this.life.archive.context;
    const message = { role: "user" as const, text, createdAt: isoOf(this.timeOf(age)) };
    const id = await writeDrop(writer, workspace, message, clock.now());
    this.facts.from(this.at, { is: "kept", id, token });
    this.facts.from(this.at, { is: "waits", token });
  }

  /** An agent's hook keeps what it was told, beside whatever memd does. */
  async hookTells(): Promise<void> {
    const { token, text } = this.text("k");
    const { writer, workspace, clock } = this.life.archive.context;
    const message = { role: "user" as const, text, createdAt: isoOf(this.timeOf("recent")) };
    const id = await writeDrop(writer, workspace, message, clock.now(), FILES.told);
    this.facts.from(this.at, { is: "kept", id, token });
  }

  /** A pass after which all that was said is in a topic, or in none yet. */
  async sorts(): Promise<void> {
    await this.pass();
    for (const token of this.saidWhere(() => true)) this.facts.from(this.at, { is: "sorted", token });
  }

  /** Somebody's hand, or a review: what it makes of the topics there are. */
  async topicsChange(change: (ids: TopicId[], at: EpochMs) => TopicEvent | undefined): Promise<void> {
    const set = await this.life.topics.setFor({ scope: MAIN_SCOPE, user: LOCAL_USER });
    const living = [...set.store.topics.values()].filter(({ ids }) => ids.length > 0).map(({ id }) => id);
    const event = change(living, this.life.clock.now());
    if (event === undefined || !(await set.store.happen(event)))
      throw new Error("that cannot happen to a topic");
    await set.settleHeads();
  }

  /** Another program drops a message, durably. */
  drop(): void {
    const { token, text } = this.text("f");
    if (this.fs.find(`${ROOT}/inbox.d`) === undefined) this.fs.outsideFolder(`${ROOT}/inbox.d`);
    this.save(
      `inbox.d/foreign-${token}.json`,
      JSON.stringify({ text, role: "user", createdAt: isoOf(this.timeOf("recent")) }),
    );
    this.facts.from(this.at, { is: "kept", id: `foreign-${token}`, token });
    this.facts.from(this.at, { is: "waits", token });
  }

  /** The host adds to history.json what was said. */
  hostSays(age: Age, count = 1, named = true): void {
    const list = this.history();
    for (let n = 0; n < count; n++) {
      const { token, text } = this.text("h");
      const createdAt = isoOf(this.timeOf(age));
      list.push({ ...(named ? { id: token } : {}), role: n % 2 === 0 ? "user" : "agent", text, createdAt });
      this.save("history.json", JSON.stringify(list, null, 1));
      this.facts.from(this.at, { is: "kept", id: token, token });
    }
  }

  /** The host adds to history.json what was said in another conversation. */
  hostSaysIn(session: string, age: Age): void {
    this.hostSays(age);
    const list = this.history();
    const last = list.at(-1);
    if (last !== undefined) last["session"] = session;
    this.save("history.json", JSON.stringify(list));
  }

  /** The owner has a message forgotten, or a conversation; `tokens` are what it says. */
  async forgets(request: { id?: string; session?: string }, tokens: readonly string[]): Promise<void> {
    const start = this.at;
    for (const token of tokens) this.facts.until(start, token);
    for (const token of tokens) this.facts.from(start, { is: "wholly", token });
    await this.life.forgetting.forget(request, false);
    for (const token of tokens) this.facts.until(this.at, token);
    for (const token of tokens) this.facts.from(this.at, { is: "forgotten", token });
  }

  /** Marks of what the messages of history.json say, by a field of theirs. */
  saidWhere(goes: (message: Record<string, unknown>) => boolean): string[] {
    return this.history()
      .filter(goes)
      .flatMap((message) => tokensIn(String(message["text"])));
  }

  /** A round, of which nobody says what is worth keeping. */
  hostTalks(): void {
    this.hostSays("recent", 2);
    const asked = this.history().findLast(({ role }) => role === "user");
    this.facts.from(this.at, { is: "observed", token: String(asked?.["id"]) });
  }

  /** Somebody writes a line of their own into a file of memd's, which ends with a line break. */
  scribbles(file: string): void {
    this.save(file, `${this.fs.read(`${ROOT}/${file}`) ?? ""}a note of mine\n`);
  }

  /** Somebody's slip: the file is none any more. */
  spoils(file: string): void {
    const folder = file.slice(0, file.lastIndexOf("/"));
    if (this.fs.find(`${ROOT}/${folder}`) === undefined) this.fs.outsideFolder(`${ROOT}/${folder}`);
    this.save(file, "{ half");
  }

  /** The last message grows, as a streamed answer does. */
  hostStreams(): void {
    const list = this.history();
    const last = list.findLast(({ id }) => id !== undefined);
    if (last === undefined) return;
    const { token, text } = this.text("v");
    last["text"] = text;
    this.save("history.json", JSON.stringify(list));
    this.facts.from(this.at, { is: "kept", id: String(last["id"]), token });
  }

  /** The host drops its oldest message; memd has seen it. */
  async hostForgets(): Promise<void> {
    await this.look();
    const list = this.history();
    list.shift();
    this.save("history.json", JSON.stringify(list));
  }

  /** The host takes back its newest message, and the older ones stay; memd has seen it. */
  async hostRewinds(): Promise<void> {
    await this.look();
    this.save("history.json", JSON.stringify(this.history().slice(0, -1)));
  }

  /** Lines of another agent's transcript. */
  async importSome(count: number): Promise<void> {
    const messages = Array.from({ length: count }, () => {
      const { token, text } = this.text("i");
      return { id: token as MessageId, role: "user" as const, text, createdAt: isoOf(this.timeOf("old")) };
    });
    await this.life.archive.importMessages(messages);
    for (const { id } of messages) this.facts.from(this.at, { is: "kept", id, token: id });
  }

  /** Conversations of a while ago come in, of so many exchanges each, of which each is to be looked at. */
  async importsTalk(...exchanges: readonly number[]): Promise<void> {
    for (const [conversation, count] of exchanges.entries()) {
      const said = Array.from({ length: 2 * count }, (_, index) => {
        const { token, text } = this.text("i");
        const role = index % 2 === 0 ? ("user" as const) : ("agent" as const);
        const session = `past-${conversation}`;
        return { id: token as MessageId, role, text, session, createdAt: isoOf(this.timeOf("old")) };
      });
      await this.life.archive.importMessages(said);
      for (const { id, role } of said) {
        this.facts.from(this.at, { is: "kept", id, token: id });
        if (role === "user") this.facts.from(this.at, { is: "observed", token: id });
      }
    }
  }

  /** Every summary is owed once more, and made by the next pass. */
  async resummarize(): Promise<void> {
    const { context } = this.life.archive;
    await oweAgain(context, await planAgain(context, { all: true }));
  }

  async prune(): Promise<void> {
    const { archive } = this.life;
    await archive.rescan();
    await archive.look();
    const shown = new Set([...archive.history.messages, ...archive.inbox.messages].map(({ key }) => key));
    await prune(archive.context, await prunePlan(archive.context, shown, this.life.historian.owed.keys()));
  }

  /** State, usage and prompt: files that may be lost and are made again. */
  async derive(): Promise<void> {
    // Only one story needs it, and it brings a search engine.
    const { writeDerived } = await import("./derived.js");
    await writeDerived(this.life, this.world);
  }

  /** An agent ends its turn: a job waits in the queue until the next pass works it. */
  async endsTurn(session = "main"): Promise<string> {
    const { writer, workspace, clock } = this.life.archive.context;
    const { job, token } = this.#turn();
    await writeJob(writer, workspace, { ...job, session }, clock.now());
    this.facts.from(this.at, { is: "observed", token });
    this.facts.from(this.at, { is: "noted", token: `m-${token}` });
    return token;
  }

  /** What leaves a window hands over what is worth keeping; killed and done again, it is the same job. */
  async handsOver(): Promise<void> {
    const { writer, workspace, clock } = this.life.archive.context;
    const { job, token } = this.#turn();
    await writeJobOnce(writer, workspace, job, clock.now(), token);
    this.facts.from(this.at, { is: "observed", token });
    await writeJobOnce(writer, workspace, { ...job, observations: ["another"] }, clock.now(), token);
  }

  #turn(): { job: EndJob; token: string } {
    const { token } = this.text("q");
    const said = { createdAt: isoOf(this.timeOf("recent")), scope: "main", session: "main", user: "local" };
    const kept = { memo: `⟦m-${token}⟧`, observations: [`It was seen that ⟦${token}⟧`] };
    return { job: { version: JOB_VERSION, kind: "end", ...said, ...kept }, token };
  }

  /** The chat of memd answers what waits first, as a host does. */
  async chatAnswers(): Promise<void> {
    await this.look();
    const [waiting] = tokensIn(this.fs.read(`${ROOT}/inbox.json`) ?? "");
    if (waiting === undefined) return;
    const { writer, workspace } = this.life.archive.context;
    const { token, text } = this.text("a");
    const answer = {
      id: token as MessageId,
      role: "agent" as const,
      text,
      createdAt: isoOf(this.timeOf("recent")),
    };
    this.#answered(waiting);
    await answerInto(writer, workspace, waiting as MessageId, [answer]);
    this.facts.from(this.at, { is: "kept", id: token, token });
  }

  /** A text is looked up; the one before it, and what was found in that, are no more. */
  async addsDocument(): Promise<void> {
    const { token, text } = this.text("x");
    // Jobs that nobody works stay where they can be seen.
    if (!this.world.settings.cognitive.enabled) this.facts.from(this.at, { is: "handed", token });
    await this.#replaces(token, async () => {
      await this.life.documents.store.catalogue.load();
      await this.life.documents.store.put({ text, id: PAPER });
    });
  }

  /** A file that the settings name, and the look that follows. */
  async changesNotes(): Promise<void> {
    const { token, text } = this.text("x");
    if (this.fs.find(`${ROOT}/notes`) === undefined) this.fs.outsideFolder(`${ROOT}/notes`);
    await this.#replaces(token, async () => {
      this.save(`${PAPER}.md`, text);
      await this.pass();
    });
  }

  async #replaces(token: string, replace: () => Promise<void>): Promise<void> {
    const [before, found] = [this.#paper, this.#found];
    for (const old of [before, found]) if (old !== undefined) this.facts.until(this.at, old);
    await replace();
    this.facts.from(this.at, { is: "looked_up", token });
    if (found !== undefined) this.facts.from(this.at, { is: "gone", token: found });
    [this.#paper, this.#found] = [token, undefined];
  }

  /** The historian finds something in it. */
  findsInDocument(): void {
    const { token } = this.text("f");
    const { hash } = parseDocument(this.fs.read(`${ROOT}/${PAPER_FILE}`) ?? "") ?? { hash: "" };
    const at = isoOf(this.world.now);
    const record = { schema: 1, id: token, kind: "fact", level: "scope", user: "local", scope: "main:docs" };
    const said = { text: `⟦${token}⟧`, at, recordedAt: at, isAbsolute: true, trust: "document" };
    const folder = `${ROOT}/${PAPER_FILE.replace(/\/documents\/.*/, "/records")}`;
    if (this.fs.find(folder) === undefined) this.fs.outsideFolder(folder);
    const line = JSON.stringify({ ...record, ...said, sources: [documentSource(PAPER, hash)] });
    this.save(`${folder.slice(ROOT.length + 1)}/2026-03.jsonl`, `${line}\n`);
    this.facts.from(this.at, { is: "observed", token });
    this.#found = token;
  }

  /** A person edits it. */
  editsDocument(): void {
    const { token } = this.text("p");
    this.save(PAPER_FILE, `${this.fs.read(`${ROOT}/${PAPER_FILE}`) ?? ""} ⟦${token}⟧ by hand`);
    this.facts.from(this.at, { is: "written", token });
  }

  /** Its file goes, and with it the document. */
  async removesNotes(): Promise<void> {
    const [before, found] = [this.#paper, this.#found];
    for (const old of [before, found]) if (old !== undefined) this.facts.until(this.at, old);
    this.fs.outside(`${ROOT}/${PAPER}.md`, undefined);
    await this.pass();
    if (found !== undefined) this.facts.from(this.at, { is: "gone", token: found });
    [this.#paper, this.#found] = [undefined, undefined];
  }

  /** memd adds a line to memory.md, as `memd memory add` does. */
  async remember(): Promise<void> {
    const { token } = this.text("r");
    const { writer, workspace, clock } = this.life.archive.context;
    await rewriteMemory(writer, workspace, clock, (text) => `${text}- ⟦${token}⟧\n`);
    this.facts.from(this.at, { is: "written", token });
  }

  /** A folder becomes a workspace. */
  async init(): Promise<void> {
    // Only one story needs it, and it brings the commands.
    const { makeWorkspace } = await import("../../../src/cli/make-workspace.js");
    for (const file of await makeWorkspace(ROOT, false, { writer: this.life.archive.context.writer }))
      if (STANDING.test(file)) this.#stands(file, file);
  }

  #stands(token: string, file: string): void {
    this.facts.from(this.at, { is: "stands", token, file, text: this.fs.read(`${ROOT}/${file}`) ?? "" });
  }

  /** The host answers what waits: inbox.json is emptied. */
  async hostAnswers(): Promise<void> {
    await this.look();
    for (const token of tokensIn(this.fs.read(`${ROOT}/inbox.json`) ?? "")) this.#answered(token);
    if (this.fs.find(`${ROOT}/inbox.json`) !== undefined) this.save("inbox.json", "[]");
  }

  /** A host is stopped in the middle of a save; the rest never comes. */
  hostBreaks(): void {
    const list = this.history();
    const { token, text } = this.text("b");
    list.push({ id: token, role: "user", text, createdAt: isoOf(this.timeOf("recent")) });
    this.save("history.json", `${JSON.stringify(list).slice(0, -1)},{"role":"user","text":"⟦broken⟧ and th`);
    this.facts.from(this.at, { is: "kept", id: token, token });
    this.facts.from(this.at, { is: "untouched", token: "broken" });
    this.#isBroken = true;
  }

  /** The host has answered everything and starts afresh; memd has seen it. */
  async hostClears(): Promise<void> {
    await this.look();
    this.save("history.json", "[]");
  }

  /** A person changes the text of a block, or what a summary says. */
  edit(kind: "day" | "summary"): void {
    const path = this.#some(kind);
    if (path === undefined) return;
    const { token } = this.text("p");
    const text = this.fs.read(path) ?? "";
    if (kind === "summary") this.save(path.slice(ROOT.length + 1), `${text}\n- and ⟦${token}⟧ by hand\n`);
    else this.save(path.slice(ROOT.length + 1), text.replace(/⟧ /, `⟧ ⟦${token}⟧ by hand `));
    this.facts.from(this.at, { is: "written", token });
  }

  /** A person writes a file anew. */
  writes(file: string, heading: string): void {
    const { token } = this.text("w");
    this.save(file, `${heading}\n\n- ⟦${token}⟧\n`);
    this.facts.from(this.at, { is: "written", token });
  }

  /** A person deletes the last block of a day. */
  deleteBlock(): void {
    const path = this.#some("day");
    if (path === undefined) return;
    const text = this.fs.read(path) ?? "";
    const start = text.lastIndexOf("\n### ");
    if (start === -1) return;
    const tokens = tokensIn(text.slice(start));
    for (const token of tokens) this.facts.until(this.at, token);
    this.save(path.slice(ROOT.length + 1), `${text.slice(0, start)}\n`);
    for (const token of tokens) this.facts.from(this.at, { is: "deleted", token });
  }

  /** A person keeps a second file of a day, changed. */
  copyDay(): void {
    const path = this.#some("day");
    if (path === undefined) return;
    const { token } = this.text("s");
    const text = (this.fs.read(path) ?? "").replace(/⟧ /, `⟧ ⟦${token}⟧ as I see it `);
    const messages = tokensIn(text).filter((found) => found !== token);
    this.save(path.slice(ROOT.length + 1).replace(".md", "-mine.md"), text);
    this.facts.from(this.at, { is: "written", token });
    // Which of the two texts stays is not promised; that both can be read is.
    for (const found of messages) {
      this.facts.until(this.at, found);
      this.facts.from(this.at, { is: "written", token: found });
    }
  }

  /** An editor opens history.json, and saves into that file after memd has written a new one. */
  openEditor(): void {
    this.#open = this.fs.find(`${ROOT}/history.json`);
  }

  lateSave(): void {
    if (this.#open === undefined || this.#open === this.fs.find(`${ROOT}/history.json`)) return;
    const { token, text } = this.text("l");
    const content = this.fs.image.files.get(this.#open);
    const list = entriesIn(new TextDecoder().decode(content?.bytes ?? new Uint8Array())) ?? [];
    list.push({ id: token, role: "user", text, createdAt: isoOf(this.timeOf("recent")) });
    const [first] = list;
    const changed = this.text("c");
    if (first !== undefined) first["text"] = changed.text;
    this.fs.outsideInto(this.#open, JSON.stringify(list));
    this.facts.from(this.at, { is: "kept", id: token, token });
    if (typeof first?.["id"] === "string")
      this.facts.from(this.at, { is: "kept", id: first["id"], token: changed.token });
    this.#open = undefined;
  }

  /** A line of the journal was torn by an earlier loss of power. */
  tearJournal(): void {
    const path = this.#some("journal");
    if (path === undefined) return;
    this.save(path.slice(ROOT.length + 1), `${this.fs.read(path) ?? ""}{"op":"message","fr`);
  }

  /** The n-th call of this kind on such a path fails; what the supervisor does then is to look again. */
  async withTrouble(call: Call, code: string, where: Where, step: () => Promise<void>): Promise<void> {
    let struck = false;
    this.#at(call, where, (path) => {
      struck = true;
      throw Object.assign(new Error(`${code}: ${path}`), { code });
    });
    try {
      await step();
    } catch (error) {
      if (!struck) throw error;
    }
    this.fs.trouble = undefined;
    await this.life.archive.rescan();
    await this.life.archive.look();
  }

  /** Right before the n-th call of this kind that memd makes on such a path, somebody else does something. */
  async meanwhile(call: Call, where: Where, other: () => void, step: () => Promise<void>): Promise<void> {
    this.#at(call, where, other);
    await step();
    this.fs.trouble = undefined;
  }

  #at(call: Call, { path: part = "", skip = 0 }: Where, happens: (path: string) => void): void {
    let left = skip;
    this.fs.trouble = (present, path) => {
      if (present !== call || !path.includes(part) || left-- > 0) return;
      this.fs.trouble = undefined;
      happens(path);
    };
  }

  history(): Record<string, unknown>[] {
    this.#hosts = entriesIn(this.fs.read(`${ROOT}/history.json`) ?? "[]") ?? this.#hosts;
    return this.#hosts;
  }

  save(file: string, text: string): void {
    if (file === "history.json" && this.#isBroken) {
      // What could not be read is kept for a person once memd has looked at it; before that it is the host's to throw away.
      this.facts.until(this.at, "broken");
      this.#isBroken = false;
    }
    this.fs.outside(`${ROOT}/${file}`, text);
  }

  #answered(token: string): void {
    for (const fact of this.facts.at(this.at))
      if (fact.is === "waits" && fact.token === token) this.facts.drop(this.at, fact);
  }

  #some(kind: "day" | "summary" | "journal"): string | undefined {
    const found: string[] = [];
    eachFile(this.fs.image, (path) => {
      const isSummary = path.includes("/memory/summary/");
      if (
        kind === "journal" ? path.includes("/journal/") : path.includes("/memory/") && path.endsWith(".md")
      ) {
        if (kind === "journal" || isSummary === (kind === "summary")) found.push(path);
      }
    });
    return found.sort()[this.#next % Math.max(1, found.length)];
  }
}

function entriesIn(text: string): Record<string, unknown>[] | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>[];
  } catch {
    // A save that was broken off: who wrote it knows what it should have said.
    return undefined;
  }
}
