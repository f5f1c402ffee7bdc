/**
 * Everything that the published document tells of, asked by everybody, rightly and wrongly: no
 * answer is a fault of the server, each is what the document says, and none holds what is of
 * another. `MEMD_RUNS=10` for ten times as many, `MEMD_SEED` for others.
 */
import type { Seat } from "../../src/model/address.js";
import { expect, test } from "vitest";
import type { Answered } from "./document/checks.js";
import { fuzz, type Through } from "./document/fuzz.js";
import type { Request } from "./document/requests.js";

const RUNS = Number(process.env["MEMD_RUNS"] ?? 1);
const SEED = Number(process.env["MEMD_SEED"] ?? 1);

test("what is asked as the document says, or not quite so, is answered as it says", async () => {
  const figures = await fuzz({ requests: 600 * RUNS, seed: SEED, users: 5, scopes: 3 });
  expect(figures.faults).toEqual([]);
  expect(figures).toMatchObject({ serverErrors: 0, mismatches: 0, foreign: 0 });
  // Nothing of it is asked in vain.
  expect(figures.own).toBeGreaterThan(20);
  expect(Math.min(figures.valid, figures.mutated)).toBeGreaterThan(200);
  for (const [status, least] of Object.entries({ 200: 150, 400: 100, 403: 20, 404: 20, 415: 5 }))
    expect([status, (figures.byStatus[status] ?? 0) >= least]).toEqual([status, true]);
}, 120_000);

/** The first answer that is this is another. */
const once = (
  isIt: (answered: Answered, asked: Request<Seat>) => boolean,
  change: (answered: Answered) => Answered,
): Through => {
  let isDone = false;
  return (answered, asked) => {
    if (isDone || !isIt(answered, asked)) return answered;
    isDone = true;
    return change(answered);
  };
};
const isGood = ({ status, text }: Answered): boolean => status === 200 && text.startsWith("{");

const PLANTS: readonly (readonly [string, "serverErrors" | "mismatches" | "foreign", Through])[] = [
  ["a fault of the server", "serverErrors", once(isGood, (answered) => ({ ...answered, status: 503 }))],
  [
    "an answer without one of its fields",
    "mismatches",
    once(
      ({ text }) => text.startsWith('{"hits":'),
      (answered) => ({ ...answered, text: answered.text.replace('{"hits":', '{"hit":') }),
    ),
  ],
  [
    "an answer with a field of the wrong type",
    "mismatches",
    once(
      ({ text }) => text.startsWith('{"hits":'),
      (answered) => ({ ...answered, text: '{"hits":7,"warnings":[]}' }),
    ),
  ],
  [
    "an answer of another type",
    "mismatches",
    once(isGood, (answered) => ({ ...answered, type: "text/html" })),
  ],
  [
    "an error without its advice",
    "mismatches",
    once(
      ({ status }) => status === 400,
      (answered) => ({ ...answered, text: answered.text.replace('"advice"', '"advise"') }),
    ),
  ],
  [
    "an error that the call does not tell of",
    "mismatches",
    (answered) => ({ ...answered, text: answered.text.replace('{"code":"usage"', '{"code":"port_taken"') }),
  ],
  [
    "what is the owner's, refused to a viewer in words of its own",
    "mismatches",
    once(
      ({ status, text }, { asker }) => asker.seat !== undefined && status === 404 && text !== "",
      (answered) => ({ ...answered, text: answered.text.replace("There is nothing", "Not for you") }),
    ),
  ],
  [
    "a word of another",
    "foreign",
    once(
      (answered, { asker }) =>
        isGood(answered) && asker.seat?.user === "lin" && answered.text.startsWith('{"'),
      (answered) => ({ ...answered, text: answered.text.replace(/^\{/, '{"said":"zqaaaaqz",') }),
    ),
  ],
];

test.each(PLANTS)(
  "planted: %s is noticed",
  async (_what, kind, through) => {
    const figures = await fuzz({ requests: 150, seed: 3, users: 3, scopes: 2 }, through);
    expect(figures[kind]).toBeGreaterThan(0);
    expect(figures.faults.length).toBeGreaterThan(0);
  },
  120_000,
);
