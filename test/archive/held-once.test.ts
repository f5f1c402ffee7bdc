import { expect, test } from "vitest";
import { heldOnce, versionHash } from "../../src/archive/identity.js";
import type { IncomingMessage } from "../../src/model/message.js";

function said(text: string, more: Partial<IncomingMessage> = {}): IncomingMessage {
  return { role: "user", text, createdAt: "2026-03-20T10:00:00Z", ...more };
}

test("a long text that is read again is the one that is held, under all that this message says of itself", () => {
  const text = "The whole report. ".repeat(500);
  const first = heldOnce(said(text));
  const again = said([...text].join(""), { extra: { seen: 2 } });
  const held = heldOnce(again);
  expect(held).not.toBe(again);
  expect(held).toEqual(again);
  expect(versionHash(held)).toBe(versionHash(first));
});

test("short texts, other texts and other versions of a text stay as they were read", () => {
  const text = "Another report. ".repeat(500);
  heldOnce(said(text));
  for (const other of [said("short"), said(`${text}!`), said(text, { private: true })])
    expect(heldOnce(other)).toBe(other);
});
