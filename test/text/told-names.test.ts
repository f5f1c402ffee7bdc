import { expect, test } from "vitest";
import { withToldNames } from "../../src/text/told-names.js";

const TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

test("a name tells no secret, neither as it is nor as a folder", () => {
  const line = {
    event: "window_compacted",
    scope: `bot ${TOKEN}`,
    session: "password=hunter2",
    file: `memory/scopes/${encodeURIComponent(`bot ${TOKEN}`)}/2026-01-05-mem-1a2b3c4d.md`,
    messages: 3,
  };
  const told = withToldNames(line);
  expect(JSON.stringify(told)).not.toMatch(/ghp_|hunter2/);
  expect(told).toMatchObject({ event: "window_compacted", messages: 3 });
  expect(told.file).toMatch(/^memory\/scopes\/.*\/2026-01-05-mem-1a2b3c4d\.md$/);
});

test("names that hosts give to places and conversations stay as they are", () => {
  const names = [
    "main",
    "group:family",
    "oc_5ad11d72b830411d72b836c20",
    "ou_7d8a6e6df7621556ce0d21922b676706ccs",
    "C024BE91L",
    "123456789012345678",
    "8613800138000@s.whatsapp.net",
    "-1001234567890",
    "wxid_abcdef1234567",
    "!OGEhHVWSdvArJzumhm:matrix.org",
    "lin@example.com",
    "0b8f1c2e-6d1a-4f0e-9b53-2f6b1f6e8a10",
    "agent:main:telegram:dm:7012345678",
    "19:meeting_NDQ4ZjhhZDk@thread.v2",
  ];
  for (const name of names) {
    const line = { scope: name, file: `teller/${encodeURIComponent(name)}/main/prompt.md` };
    expect(withToldNames(line)).toEqual(line);
  }
  expect(withToldNames({ file: "memory/scopes/100%/a.md" })).toEqual({ file: "memory/scopes/100%/a.md" });
});
