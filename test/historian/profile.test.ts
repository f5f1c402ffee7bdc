import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bulletsIn, mergedProfile, MOST_BULLETS, type Draft } from "../../src/historian/profile.js";
import { builtinProfile } from "../../src/llm/builtin/profile.js";
import { epochMs } from "../../src/model/time.js";
import type { JobId } from "../../src/model/work.js";
import type { ProfileJob, Told } from "../../src/llm/jobs/profile.js";
import { parseProfile, printProfile, type Profile } from "../../src/protocol/profile.js";

const NOW = epochMs(Date.parse("2026-03-02T12:00:00Z"));
const LIN = { entity: "user", id: "lin" } as const;
const draft = (bullets: readonly string[], more: Partial<Draft> = {}): Draft => ({
  by: "m",
  tags: [],
  bullets,
  trust: "human",
  ...more,
});

function written(bullets: readonly string[], more: Partial<Draft> = {}): Profile {
  const made = mergedProfile(undefined, draft(bullets, more), LIN, "j0", NOW);
  const read = made === undefined ? undefined : parseProfile(printProfile(made));
  if (read === undefined) throw new Error("no profile");
  return read;
}

describe("a profile", () => {
  test("is read as it was printed, fields that memd does not know too", () => {
    const made = mergedProfile(
      undefined,
      draft(["Likes tea"], { name: "Lin Yue", tags: ["tea"] }),
      LIN,
      "j1",
      NOW,
    );
    const text = printProfile({ ...made!, extra: { mood: "calm" } });
    const read = parseProfile(text);
    expect(read).toEqual({ ...made, extra: { mood: "calm" }, edited: false });
    expect(text).toMatch(/entity_type: user\nentity_id: lin\nname: Lin Yue\ntags:\n {2}- tea\nupdated_at: /);
    for (const edit of [
      text.replace("Likes", "Loves"),
      text.replace("Lin Yue", "Yue"),
      text.replace("- tea", "- cha"),
    ])
      expect(parseProfile(edit)?.edited).toBe(true);
  });

  test("that a person wrote has no hash, and counts as edited", () => {
    expect(parseProfile("---\nentity_type: user\nentity_id: lin\n---\n- likes tea\n")?.edited).toBe(true);
  });

  test("without bullets, or with what stands, does not change", () => {
    expect(mergedProfile(undefined, draft([]), LIN, "j1", NOW)).toBeUndefined();
    expect(mergedProfile(written(["Likes tea"]), draft([" - Likes tea "]), LIN, "j1", NOW)).toBeUndefined();
  });

  test("keeps the name that was settled", () => {
    const before = written(["Likes tea"], { name: "Yue" });
    expect(mergedProfile(before, draft(["Likes jazz"], { name: "Mr Lin" }), LIN, "j1", NOW)?.name).toBe(
      "Yue",
    );
  });

  test("never loses a line of a person's, not in a later merge either, and takes in what is new", () => {
    const before = {
      ...written(["Likes tea", "Likes jazz"]),
      body: "\nA friend.\n\n- Likes tea, never coffee\n- Likes jazz\n",
      edited: true,
    };
    const once = mergedProfile(before, draft(["Likes jazz", "Plays the violin"]), LIN, "j1", NOW)!;
    expect(once.body).toBe("\nA friend.\n\n- Likes tea, never coffee\n- Likes jazz\n- Plays the violin\n");
    const twice = mergedProfile(parseProfile(printProfile(once)), draft(["Sings"]), LIN, "j2", NOW)!;
    expect(twice.body).toBe("\nA friend.\n\n- Likes tea, never coffee\n- Sings\n");
  });

  test("stands most weighty first, and an overfull answer loses its last lines", () => {
    const before = written(["Likes tea", "Likes jazz"]);
    const after = mergedProfile(
      before,
      draft(["Is a tram driver", "Likes jazz", "Likes tea"]),
      LIN,
      "j1",
      NOW,
    )!;
    expect(bulletsIn(after.body)).toEqual(["Is a tram driver", "Likes jazz", "Likes tea"]);
    const many = Array.from({ length: MOST_BULLETS + 4 }, (_, n) => `Trait ${n}`);
    expect(bulletsIn(mergedProfile(before, draft(many), LIN, "j2", NOW)!.body)).toEqual(
      many.slice(0, MOST_BULLETS),
    );
  });

  test("is trusted as little as the least trusted that it was told by", () => {
    const first = written(["Likes tea"], { trust: "human" });
    expect(first.trust).toBe("human");
    const next = mergedProfile(first, draft(["Likes tea", "Sings"], { trust: "tool" }), LIN, "j1", NOW)!;
    expect(parseProfile(printProfile(next))?.trust).toBe("tool");
    const last = mergedProfile(parseProfile(printProfile(next)), draft(["Sings"]), LIN, "j2", NOW)!;
    expect(last.trust).toBe("tool");
  });

  test("does not take in again what a person took out", () => {
    const before = { ...written(["Likes tea", "Likes jazz"]), body: "\n- Likes jazz\n", edited: true };
    const after = mergedProfile(before, draft(["Likes tea", "Likes jazz", "Sings"]), LIN, "j1", NOW)!;
    expect(after.body).toBe("\n- Likes jazz\n- Sings\n");
    const later = mergedProfile(
      parseProfile(printProfile(after)),
      draft(["Likes tea", "Sings"]),
      LIN,
      "j2",
      NOW,
    )!;
    expect(later.body).toBe("\n- Sings\n");
  });

  test("whatever a provider says has eight bullets and ten tags at most, each one line that breaks nothing", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary" }), { maxLength: 20 }),
        fc.array(fc.string(), { maxLength: 30 }),
        (bullets, tags) => {
          const made = mergedProfile(
            undefined,
            draft(bullets, { tags, name: bullets[0] ?? "" }),
            LIN,
            "j1",
            NOW,
          );
          if (made === undefined) return;
          expect(bulletsIn(made.body).length).toBeLessThanOrEqual(MOST_BULLETS);
          expect(made.tags.length).toBeLessThanOrEqual(10);
          const read = parseProfile(printProfile(made));
          expect(read).toMatchObject({ entity: "user", id: "lin", edited: false, body: made.body });
        },
      ),
    );
  });
});

