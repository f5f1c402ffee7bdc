/**
 * Stories that are played on a stage: some are told by name, so that every
 * place that publishes is met, the others are made up from a seed.
 */
import type { Stage } from "./stage.js";

export interface Scenario {
  name: string;
  /** Stands before the log begins. */
  before?: (stage: Stage) => Promise<void>;
  play: (stage: Stage) => Promise<void>;
  settings?: Record<string, unknown>;
}

const SMALL_LIMITS = {
  history: {
    soft_limit_messages: 2,
    hard_limit_messages: 3,
    keep_newest_messages: 1,
    keep_today_messages: 2,
  },
};

/** A few messages fill it. */
const SMALL_TOPICS = { topics: { enabled: true, window_tokens: 90, keep_messages: 1 } };

export const NAMED: readonly Scenario[] = [
  {
    name: "drops become messages",
    play: async (stage) => {
      await stage.say();
      await stage.say();
      stage.drop();
      await stage.look();
      await stage.pass();
    },
  },
  {
    name: "hooks tell what was said",
    play: async (stage) => {
      await stage.hookTells();
      await stage.hookTells();
      await stage.look();
      await stage.hookTells();
      await stage.pass();
    },
  },
  {
    name: "a day, and a second pass of it",
    play: async (stage) => {
      stage.hostSays("recent", 2);
      await stage.pass();
      stage.hostSays("recent");
      await stage.pass();
    },
  },
  {
    name: "messages without ids",
    play: async (stage) => {
      stage.hostSays("recent", 2, false);
      await stage.look();
      await stage.hostForgets();
      stage.hostSays("recent", 1, false);
      await stage.pass();
    },
  },
  {
    name: "old days and months are summarised",
    play: async (stage) => {
      stage.hostSays("old", 2);
      stage.hostSays("ancient");
      await stage.pass();
      stage.hostSays("old");
      await stage.pass();
    },
  },
  {
    name: "summaries are made anew",
    before: async (stage) => {
      await stage.restart();
      stage.hostSays("old", 2);
      stage.hostSays("ancient");
      await stage.pass();
    },
    play: async (stage) => {
      await stage.resummarize();
      await stage.failingPass();
      await stage.pass();
    },
  },
  {
    name: "a model that fails, and then does not",
    play: async (stage) => {
      stage.hostSays("old");
      await stage.failingPass();
      await stage.failingPass();
      stage.hostSays("old");
      await stage.failingPass();
      await stage.pass();
    },
  },
  {
    name: "a day grows old and moves",
    before: async (stage) => {
      await stage.restart();
      stage.hostSays("recent", 2);
      await stage.pass();
    },
    play: async (stage) => {
      stage.wait(7);
      await stage.pass();
      stage.hostSays("recent");
      await stage.pass();
    },
  },
  {
    name: "history is kept within its limits",
    settings: SMALL_LIMITS,
    play: async (stage) => {
      stage.hostSays("recent", 4);
      await stage.pass();
      await stage.say();
      await stage.pass();
    },
  },
  {
    name: "old messages leave history.json before their summary is made",
    settings: SMALL_LIMITS,
    play: async (stage) => {
      stage.hostSays("old", 3);
      stage.hostSays("recent", 2);
      await stage.failingPass();
      stage.hostSays("recent");
      await stage.pass();
    },
  },
  {
    name: "a host takes back what was said last",
    play: async (stage) => {
      stage.hostSays("recent", 3);
      await stage.hostRewinds();
      await stage.look();
      stage.hostSays("recent");
      await stage.pass();
    },
  },
  {
    name: "a save that was broken off",
    before: async (stage) => {
      await stage.restart();
      stage.hostSays("recent", 2);
      await stage.pass();
    },
    play: async (stage) => {
      stage.hostBreaks();
      await stage.look();
      await stage.say();
      await stage.look();
      stage.hostSays("recent");
      await stage.pass();
    },
  },
  {
    name: "an editor saves into the file that was replaced",
    before: async (stage) => {
      await stage.restart();
      stage.hostSays("recent");
    },
    play: async (stage) => {
      stage.openEditor();
      await stage.pass();
      stage.lateSave();
      await stage.look();
      await stage.pass();
    },
  },
  {
    name: "a person edits, and a newer version comes",
    before: async (stage) => {
      await stage.restart();
      stage.hostSays("recent", 2);
      stage.hostSays("old");
      await stage.pass();
    },
    play: async (stage) => {
      stage.edit("day");
      stage.edit("summary");
      stage.hostStreams();
      await stage.pass();
      stage.deleteBlock();
      stage.hostStreams();
      stage.hostSays("old");
      await stage.pass();
    },
  },
  {
    name: "two files of a day become one",
    before: async (stage) => {
      await stage.restart();
      stage.hostSays("recent", 2);
      await stage.pass();
    },
    play: async (stage) => {
      stage.copyDay();
      await stage.pass();
    },
  },
  {
    name: "a torn journal",
    before: async (stage) => {
      await stage.restart();
      stage.hostSays("recent");
      await stage.look();
      stage.tearJournal();
    },
    play: async (stage) => {
      stage.hostSays("recent");
      await stage.hostClears();
      await stage.say();
      await stage.pass();
    },
  },
  {
    name: "a sync that fails",
    play: async (stage) => {
      stage.hostSays("recent");
      await stage.withTrouble("sync", "EIO", { path: "/journal/" }, stage.look);
      await stage.hostClears();
      await stage.say();
      await stage.withTrouble("syncDir", "EIO", { skip: 1 }, stage.look);
      await stage.withTrouble("sync", "EIO", { path: ".tmp" }, stage.pass);
      await stage.pass();
    },
  },
  {
    name: "an import",
    play: async (stage) => {
      await stage.importSome(3);
      await stage.pass();
    },
  },
  {
    name: "journals are pruned",
    before: async (stage) => {
      await stage.restart();
      stage.hostSays("recent", 2);
      await stage.pass();
      stage.deleteBlock();
      await stage.pass();
      stage.hostSays("recent");
      await stage.hostClears();
      stage.wait(1);
    },
    play: async (stage) => {
      await stage.prune();
      await stage.pass();
      await stage.prune();
    },
  },
  {
    name: "a host that saves while memd does",
    play: async (stage) => {
      stage.hostSays("recent", 2);
      await stage.meanwhile("link", {}, () => stage.hostSays("recent"), stage.pass);
      await stage.say();
      await stage.meanwhile("open", { skip: 2 }, () => stage.hostSays("recent"), stage.look);
      stage.hostSays("recent");
      await stage.meanwhile("sync", { path: "/memory/" }, () => stage.edit("day"), stage.pass);
    },
  },
  {
    name: "an inbox that is answered",
    play: async (stage) => {
      await stage.say();
      await stage.look();
      await stage.chatAnswers();
      await stage.hostAnswers();
      await stage.say();
      await stage.pass();
    },
  },
  {
    name: "memory.md gets lines, and a turn ends",
    before: async (stage) => {
      await stage.restart();
      stage.writes("memory.md", "# Facts");
    },
    play: async (stage) => {
      await stage.remember();
      await stage.endsTurn();
      await stage.handsOver();
      await stage.remember();
      await stage.endsTurn();
    },
  },
  {
    name: "turns end, and are worked",
    before: async (stage) => {
      await stage.restart();
      await stage.endsTurn();
      await stage.pass();
    },
    play: async (stage) => {
      await stage.endsTurn();
      await stage.endsTurn();
      await stage.pass();
      stage.wait(1);
      await stage.endsTurn();
      await stage.pass();
    },
  },
  {
    name: "rounds are looked at",
    settings: { historian: { extract: true, stretch_rounds: 2 } },
    before: async (stage) => {
      await stage.restart();
      stage.spoils("queue/cursors.json");
    },
    play: async (stage) => {
      stage.hostTalks();
      await stage.pass();
      stage.hostTalks();
      stage.hostTalks();
      await stage.pass();
      stage.wait(1);
      await stage.pass();
    },
  },
  {
    name: "what was imported is looked at",
    settings: { historian: { extract: true, stretch_rounds: 2 } },
    play: async (stage) => {
      await stage.importsTalk(3, 1);
      await stage.pass();
      stage.hostTalks();
      await stage.importsTalk(2);
      await stage.pass();
    },
  },
  {
    name: "journals are pruned while what was imported is still to be looked at",
    settings: { historian: { extract: true } },
    play: async (stage) => {
      await stage.importsTalk(2);
      stage.life.provider.mood = "unavailable";
      await stage.pass();
      stage.wait(1);
      await stage.restart();
      await stage.prune();
      stage.wait(1);
      await stage.restart();
      await stage.pass();
    },
  },
  {
    name: "a turn for which there is no model now",
    play: async (stage) => {
      await stage.endsTurn();
      stage.life.provider.mood = "unavailable";
      await stage.pass();
      await stage.endsTurn();
    },
  },
  {
    name: "a turn that no model can work",
    play: async (stage) => {
      await stage.endsTurn();
      stage.life.provider.mood = "failed";
      // Once, and as often again as it is tried.
      for (let day = 0; day < 4; day++) {
        stage.wait(1);
        await stage.pass();
      }
      stage.life.provider.mood = "repeats";
      await stage.endsTurn();
      await stage.pass();
    },
  },
  {
    name: "a document is added and replaced",
    // So that its jobs stay where they can be seen.
    settings: { cognitive: { enabled: false } },
    play: async (stage) => {
      await stage.addsDocument();
      await stage.pass();
      stage.findsInDocument();
      await stage.addsDocument();
      stage.editsDocument();
      await stage.addsDocument();
      await stage.pass();
    },
  },
  {
    name: "files that are looked up change and go",
    settings: { documents: ["notes/*.md"], historian: { extract: false, document_window_chars: 100 } },
    play: async (stage) => {
      await stage.changesNotes();
      stage.findsInDocument();
      stage.editsDocument();
      await stage.changesNotes();
      stage.findsInDocument();
      stage.editsDocument();
      await stage.removesNotes();
    },
  },
  {
    name: "a message is forgotten, and its host says it again",
    before: async (stage) => {
      await stage.restart();
      stage.hostSays("old", 2);
      stage.hostSays("recent", 2);
      await stage.pass();
    },
    play: async (stage) => {
      const all = [...stage.history()];
      const [first, , third] = all;
      await stage.forgets({ id: String(first?.["id"]) }, [String(first?.["id"])]);
      await stage.pass();
      await stage.forgets({ id: String(third?.["id"]) }, [String(third?.["id"])]);
      stage.save("history.json", JSON.stringify(all));
      await stage.pass();
    },
  },
  {
    name: "a conversation is forgotten",
    before: async (stage) => {
      await stage.restart();
      stage.hostSaysIn("s", "recent");
      stage.hostSays("recent");
      await stage.endsTurn();
      await stage.pass();
    },
    play: async (stage) => {
      const token = await stage.endsTurn("s");
      await stage.pass();
      const waits = await stage.endsTurn("s");
      const said = stage.saidWhere(({ session }) => session === "s");
      await stage.forgets({ session: "s" }, [...said, token, `m-${token}`, waits, `m-${waits}`]);
      stage.hostSaysIn("s", "recent");
      await stage.pass();
    },
  },
  {
    name: "a message is forgotten before it was looked at",
    settings: { historian: { extract: true, stretch_rounds: 9 } },
    before: async (stage) => {
      await stage.restart();
      stage.hostTalks();
      await stage.pass();
    },
    play: async (stage) => {
      stage.hostTalks();
      stage.hostTalks();
      stage.life.provider.mood = "unavailable";
      await stage.pass();
      const [, , third] = stage.history();
      await stage.forgets({ id: String(third?.["id"]) }, [String(third?.["id"])]);
      stage.life.provider.mood = "repeats";
      stage.wait(1);
      await stage.pass();
    },
  },
  {
    name: "a conversation is split into topics",
    settings: SMALL_TOPICS,
    play: async (stage) => {
      stage.hostSays("recent", 4);
      await stage.sorts();
      stage.hostSays("recent", 2);
      await stage.sorts();
    },
  },
  {
    name: "topics are put away, woken and become one",
    settings: SMALL_TOPICS,
    before: async (stage) => {
      await stage.restart();
      stage.hostSays("recent", 5);
      await stage.sorts();
    },
    play: async (stage) => {
      await stage.topicsChange((topics, at) => ({ at, is: "archived", topics: topics.slice(0, 1) }));
      stage.wait(40);
      await stage.topicsChange((topics, at) => ({ at, is: "woken", topics: topics.slice(0, 1) }));
      await stage.topicsChange(([into, ...topics], at) => into && { at, is: "merged", topics, into });
      await stage.sorts();
    },
  },
  {
    name: "a sync of topics fails",
    settings: SMALL_TOPICS,
    play: async (stage) => {
      stage.hostSays("recent", 4);
      await stage.withTrouble("sync", "EIO", { path: "/topics/" }, stage.pass);
      await stage.withTrouble("sync", "EIO", { path: "/topics/", skip: 2 }, stage.pass);
      await stage.sorts();
    },
  },
  {
    name: "what is in a topic is forgotten, lines of another hand beside it",
    settings: SMALL_TOPICS,
    before: async (stage) => {
      await stage.restart();
      stage.hostSays("recent", 4);
      await stage.sorts();
      stage.scribbles("memory/topics/unsplit.jsonl");
    },
    play: async (stage) => {
      const [first] = stage.history();
      await stage.forgets({ id: String(first?.["id"]) }, [String(first?.["id"])]);
      stage.hostSays("recent", 2);
      await stage.sorts();
    },
  },
  {
    name: "a folder becomes a workspace",
    play: async (stage) => {
      await stage.init();
      await stage.say();
      await stage.look();
    },
  },
  {
    name: "what can be made again",
    play: async (stage) => {
      await stage.say();
      await stage.look();
      await stage.derive();
      stage.hostSays("recent");
      await stage.look();
      await stage.derive();
    },
  },
];

