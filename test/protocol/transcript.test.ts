import { describe, expect, test } from "vitest";
import { toolsOf, type IncomingMessage } from "../../src/model/message.js";
import { parseMessage, printMessage } from "../../src/protocol/message.js";

function read(raw: unknown): IncomingMessage {
  const message = parseMessage(raw);
  if (message === undefined) throw new Error("it is no message");
  return message;
}

const CALL = { id: "c1", type: "function", function: { name: "rates", arguments: '{"from":"CNY"}' } };
const RATES = { name: "rates", callId: "c1", input: { from: "CNY" } };

describe("OpenAI's transcripts", () => {
  test("an answer that calls tools has them all", () => {
    const second = { id: "c2", type: "function", function: { name: "clock", arguments: "" } };
    const message = read({ role: "assistant", content: null, tool_calls: [CALL, second] });
    expect(message).toMatchObject({ role: "agent", text: "" });
    expect(toolsOf(message)).toEqual([RATES, { name: "clock", callId: "c2", input: "" }]);
  });

  test("what is said beside a call is what the agent says", () => {
    expect(read({ role: "assistant", content: "Let me look.", tool_calls: [CALL] })).toMatchObject({
      text: "Let me look.",
      tool: RATES,
    });
  });

  test("a result is a tool's", () => {
    const message = read({ role: "tool", tool_call_id: "c1", content: "0.137" });
    expect(message).toMatchObject({ role: "tool", text: "0.137", tool: { callId: "c1", result: "0.137" } });
  });

  test("the oldest form and the newest", () => {
    const oldest = read({
      role: "assistant",
      content: null,
      function_call: { name: "rates", arguments: "{}" },
    });
    expect(oldest.tool).toEqual({ name: "rates", callId: "", input: {} });
    const call = read({ type: "function_call", call_id: "c1", name: "rates", arguments: "{}" });
    expect(call).toMatchObject({ role: "agent", tool: { name: "rates", callId: "c1" } });
    const result = read({ type: "function_call_output", call_id: "c1", output: "0.137" });
    expect(result).toMatchObject({ role: "tool", text: "0.137", tool: { callId: "c1", result: "0.137" } });
  });

  test("pictures are attachments, and those inside the message have no place", () => {
    const content = [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: "https://example.org/a.png" } },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    ];
    expect(read({ role: "user", content })).toMatchObject({
      text: "What is this?",
      attachments: [{ kind: "image", path: "https://example.org/a.png" }, { kind: "image" }],
    });
  });
});

describe("Anthropic's transcripts", () => {
  test("text and calls stand in blocks", () => {
    const content = [
      { type: "text", text: "Let me look." },
      { type: "tool_use", id: "c1", name: "rates", input: { from: "CNY" } },
      { type: "tool_use", id: "c2", name: "clock", input: {} },
    ];
    const message = read({ role: "assistant", content });
    expect(message).toMatchObject({ role: "agent", text: "Let me look.", tool: RATES });
    expect(toolsOf(message)).toHaveLength(2);
  });

  test("results that come in the user's name are not the user's words", () => {
    const content = [
      { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "0.137" }] },
      { type: "tool_result", tool_use_id: "c2", content: "no such city", is_error: true },
    ];
    const message = read({ role: "user", content });
    expect(message).toMatchObject({ role: "tool", text: "0.137\nerror: no such city" });
    expect(toolsOf(message).map(({ callId, result }) => [callId, result])).toEqual([
      ["c1", "0.137"],
      ["c2", "error: no such city"],
    ]);
  });

  test("but what the user says with them is", () => {
    const content = [
      { type: "tool_result", tool_use_id: "c1", content: "0.137" },
      { type: "text", text: "Stop it." },
    ];
    expect(read({ role: "user", content })).toMatchObject({ role: "user", text: "Stop it." });
  });
});

test("a message is printed as the host wrote it, and read again says the same", () => {
  const all = [
    { role: "assistant", content: null, tool_calls: [CALL] },
    { role: "tool", tool_call_id: "c1", content: "0.137" },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "0.137" }] },
    { type: "function_call", call_id: "c1", name: "rates", arguments: "{}" },
    { role: "user", content: [{ type: "image", source: { type: "url", url: "https://example.org/a.png" } }] },
  ];
  for (const raw of all) {
    const printed = printMessage(read(raw));
    expect(printed).toMatchObject("role" in raw ? { content: raw.content } : raw);
    expect(printed).not.toHaveProperty("tool");
    expect(printed).not.toHaveProperty("text");
    expect(read(printed)).toEqual({ ...read(raw) });
  }
});

test("a message without words, calls or pictures is none", () => {
  expect(parseMessage({ role: "assistant", content: null })).toBeUndefined();
  expect(
    parseMessage({ role: "assistant", content: [{ type: "thinking", thinking: "hm" }] }),
  ).toBeUndefined();
  expect(parseMessage({ type: "tool_use", id: "c1", name: "rates", input: {} })).toBeUndefined();
});
