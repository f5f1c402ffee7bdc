import { describe, expect, test } from "vitest";
import { isMemdError } from "../../src/model/errors.js";
import { DEFAULT_SETTINGS } from "../../src/model/settings.js";
import { parseSettings, readSettings } from "../../src/protocol/settings.js";
import { memoryWorkspace, WORKSPACE } from "../support/writer.js";

function complaint(text: string): string {
  try {
    parseSettings(text);
  } catch (error) {
    if (isMemdError(error, "settings_invalid")) return error.message;
    throw error;
  }
  return "none";
}

test("settings that nobody wrote are the defaults", async () => {
  const { disk } = await memoryWorkspace();
  expect(await readSettings(disk, WORKSPACE)).toEqual(DEFAULT_SETTINGS);
  expect(parseSettings("")).toEqual(DEFAULT_SETTINGS);
  expect(parseSettings("# only a comment\n")).toEqual(DEFAULT_SETTINGS);
});

test("one setting changes one thing", () => {
  const settings = parseSettings("[archive]\ninterval_hours = 2.5\n");
  expect(settings).toEqual({
    ...DEFAULT_SETTINGS,
    archive: { ...DEFAULT_SETTINGS.archive, interval_hours: 2.5 },
  });
});

test.each([
  ["tables", '[llm]\nbase_url = "http://localhost:11434/v1"\n'],
  ["dotted names", 'llm.base_url = "http://localhost:11434/v1"\n'],
  ["a table on one line", 'llm = { base_url = "http://localhost:11434/v1" }\n'],
  ["quoted names", '["llm"]\n"base_url" = "http://localhost:11434/v1"\n'],
  ["line ends of Windows", '[llm]\r\nbase_url = "http://localhost:11434/v1"\r\n'],
  ["a byte order mark", '\ufeff[llm]\nbase_url = "http://localhost:11434/v1"\n'],
])("%s are read", (_what, text) => {
  expect(parseSettings(text).llm.base_url).toBe("http://localhost:11434/v1");
});

describe("a wrong setting is named with its line", () => {
  test.each([
    ["[archive]\ntrigger_messages = 0\n", 2, "archive.trigger_messages"],
    ["[archive]\n\n# why\ntrigger_messages = 1.5\n", 4, "archive.trigger_messages"],
    ["archive.interval_hours = -1\n", 1, "archive.interval_hours"],
    ['[archive]\ninterval_hours = "6"\n', 2, "archive.interval_hours"],
    ["[archive]\ninterval_hours = nan\n", 2, "archive.interval_hours"],
    ["[archive]\ninterval_hours = inf\n", 2, "archive.interval_hours"],
    ["[archive]\nbackoff_minutes = []\n", 2, "archive.backoff_minutes"],
    ["[archive]\nbackoff_minutes = [\n  10,\n  0,\n]\n", 2, "archive.backoff_minutes.1"],
    ["[history]\nsoft_limit_messages = true\n", 2, "history.soft_limit_messages"],
    ["\n\n[history]\nsoft_limits = 3\n", 4, "history.soft_limits"],
    ["[archives]\n", 1, "archives"],
    ["[archive]\ninterval_hours = 1\n[llm.models]\nsumary = 'x'\n", 4, "llm.models.sumary"],
    ["[llm]\nmodels.summary = ''\n", 2, "llm.models.summary"],
    ["[llm]\nprovider = 'magic'\n", 2, "llm.provider"],
    ["[llm]\nbase_url = 'localhost:11434/v1'\n", 2, "llm.base_url"],
    ["[llm]\nbase_url = 'ftp://example.org'\n", 2, "llm.base_url"],
    ["[llm]\nbase_url = ''\n", 2, "llm.base_url"],
    ["llm = { base_url = 3 }\n", 1, "llm.base_url"],
    ["llm = 3\n", 1, "llm"],
    ["[llm]\n[llm.models]\nsummary = 3\n", 3, "llm.models.summary"],
    ["timezone = 'Mars/Olympus'\n", 1, "timezone"],
    ["timezone = ''\n", 1, "timezone"],
    ["timezone = 2026-01-05\n", 1, "timezone"],
    ["[recall]\nmin_score = 1.1\n", 2, "recall.min_score"],
    ["[context]\nhistory_tokens = [4096]\n", 2, "context.history_tokens"],
    ["[worker]\nmax_processes = {}\n", 2, "worker.max_processes"],
    ["[__proto__]\na = 1\n", 1, "__proto__"],
    ["[archive]\nconstructor = 1\n", 2, "archive.constructor"],
    ["[archive]\r\n\r\ntrigger_messages = 0\r\n", 3, "archive.trigger_messages"],
    [
      `[archive]\ninterval_hours = 1\n["llm"]\n"request_timeout_seconds" = 0\n`,
      4,
      "llm.request_timeout_seconds",
    ],
  ])("%j", (text, line, path) => {
    expect(complaint(text)).toMatch(
      new RegExp(`^memd.toml, line ${line}: ${path.replaceAll(".", "\\.")}: .+\\.$`),
    );
  });

  test.each([
    ["[archive\n", 1],
    ["[archive]\ninterval_hours = \n", 2],
    ["[archive]\ninterval_hours = 6 hours\n", 2],
    ["[archive]\ninterval_hours = 6\ninterval_hours = 7\n", 3],
    ["[archive]\n[archive]\n", 2],
    ["a = 'open\n", 1],
    ["just words\n", 1],
    ["[archive]\ntrigger_messages = 99999999999999999999\n", 2],
  ])("%j is no TOML", (text, line) => {
    expect(complaint(text)).toMatch(new RegExp(`^memd.toml, line ${line}, column \\d+: `));
  });

  test.each(["(a+)+b", "a*", "\\\\w+@x", "[a-z]+\\\\d+x", "(", "(?=x)y.*", "ab"])(
    "the pattern %j could hold everything up, or is none",
    (pattern) => {
      expect(complaint(`[secrets]\npatterns = ["${pattern}"]\n`)).toMatch(/secrets.patterns/);
    },
  );

  test("a pattern that begins with what is not repeated, and repeats one thing without end, is one", () => {
    const patterns = ["ACME-[A-Z0-9]{12}", "emp_\\d+", "(?:acme|beta)_\\w{8}"];
    expect(parseSettings(`[secrets]\npatterns = ${JSON.stringify(patterns)}\n`).secrets).toEqual({
      patterns,
    });
  });

  test("a key put where its name belongs is never shown", () => {
    const said = complaint("[llm]\napi_key_env = 'sk-verysecret123'\n");
    expect(said).toContain("line 2");
    expect(said).not.toContain("verysecret");
  });
});

test("a file that is no text says so", async () => {
  const { disk } = await memoryWorkspace({ "memd.toml": "" });
  const file = await disk.openAppend("/w/memd.toml");
  await file.write(new Uint8Array([0xff, 0xfe, 0x00]));
  await expect(readSettings(disk, WORKSPACE)).rejects.toMatchObject({ code: "settings_invalid" });
});