describe("without a model", () => {
  const job = (texts: readonly string[], more: Partial<ProfileJob> = {}): ProfileJob => ({
    kind: "profile",
    id: "p" as JobId,
    entity: "user",
    target: "lin",
    name: "Lin Yue",
    tags: [],
    bullets: [],
    events: texts.map((text) => ({ date: "2026-03-02", text })),
    known: [],
    ...more,
  });
  const bullets = (texts: readonly string[], more: Partial<ProfileJob> = {}): string[] =>
    builtinProfile(job(texts, more)).bullets;

  test("what somebody was said to be or to like becomes a bullet with its date", () => {
    expect(
      bullets([
        "Lin Yue(lin) likes oolong.",
        "Lin Yue(lin)喜欢喝茶。",
        "Lin Yue is allergic to peanuts.",
        "lin speaks Welsh.",
      ]),
    ).toEqual([
      "Is allergic to peanuts (2026-03-02)",
      "Speaks Welsh (2026-03-02)",
      "Likes oolong (2026-03-02)",
      "喜欢喝茶（2026-03-02）",
    ]);
  });

  test("where they are named once more, that is by their name alone", () => {
    expect(bullets(["Lin Yue(lin) loves showing people Lin Yue(lin)'s stamps."])).toEqual([
      "Loves showing people Lin Yue's stamps (2026-03-02)",
    ]);
  });

  test("what is about somebody else, or happened once, does not", () => {
    expect(
      bullets([
        "Wei likes coffee.",
        "Linda likes jazz.",
        "Lin Yue(lin) went to the dentist.",
        "Lin Yue's sister likes cats.",
      ]),
    ).toEqual([]);
  });

  test("one lives in one place: the newest", () => {
    const first = bullets(["Lin Yue(lin) lives in Porto.", "Lin Yue(lin) likes tea."]);
    expect(bullets(["Lin Yue(lin) moved to Lisbon."], { bullets: first })).toEqual([
      "Moved to Lisbon (2026-03-02)",
      "Likes tea (2026-03-02)",
    ]);
  });

  test("the only user of a workspace may be called the user", () => {
    const local = { target: "local" };
    const { name: _name, ...nameless } = job(["The user likes tea.", "用户对花生过敏"], local);
    expect(builtinProfile(nameless).bullets).toEqual(["对花生过敏（2026-03-02）", "Likes tea (2026-03-02)"]);
  });

  const known = (texts: readonly string[], more: Partial<Told> = {}): Told[] =>
    texts.map((text) => ({ date: "2026-03-01", text, ...more }));

  test("who somebody is comes before what they like, and of much only the eight that say most", () => {
    const likes = ["tea", "jazz", "rain", "moss", "owls", "chess", "maps", "bread"];
    const texts = [
      ...likes.map((one) => `Lin Yue(lin) likes ${one}.`),
      "Lin Yue(lin) is a tram driver.",
      "Lin Yue(lin) lives in Porto.",
      "Lin Yue(lin) lost their job at the mill.",
    ];
    const told = bullets(texts);
    expect(told).toHaveLength(8);
    expect(told.slice(0, 3)).toEqual([
      "Is a tram driver (2026-03-02)",
      "Lives in Porto (2026-03-02)",
      "Lost their job at the mill (2026-03-02)",
    ]);
  });

  test("what was said often, and what much else is about, comes before what was said once", () => {
    const once = known(["Lin Yue(lin) likes moss."]);
    const often = known(["Lin Yue(lin) likes pottery."], { times: 6 });
    const about = known([
      "Lin Yue(lin) likes owls.",
      "Lin Yue(lin) likes kite festivals.",
      "Lin Yue(lin) likes kite shops.",
    ]);
    const told = bullets(["Lin Yue(lin) likes rain."], { known: [...once, ...often, ...about] });
    const place = (word: string): number => told.findIndex((bullet) => bullet.includes(word));
    expect(place("pottery")).toBeLessThan(place("moss"));
    expect(place("kite")).toBeLessThan(place("owls"));
  });

  test("whom somebody lives with is one line, each once, with the partner of now", () => {
    const told = bullets(["Lin Yue(lin) has a wife."], {
      known: [
        ...known(["Lin Yue(lin) has a girlfriend."], { date: "2025-01-01" }),
        ...known(["Lin Yue(lin) has kids.", "Lin Yue(lin) has a daughter, Sara.", "Lin Yue(lin) has pets."]),
        ...known(["Lin Yue(lin) has kids and a dog."]),
      ],
    });
    expect(told).toEqual(["Has a wife, kids, a daughter named Sara and a dog (2026-03-02)"]);
  });

  test("what holds no more leaves, what is said of what they love is theirs", () => {
    const over = known(["Lin Yue(lin) likes coriander."], { isOver: true });
    expect(
      bullets(["Pottery is a huge part of Lin Yue's life.", "Wei's favorite is jazz."], {
        bullets: ["Likes coriander (2026-03-01)", "Collects stamps (2026-02-01)"],
        known: over,
      }),
    ).toEqual(["Collects stamps (2026-02-01)", "Pottery is a huge part of their life (2026-03-02)"]);
  });

  test("what somebody else wrote into it stays before what it says by itself", () => {
    const told = bullets(["Lin Yue(lin) is a tram driver."], { bullets: ["Hums while thinking"] });
    expect(told).toEqual(["Hums while thinking", "Is a tram driver (2026-03-02)"]);
  });

  test("when it was does not hide what it was", () => {
    expect(bullets(["Lin Yue(lin)2026-02-01搬到了杭州"])).toEqual(["搬到了杭州（2026-03-02）"]);
  });

  test("of a group nothing is said so plainly", () => {
    expect(bullets(["The group meets on Mondays."], { entity: "group" })).toEqual([]);
  });
});
