import fc from "fast-check";
import { expect, test } from "vitest";
import { dropParagraphs } from "../../src/context/fit-pinned.js";
import { estimateTokens } from "../../src/text/tokens.js";

const asItIs = (text: string): string => text;

function fit(text: string, budgetTokens: number): ReturnType<typeof dropParagraphs> {
  return dropParagraphs(text, budgetTokens, "memory.md", asItIs);
}

const MEMORY = `# Memory

## Bikes

The first bike was red and was stolen from the yard in May.

The second bike is blue and has a bell.

## Food
- no nuts
- loves noodles
- tea, not coffee

### Restaurants

The corner place closed.`;

test("what fits stays as it is", () =>
  expect(fit(MEMORY, 1000)).toEqual({ body: MEMORY, cuts: [], warnings: [] }));

test("those standing first under a heading go first, and every heading stays", () => {
  expect(fit(MEMORY, 54)).toMatchInlineSnapshot(`
    {
      "body": "# Memory

    ## Bikes

    The second bike is blue and has a bell.

    ## Food
    - tea, not coffee

    ### Restaurants

    The corner place closed.

    (Left out: 3 older paragraphs. The whole is in memory.md.)",
      "cuts": [
        "3 paragraphs left out",
      ],
      "warnings": [],
    }
  `);
});

test("a deeper heading goes with its last paragraph", () => {
  expect(fit(MEMORY, 36)).toMatchInlineSnapshot(`
    {
      "body": "# Memory

    ## Bikes

    ## Food

    (Left out: 6 older paragraphs. The whole is in memory.md.)",
      "cuts": [
        "6 paragraphs left out",
      ],
      "warnings": [],
    }
  `);
});

test("where the headings alone pass the budget, those that fit stay, with a warning", () => {
  const headings = Array.from({ length: 50 }, (_, index) => `## Heading ${index}`);
  const { body, warnings } = fit(headings.join("\n"), 60);
  expect(body.startsWith("## Heading 0\n\n## Heading 1\n\n")).toBe(true);
  expect(warnings).toEqual([
    expect.stringMatching(/^The headings of memory\.md alone pass its budget: \d+ of 50 /),
  ]);
});

test("a heading inside a code block is none, and the block goes as one", () => {
  const text = `## Scripts\n\n\`\`\`sh\n# install\n\nnpm ci ${"and more ".repeat(40)}\n\`\`\`\n\nRun it daily.`;
  expect(fit(text, 40).body).toBe(
    "## Scripts\n\nRun it daily.\n\n(Left out: 1 older paragraph. The whole is in memory.md.)",
  );
});

test("a file of one long list keeps its newest items", () => {
  const items = Array.from({ length: 2000 }, (_, index) => `- fact number ${index}`);
  const { body } = fit(items.join("\n"), 400);
  const kept = body.split("\n").filter((line) => line.startsWith("- "));
  expect(kept.length).toBeGreaterThan(50);
  expect(kept).toEqual(items.slice(-kept.length));
  expect(estimateTokens(body)).toBeLessThanOrEqual(400);
});

test("whatever the file: the budget holds, what is kept under a heading is its end, and no heading is missing without a warning", () => {
  const section = fc.record({
    level: fc.constantFrom("##", "##", "###"),
    lengths: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
  });
  fc.assert(
    fc.property(
      fc.array(section, { maxLength: 8 }),
      fc.integer({ min: 1, max: 300 }),
      (sections, budgetTokens) => {
        const named = sections.map(({ level, lengths }, at) => ({
          heading: `${level} Heading ${at}`,
          paragraphs: lengths.map((length, index) => `p${at}x${index} ${"word ".repeat(length)}`.trim()),
        }));
        const text = named
          .map(({ heading, paragraphs }) => [heading, ...paragraphs].join("\n\n"))
          .join("\n\n");
        const { body, warnings } = fit(text, budgetTokens);
        expect(estimateTokens(body)).toBeLessThanOrEqual(budgetTokens);
        const lines = body.split("\n");
        for (const { heading, paragraphs } of named) {
          const kept = paragraphs.filter((paragraph) => lines.includes(paragraph));
          expect(kept).toEqual(paragraphs.slice(paragraphs.length - kept.length));
          if (heading.startsWith("## ") && warnings.length === 0) expect(lines).toContain(heading);
          if (kept.length > 0) expect(lines).toContain(heading);
        }
      },
    ),
  );
});