/** A story of a few steps, from the seed. */
export function madeUp(random: () => number): Scenario {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const age = () => pick(["recent", "recent", "old", "ancient"] as const);
  const count = () => 1 + Math.floor(random() * 2);
  const named = random() < 0.7;
  const calls = ["sync", "write", "link", "rename", "open", "syncDir", "unlink"] as const;
  const steps: ((stage: Stage) => unknown)[] = [
    (stage) => stage.say(age()),
    (stage) => stage.drop(),
    (stage) => stage.hostSays(age(), count(), named),
    (stage) => stage.hostSays(age(), count(), named),
    (stage) => stage.look(),
    (stage) => stage.pass(),
    (stage) => stage.pass(),
    (stage) => stage.failingPass(),
    (stage) => stage.hostStreams(),
    (stage) => stage.hostForgets(),
    (stage) => stage.hostAnswers(),
    (stage) => stage.edit("day"),
    (stage) => stage.edit("summary"),
    (stage) => stage.deleteBlock(),
    (stage) => stage.openEditor(),
    (stage) => stage.lateSave(),
    (stage) => stage.wait(pick([1, 3, 7, 40])),
    (stage) => stage.restart(),
    (stage) => stage.importSome(count()),
    (stage) => stage.prune(),
    (stage) =>
      stage.withTrouble(pick(calls), pick(["EIO", "ENOSPC"]), { skip: Math.floor(random() * 8) }, stage.look),
    (stage) =>
      stage.withTrouble(
        pick(calls),
        pick(["EIO", "ENOSPC"]),
        { skip: Math.floor(random() * 20) },
        stage.pass,
      ),
    (stage) =>
      stage.meanwhile(
        pick(["open", "write", "link", "sync"]),
        { skip: Math.floor(random() * 6) },
        () => stage.hostSays("recent"),
        stage.pass,
      ),
  ];
  const first = Array.from({ length: 2 + Math.floor(random() * 4) }, () => pick(steps));
  const then = Array.from({ length: 3 + Math.floor(random() * 4) }, () => pick(steps));
  const run = async (stage: Stage, chosen: typeof steps): Promise<void> => {
    for (const step of chosen) await step(stage);
  };
  return {
    name: "made up",
    ...(random() < 0.2 ? { settings: SMALL_LIMITS } : {}),
    before: async (stage) => {
      await stage.restart();
      await run(stage, first);
    },
    play: async (stage) => {
      await run(stage, then);
      await stage.pass();
    },
  };
}
