/** mem0: what `get_all` gives, `{results}`, and the older bare array, with some facts in both. */
import { iso, jsonArray, type Yard } from "./yard.js";

interface Fact {
  id: string;
  memory: string;
  hash?: string;
  metadata: object | null;
  created_at: string;
  updated_at: string | null;
  [field: string]: unknown;
}

const FACTS_A_FILE = 20_000;

export function writeMem0(yard: Yard): string[] {
  const paths: string[] = [];
  let facts: Fact[] = [];
  const share = yard.bytes === undefined ? 0 : yard.bytes / Math.max(1, yard.sessions);
  for (let number = 0; number < yard.sessions; number++) {
    const count = yard.random.between(4, 9);
    let written = 0;
    for (let made = 0; made < count || written < share; made++) {
      const fact = factOf(yard);
      facts.push(fact);
      written += Buffer.byteLength(fact.memory) + 330;
    }
    if (facts.length < FACTS_A_FILE && number < yard.sessions - 1 && number !== Math.floor(yard.sessions / 2))
      continue;
    paths.push(writeFile(yard, paths.length, facts));
    // A fact or two go into the next file again.
    const again = facts.slice(0, 2);
    facts = number < yard.sessions - 1 ? again : [];
    yard.odd("facts in two files", facts.length);
  }
  return paths;
}

function writeFile(yard: Yard, number: number, facts: readonly Fact[]): string {
  const file = `mem0/memories-${number}.json`;
  const bare = number % 2 === 1;
  yard.odd(bare ? "bare arrays" : "results objects");
  if (bare) return yard.write(file, jsonArray(facts));
  return yard.write(file, results(facts));
}

function* results(facts: readonly Fact[]): Generator<string> {
  yield `{"count":${facts.length},"next":null,"previous":null,"results":`;
  yield* jsonArray(facts);
  yield "}";
}

function factOf(yard: Yard): Fact {
  const at = yard.talk.tick();
  const memory = yard.happens("facts that are long", 0.01) ? yard.prose.essay(3_000) : yard.prose.human();
  yard.note(memory, at);
  const fact: Fact = {
    id: yard.random.uuid(),
    memory,
    hash: yard.random.hex(32),
    metadata: { type: yard.random.pick(["preference", "fact", "plan"]), note: "no fact" },
    created_at: iso(at).replace("Z", "+00:00"),
    updated_at: yard.random.chance(0.2) ? iso(at + 86_400_000).replace("Z", "+00:00") : null,
    user_id: "lin",
  };
  if (yard.happens("null metadata", 0.1)) fact.metadata = null;
  if (yard.happens("no hash", 0.05)) delete fact.hash;
  if (yard.happens("facts with a role and an actor", 0.1))
    Object.assign(fact, { role: "user", actor_id: "lin" });
  if (yard.happens("times with another offset", 0.15)) {
    const there = iso(at - 8 * 3_600_000);
    fact.created_at = there.replace("Z", "-08:00");
  }
  return fact;
}
