/** A profile that its owner writes anew through memd: as if they edited its file, and over nobody's words. */
import { expect, test } from "vitest";
import { listRevisions, updateProfile } from "../../src/service/profiles.js";
import { OWNER } from "../../src/model/address.js";
import { openStage } from "../support/stage.js";

const FILE = "memory/profiles/users/lin.md";
const HEAD = "---\nentity_type: user\nentity_id: lin\nname: Lin Yue\nmood: own field\ntags: []\n---\n\n";
const LIN = { entity: "user", id: "lin" } as const;

async function stageWith(text: string) {
  const stage = await openStage({ [FILE]: text });
  await stage.supervisor.start({ watch: false, work: false });
  return stage;
}

test("the head stays as it is, and what stood is an older version", async () => {
  const stage = await stageWith(`${HEAD}- Plays the violin.\n`);
  const { supervisor: memd } = stage;
  const shown = await updateProfile(memd, {
    ...LIN,
    body: "\n- Plays the flute.\n\n",
    shown: "- Plays the violin.",
  });
  expect(shown.body?.trim()).toBe("- Plays the flute.");
  expect(stage.read(FILE)).toBe(`${HEAD.trimEnd()}\n- Plays the flute.\n`);
  expect((await listRevisions(memd, OWNER, LIN)).revisions).toHaveLength(1);
});

test("what says something else than was shown is not written over", async () => {
  const stage = await stageWith(`${HEAD}- Sings.\n`);
  const asked = { ...LIN, body: "- Dances.", shown: "- Plays the violin." };
  await expect(updateProfile(stage.supervisor, asked)).rejects.toMatchObject({ code: "entry_changed" });
  expect(stage.read(FILE)).toBe(`${HEAD}- Sings.\n`);
});

test("of nobody known, and of a head that cannot be read, nothing is written", async () => {
  const broken = "---\nentity_type: [user\n---\n- Sings.\n";
  const stage = await stageWith(broken);
  await expect(updateProfile(stage.supervisor, { ...LIN, body: "- x" })).rejects.toMatchObject({
    code: "value_invalid",
  });
  await expect(
    updateProfile(stage.supervisor, { entity: "user", id: "wei", body: "- x" }),
  ).rejects.toMatchObject({ code: "profile_unknown" });
  expect(stage.read(FILE)).toBe(broken);
});
