/** The output of every command over a workspace whose every text is hostile to a terminal. Needs a build. */
import { expect, test } from "vitest";
import { atTerminal, cliPlace } from "../support/cli.js";

/** An escape that retitles a window, a C1 one, a bell, a turned direction, a sentence in tag characters. */
const EVIL = `\u001b]0;owned\u0007 \u009b31m \u202egnp.exe \u2066x\u2069 \u{e0049}\u{e0067}\u{e006e} zz`;
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

const COMMANDS: readonly (readonly string[])[] = [
  ["prompt"],
  ["prompt", "--explain"],
  ["prompt", "--json"],
  ["search", "kayak"],
  ["search", "kayak", "--json"],
  ["search", "kayak", "--explain"],
  ["search", EVIL],
  ["events"],
  ["read", "memory.md"],
  ["read", EVIL],
  ["scopes"],
  ["scopes", EVIL],
  ["profile", "list"],
  ["profile", "show", "local"],
  ["memory", "list"],
  ["documents", "list"],
  ["queue", "list"],
  ["queue", "list", "--json"],
  ["topics", "list"],
  ["status"],
  ["status", "--json"],
  ["logs"],
  ["logs", "--json"],
  ["doctor"],
  ["usage"],
  ["config", "check"],
  ["forget", "--message", EVIL],
  ["topics", "show", EVIL],
  [EVIL],
];

/** Has a form of its own there. */
const AT_A_TERMINAL: readonly (readonly string[])[] = [
  ["search", "kayak"],
  ["search", "kayak", "--explain"],
  ["search", "kayak", "--porcelain"],
  ["events"],
  ["events", "kayak", "--porcelain"],
];

test("no command prints what a terminal obeys or nobody sees", async () => {
  const place = cliPlace();
  await place.memd(["init"]);
  const said = (id: string, days: number): object => ({
    id,
    role: "user",
    speaker: `Ana ${EVIL}`,
    text: `Remember that I prefer the kayak ${EVIL}. I always take the red one ${EVIL}.`,
    createdAt: new Date(Date.now() - days * 86_400_000).toISOString(),
  });
  place.write("history.json", [said(`h-${EVIL}`, 40), said("h-2", 8), said("h-3", 0)]);
  place.write("inbox.json", [said("i-1", 0)]);
  place.write("memory.md", `# Me\n\n- The kayak is ${EVIL}\n`);
  await place.memd(["end", "--observe", `Ana bought a kayak ${EVIL} on 2026-03-04.`]);
  await place.memd(["archive", "--now"]);
  await place.memd(["start", "--detach"]);
  const nothingUnseen = async (
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<string> => {
    const { stdout, stderr } = await place.memd(args, { env });
    const name = [...args, ...Object.keys(env)].join(" ").replace(EVIL, "EVIL");
    expect([name, UNSEEN.exec(stdout + stderr)?.[0]]).toEqual([name, undefined]);
    return stdout;
  };
  for (const args of COMMANDS) await nothingUnseen(args);
  for (const args of AT_A_TERMINAL)
    for (const columns of [40, 160])
      expect(await nothingUnseen(args, atTerminal(columns))).toContain("kayak");
  await nothingUnseen(["stop"]);
}, 120_000);
