/** Requests by everybody, for all that a document publishes: half of them right, half wrong in one thing. Pure. */
import fc from "fast-check";
import { type Draft, draftsOf, type Sent, sentOf } from "./drafts.js";
import { MUTATION_NAMES, type MutationName, MUTATIONS } from "./mutations.js";
import type { Call, Published } from "./published.js";
import type { Texts } from "./values.js";

export interface Asker<S> {
  /** The owner where there is none. */
  seat?: S;
  /** What whoever asks is told that there is. */
  published: Published;
  texts: Texts;
}

export interface Request<S> {
  asker: Asker<S>;
  sent: Sent;
  /** What is wrong with it; absent where nothing is, by the document. */
  mutation?: MutationName;
}

/** They take long, or take away what the others ask for. */
const SELDOM = new Set([
  ...["archive", "reindex", "prune", "reviewTopics"],
  ...["forget", "forgetSession", "forgetScope", "deleteMemory"],
]);
const SHARE = { seldom: 1, else: 12 };

/** One in so many of a viewer's requests names a reader, who is mostly another and refused. */
const NAMES_A_READER = 4;

/** The owner's calls are asked of every asker: to whoever is told of fewer there are no others. */
export function requestsOf<S>(
  owner: Asker<S>,
  viewers: readonly Asker<S>[],
  count: number,
  seed: number,
): Request<S>[] {
  const ofViewers = viewers.map((asker) => ({ weight: 1, arbitrary: by(asker, owner.published) }));
  const all = fc.oneof({ weight: viewers.length, arbitrary: by(owner, owner.published) }, ...ofViewers);
  return fc.sample(all, { numRuns: count, seed });
}

function by<S>(asker: Asker<S>, all: Published): fc.Arbitrary<Request<S>> {
  const { published, texts } = asker;
  const theirs = new Set(published.calls.map(({ name }) => name));
  const hidden = all.calls.filter(({ name }) => !theirs.has(name));
  const drawn = ({ calls, document }: Published, some: readonly Call[] = calls): fc.Arbitrary<Draft> =>
    fc.oneof(
      ...some.map((call) => ({
        weight: SELDOM.has(call.name) ? SHARE.seldom : SHARE.else,
        arbitrary: draftsOf(call, { root: document, texts }),
      })),
    );
  const drafts =
    hidden.length === 0
      ? drawn(published)
      : fc.oneof({ weight: 9, arbitrary: drawn(published) }, { weight: 1, arbitrary: drawn(all, hidden) });
  const likely = fc
    .tuple(drafts, fc.integer({ min: 1, max: NAMES_A_READER }))
    .map(([draft, at]) => (asker.seat === undefined || at === 1 ? draft : asWhoever(draft)));
  const right = likely.map((draft) => ({ asker, sent: sentOf(draft) }));
  const wrong = fc
    .tuple(likely, fc.constantFrom(...MUTATION_NAMES))
    .chain(([draft, mutation]) =>
      MUTATIONS[mutation](draft).map((changed) => ({ asker, sent: sentOf(changed), mutation })),
    );
  return fc.oneof(right, wrong);
}

/** Without a name of whom it is asked for. */
function asWhoever({ query, body, ...draft }: Draft): Draft {
  const { as: _inQuery, ...asked } = query;
  if (body === undefined) return { ...draft, query: asked };
  const { as: _inBody, ...given } = body;
  return { ...draft, query: asked, body: given };
}
