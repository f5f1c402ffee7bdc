/** Everything by which a viewer may name a thing: once one that is another's, once one that nobody has. */
export interface Asked {
  call: string;
  body?: Readonly<Record<string, unknown>>;
}

/** What is another's, and what there is not; each of several, of about one length. */
export interface Names {
  user: readonly string[];
  group: readonly string[];
  scope: readonly string[];
  session: readonly string[];
  path: readonly string[];
  topic: readonly string[];
  /** Of what was remembered of somebody. */
  entry: readonly string[];
  message: readonly string[];
  revision: readonly string[];
  /** That only another's things hold. */
  word: readonly string[];
}

type Pick = (name: keyof Names) => string;

const post =
  (path: string, body: (pick: Pick) => Asked["body"]) =>
  (pick: Pick): Asked => ({ call: `POST ${path}`, body: body(pick) ?? {} });
const get =
  (path: string, field: string, name: keyof Names, more = "") =>
  (pick: Pick): Asked => ({ call: `GET ${path}?${field}=${encodeURIComponent(pick(name))}${more}` });

/** By what is asked and what is named in it. */
export const PAIRS: Readonly<Record<string, (pick: Pick) => Asked>> = {
  "getProfile user": post("/profiles/show", (pick) => ({ entity: "user", id: pick("user") })),
  "getProfile group": post("/profiles/show", (pick) => ({ entity: "group", id: pick("group") })),
  "getProfile revision": post("/profiles/show", (pick) => ({
    entity: "user",
    id: pick("user"),
    revision: pick("revision"),
  })),
  "listRevisions user": post("/profiles/history", (pick) => ({ entity: "user", id: pick("user") })),
  "listRevisions group": post("/profiles/history", (pick) => ({ entity: "group", id: pick("group") })),
  "diffProfile user": post("/profiles/diff", (pick) => ({ entity: "user", id: pick("user") })),
  "diffProfile group": post("/profiles/diff", (pick) => ({ entity: "group", id: pick("group") })),
  "searchProfiles word": post("/profiles/search", (pick) => ({ query: pick("word") })),
  "showTopic topic": post("/topics/show", (pick) => ({ topic: pick("topic") })),
  "renameTopic topic": post("/topics/rename", (pick) => ({ topic: pick("topic"), name: "Whales" })),
  "archiveTopic topic": post("/topics/archive", (pick) => ({ topic: pick("topic") })),
  "splitTopic topic": post("/topics/split", (pick) => ({ topic: pick("topic") })),
  "mergeTopics topic": post("/topics/merge", (pick) => ({ topics: [pick("topic")], into: pick("topic") })),
  "activateTopics word": post("/topics/activate", (pick) => ({ query: pick("word") })),
  "history session": get("/history", "session", "session"),
  "history scope": get("/history", "scope", "scope"),
  "history cursor": get("/history", "cursor", "message"),
  "listSessions scope": get("/sessions", "scope", "scope"),
  "readSource path": post("/sources/read", (pick) => ({ path: pick("path") })),
  "searchMemories target_user_id": post("/agent/memories/search", (pick) => ({
    query: "ferry",
    target_user_id: pick("user"),
  })),
  "searchMemories scope": post("/agent/memories/search", (pick) => ({
    query: "ferry",
    scope: pick("scope"),
  })),
  "searchMemories session": post("/agent/memories/search", (pick) => ({
    query: "ferry",
    session: pick("session"),
  })),
  "searchMemories word": post("/agent/memories/search", (pick) => ({ query: pick("word") })),
  "searchEvents target_user_id": post("/events/search", (pick) => ({ target_user_id: pick("user") })),
  "searchEvents target_group_id": post("/events/search", (pick) => ({ target_group_id: pick("group") })),
  "searchEvents word": post("/events/search", (pick) => ({ query: pick("word") })),
  "listMemories target_user_id": get("/agent/memories", "target_user_id", "user"),
  "listMemories target_group_id": get("/agent/memories", "target_group_id", "group"),
  "updatePinned entry": post("/memory/update", (pick) => ({ entry: pick("entry"), text: "A whale." })),
  "removePinned entry": post("/memory/remove", (pick) => ({ entry: pick("entry") })),
  "prompt as": get("/prompt", "as", "user"),
  "briefing word": post("/briefing", (pick) => ({ asked: pick("word") })),
  "prompt for": get("/prompt", "for", "user"),
  "end user": post("/end", (pick) => ({ memo: "Looked.", user: pick("user") })),
  "end session": post("/end", (pick) => ({ memo: "Looked.", session: pick("session") })),
};
