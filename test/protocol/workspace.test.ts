import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ScopeId } from "../../src/model/address.js";
import { openWorkspaceAt, printWorkspaceFile } from "../../src/protocol/workspace-file.js";
import { FORMAT_VERSION, scopeName, summaryPath } from "../../src/protocol/workspace.js";
import { hostileText } from "../support/arbitrary.js";
import { failOnce, memoryWorkspace } from "../support/writer.js";

const name = (scope: string): string => scopeName(scope as ScopeId);

describe("the folder of a scope", () => {
  test("is one plain name, whatever the scope is called", () => {
    const scopes = fc.oneof(
      hostileText,
      fc.constantFrom(".", "..", "...", "/", "../..", "group:a", "C:\\x", "~", "*", "-rf"),
    );
    fc.assert(
      fc.property(
        scopes.filter((scope) => scope !== ""),
        (scope) => {
          const folder = name(scope);
          expect(folder).toMatch(/^[A-Za-z0-9_%~-][A-Za-z0-9_.%~-]*$/);
          expect(Buffer.byteLength(folder)).toBeLessThanOrEqual(200);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("is another one for another scope", () => {
    const scopes = hostileText.map((text) => text.toWellFormed());
    fc.assert(
      fc.property(scopes, scopes, (one, other) => {
        expect(name(one) === name(other)).toBe(one === other);
      }),
      { numRuns: 200 },
    );
    const long = "长".repeat(300);
    expect(name(`${long}a`)).not.toBe(name(`${long}b`));
    expect(name("a~b")).not.toBe(name("a%7Eb"));
  });

  test("can be read by a person where it can be", () => {
    expect(name("group:friends")).toBe("group%3Afriends");
    expect(name("..")).toBe("%2E.");
    expect(summaryPath("group:a" as ScopeId, "2026-01-05" as never)).toBe(
      "memory/scopes/group%3Aa/summary/2026-01-05.md",
    );
    expect(summaryPath("main" as ScopeId, "2026-01" as never)).toBe("memory/summary/2026-01.md");
  });
});

describe("opening a workspace", () => {
  const open = async (text: string | undefined): Promise<unknown> => {
    const { disk } = await memoryWorkspace(text === undefined ? {} : { "workspace.json": text });
    return openWorkspaceAt(disk, "/w");
  };

  test("works with what memd init writes", async () => {
    await expect(open(printWorkspaceFile("abc"))).resolves.toEqual({ root: "/w" });
    await expect(open('{"format": 1, "id": "x", "more": true}')).resolves.toEqual({ root: "/w" });
  });

  test.each([
    ["no file", undefined, "no_workspace"],
    ["a newer format", JSON.stringify({ format: FORMAT_VERSION + 1, id: "x" }), "workspace_newer"],
    ["half a file", '{"format": 1,', "workspace_unreadable"],
    ["an empty file", "", "workspace_unreadable"],
    ["another shape", "[]", "workspace_unreadable"],
    ["a format that is none", '{"format": 0, "id": "x"}', "workspace_unreadable"],
  ])("is refused for %s", async (_what, text, code) => {
    await expect(open(text)).rejects.toMatchObject({ code });
  });

  test("a folder that is not there is no workspace", async () => {
    const { disk } = await memoryWorkspace();
    await expect(openWorkspaceAt(disk, "/elsewhere")).rejects.toMatchObject({ code: "no_workspace" });
  });

  test("a disk that fails is not taken for a broken workspace.json", async () => {
    const { disk } = await memoryWorkspace({ "workspace.json": printWorkspaceFile("abc") });
    failOnce(disk, "read", "EACCES");
    await expect(openWorkspaceAt(disk, "/w")).rejects.toMatchObject({ code: "disk_denied" });
  });
});
