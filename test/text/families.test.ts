import { expect, test } from "vitest";
import { familyOf } from "../../src/text/families.js";
import { stem } from "../../src/text/terms.js";

const PAIRS =
  `allergy allergic|decide decision|choose choice|fly flight|fail failure|behave behaviour|remind reminder|run runner
argue argument|happy happiness|windy wind|migrate migration|prefer preference|break breakage|describe description|produce production
receive reception|explain explanation|solve solution|apply application|curious curiosity|nervous nerve|mystery mysterious
able ability|visible visibility|music musician|history historical|friend friendship|free freedom|bored boredom|wide widen
grow growth|weigh weight|sell sale|lose loss|believe belief|succeed success|italy italian|japan japanese|wake awake|press pressure
analyse analysis|destroy destruction|satisfy satisfaction|permit permission|explode explosion|persuade persuasion|conclude conclusion`
    .split(/[|\n]/)
    .map((pair) => pair.split(" ") as [string, string]);

test.each(PAIRS)("%s and %s are of one family, whichever is asked for", (one, other) => {
  const stems = (word: string): Set<string> => new Set([stem(word), ...[...familyOf(word)].map(stem)]);
  expect(stems(one)).toContain(stem(other));
  expect(stems(other)).toContain(stem(one));
});

test("a word is none of its own family, and one of three letters has hardly any", () => {
  expect(familyOf("decide")).not.toContain("decide");
  expect(familyOf("sea").size).toBeLessThan(150);
});

test("what a word may be told by is bounded, however long it is", () => {
  expect(familyOf("misunderestimationalisation".repeat(4)).size).toBeLessThan(2000);
});
