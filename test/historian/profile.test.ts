import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bulletsIn, mergedProfile, MOST_BULLETS, type Draft } from "../../src/historian/profile.js";
import { builtinProfile } from "../../src/llm/builtin/profile.js";
import { epochMs } from "../../src/model/time.js";
import type { JobId } from "../../src/model/work.js";
import type { ProfileJob } from "../../src/llm/jobs/profile.js";
import { parseProfile, printProfile, type Profile } from "../../src/protocol/profile.js";

const NOW = epochMs(Date.parse("2026-03-02T12:00:00Z"));
const LIN = { entity: "user", id: "lin" } as const;
const draft = (bullets: readonly string[], more: Partial<Draft> = {}): Draft => ({
  by: "m",
  tags: [],
  bullets,
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
      "Likes oolong (2026-03-02)",
      "喜欢喝茶（2026-03-02）",
      "Is allergic to peanuts (2026-03-02)",
      "Speaks Welsh (2026-03-02)",
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
      "Likes tea (2026-03-02)",
      "Moved to Lisbon (2026-03-02)",
    ]);
  });

  test("the only user of a workspace may be called the user", () => {
    const local = { target: "local" };
    const { name: _name, ...nameless } = job(["The user likes tea.", "用户对花生过敏"], local);
    expect(builtinProfile(nameless).bullets).toEqual(["Likes tea (2026-03-02)", "对花生过敏（2026-03-02）"]);
  });

  test("when it was does not hide what it was", () => {
    expect(bullets(["Lin Yue(lin)2026-02-01搬到了杭州"])).toEqual(["搬到了杭州（2026-03-02）"]);
  });

  test("of a group nothing is said so plainly", () => {
    expect(bullets(["The group meets on Mondays."], { entity: "group" })).toEqual([]);
  });
});
