import { expect, test } from "vitest";
import { statementsIn } from "../../src/llm/builtin/told/statement.js";

const toldOf = (sentence: string): string[] => statementsIn(sentence, "Lin", []).map(({ text }) => text);

test.each([
  "I met Amy at East Library on Feb 5, and she recommended a course.",
  "Yesterday I met this amazing woman, Jean, who had been through a lot.",
  "I love running my own studio.",
  "I've been doing some promotion for my business.",
  "Last week I won my second tournament!",
  "I won an international tournament yesterday.",
  "I've been playing professionally for just under a year.",
  "I've improved by about 3% per problem.",
  "I've got 5 detailed critiques from Joseph's beta readers, and I'm trying to use them.",
  "I've had 1,200 unique visitors since launch, and I'm worried.",
  "I had a basketball game last year where we were trailing in the 4th quarter.",
  "I had a not-so-great experience on a hike in Norway.",
])("nobody knows which a year later: %s", (sentence) => {
  expect(toldOf(sentence)).toEqual([]);
});

test.each([
  ["I met Alexis, a veteran director, at the Media Conference.", /^Lin met Alexis, a veteran director/],
  ["I met my new supervisor, Karen Lee, at StreamWave.", /^Lin met their new supervisor, Karen Lee/],
  ["I love running my dance studio.", /^Lin loves running their dance studio$/],
  ["Last week I won my second chess tournament!", /^Lin won their second chess tournament/],
  ["I opened my studio in Oslo.", /^Lin opened their studio in Oslo/],
  ["I'm a race engineer at Ferrari.", /^Lin is a race engineer at Ferrari/],
  ["I started training for tennis in Oslo.", /^Lin started training for tennis/],
  ["I had an interview at Google in Oslo, which went on for hours.", /^Lin had an interview at Google/],
  ["I won a tournament of chess clubs in Lyon.", /^Lin won a tournament of chess clubs in Lyon/],
])("it says which: %s", (sentence, told) => {
  expect(toldOf(sentence)[0]).toMatch(told);
});
