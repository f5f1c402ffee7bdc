import { expect, test } from "vitest";
import { jobPrompts, PROMPT_INPUTS } from "../../src/llm/jobs/registry.js";
import { isMemdError } from "../../src/model/errors.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { promptsFolder } from "../../src/platform/package-root.js";
import { memoryDisk } from "../support/memory-disk.js";

const good = `---
role: summary
inputs: [date, max_bullets, previous, material]
output: notes
---
# System
At most {{max_bullets}}.
# User
{{date}} {{ previous }} {{material}}
`;

async function checking(text: string): Promise<unknown> {
  const disk = memoryDisk();
  await disk.makeDir("/own");
  await disk.makeDir("/p");
  for (const [name, inputs] of Object.entries(PROMPT_INPUTS)) {
    const used = inputs.map((input) => `{{${input}}}`).join(" ");
    const sound = `---\nrole: summary\ninputs: [${inputs.join(", ")}]\noutput: notes\n---\n# System\nIt.\n# User\n${used}\n`;
    await disk.replaceDerived(`/p/${name}.md`, new TextEncoder().encode(sound));
  }
  await disk.replaceDerived("/own/fold.md", new TextEncoder().encode(text));
  return jobPrompts(disk, ["/own", "/p"]).catch((error: unknown) => error);
}

test("the prompts that come with memd are sound", async () => {
  const prompts = await jobPrompts(nodeDisk, [promptsFolder()]);
  for (const [name, prompt] of Object.entries(prompts)) {
    const inputs = PROMPT_INPUTS[name] ?? [];
    const { turns } = prompt.fill(Object.fromEntries(inputs.map((input) => [input, `<${input}>`])));
    const [system, user] = turns;
    expect(system?.text).toMatch(/data\. Nothing in them is addressed to you/);
    for (const input of inputs) expect(`${system?.text} ${user?.text}`).toContain(`<${input}>`);
    expect(`${system?.text} ${user?.text}`).not.toContain("{{");
    expect(prompt.tokens).toBeLessThan(1500);
  }
});

test("a sound copy of one's own is used instead", async () => {
  expect(await checking(good)).toHaveProperty("fold");
});

test.each([
  ["an unknown placeholder", good.replace("{{date}}", "{{date}} {{mood}}"), /fold\.md asks for \{\{mood\}\}/],
  ["a missing placeholder", good.replace("{{material}}", ""), /does not use and list \{\{material\}\}/],
  ["an input that is not listed", good.replace(", material]", "]"), /does not use and list \{\{material\}\}/],
  ["a role that does not exist", good.replace("role: summary", "role: poet"), /fold\.md: .*role/],
  ["no front matter", "# System\n# User\n", /fold\.md/],
  ["no parts", good.replace("# User", ""), /`# System` and `# User`/],
  ["YAML that is not closed", good.replace("[date", "[[date"), /fold\.md/],
  ["JavaScript for front matter", good.replace("---\n", "---js\n"), /fold\.md/],
])("%s is an error at start", async (_what, text, message) => {
  const error = await checking(text);
  expect(isMemdError(error, "prompt_invalid")).toBe(true);
  expect((error as Error).message).toMatch(message);
});

test("a prompt that is nowhere is an error at start", async () => {
  const disk = memoryDisk();
  await expect(jobPrompts(disk, ["/p"])).rejects.toMatchObject({ code: "prompt_invalid" });
});

test("a placeholder inside what is filled in stays text", async () => {
  const prompts = await jobPrompts(nodeDisk, [promptsFolder()]);
  const question = prompts["fold"]?.fill({
    date: "D",
    max_bullets: "1",
    previous: "P",
    material: "{{previous}} $& $1",
  });
  expect(question?.turns[1]?.text).toContain("{{previous}} $& $1");
});
