/** `memd profile`: what is known, how it came to be so, and the way back. */
import { expect, test } from "vitest";
import { cliPlace } from "../support/cli.js";

function profile(id: string, bullet: string, more = ""): string {
  return `---\nentity_type: user\nentity_id: ${id}\nname: Lin Yue\ntags:\n  - music\n${more}---\n\n- ${bullet}\n`;
}

const NOW = profile("lin", "Plays the violin", 'updated_at: "2026-03-02T10:00:00Z"\n');
const THEN = profile("lin", "Plays the flute", 'updated_at: "2026-02-02T10:00:00Z"\n');
const OLD = "2026-03-02T10-00-00-000Z";

test("a profile is listed, shown, found, compared with an older version and taken back to it", async () => {
  const place = cliPlace({
    zone: "UTC",
    files: {
      "memory/profiles/users/lin.md": NOW,
      [`memory/profiles/history/users/lin/${OLD}.md`]: THEN,
      "memory/profiles/groups/band.md": NOW.replace("user", "group")
        .replace("lin", "band")
        .replace("violin", "waltzes"),
    },
  });
  expect((await place.memd(["profile", "list"])).stdout).toMatch(/lin +Lin Yue\ngroup:band +Lin Yue/);
  expect((await place.memd(["profile", "show", "lin"])).stdout).toBe(`${NOW.trimEnd()}\n`);
  expect((await place.memd(["profile", "show", "group:band"])).stdout).toContain("entity_id: band");
  expect((await place.memd(["profile", "search", "violin"])).stdout).toContain(
    "memory/profiles/users/lin.md",
  );
  expect((await place.memd(["profile", "history", "lin"])).stdout).toBe(`${OLD}\n`);
  expect((await place.memd(["profile", "show", "lin", "--revision", "2026-03-02"])).stdout).toContain(
    "flute",
  );
  expect((await place.memd(["profile", "diff", "lin"])).stdout).toBe(
    "- - Plays the flute\n+ - Plays the violin\n",
  );

  expect((await place.memd(["profile", "rollback", "lin"])).stdout).toMatch(
    /says again:\n[\s\S]*- Plays the flute\n$/,
  );
  expect(place.read("memory/profiles/users/lin.md")).toBe(THEN);
  expect(place.files("memory/profiles/history/users/lin")).toHaveLength(2);
  // And back again: what stood is a version too.
  expect((await place.memd(["profile", "rollback", "lin"])).code).toBe(0);
  expect(place.read("memory/profiles/users/lin.md")).toBe(NOW);
});

test("who is not known, and a version that is none, are answered with what there is", async () => {
  const place = cliPlace({ files: { "memory/profiles/users/lin.md": NOW } });
  const unknown = await place.memd(["profile", "show", "wei"]);
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toContain("Nothing is known of the user wei: there is no profile.");
  expect((await place.memd(["profile", "rollback", "lin"])).stderr).toContain("has no older version.");
  expect((await place.memd(["profile", "rollback", "lin", "2020"])).stderr).toContain("2020 is no version");
  expect((await place.memd(["profile", "history", "../../x"])).stdout).toBe("There is no older version.\n");
  expect((await place.memd(["profile", "search", "zeppelin"])).stdout).toMatch(
    /^No profile says that\. Try other words\./,
  );
});
