import { describe, expect, test } from "vitest";
import { ofWork, worksIn } from "../../src/llm/builtin/told/work.js";

const workIn = (text: string): string | undefined => worksIn([{ name: "Lin", text }])[0]?.name;

describe("what somebody works on", () => {
  test.each([
    ["I'm optimizing the cache of my weather app. I've added a debounce.", "their weather app"],
    [
      "I manage the repository for the budget tracker project, and tagged v1.0.0.",
      "the budget tracker project",
    ],
    ["I deploy my single-page portfolio website to Pages.", "their single-page portfolio website"],
    ["My Flask app uses SQLite. Our tests run nightly.", "their Flask app"],
  ])("%s", (message, work) => {
    expect(workIn(message)).toBe(work);
  });

  test.each([
    // Of which is not said.
    "I've added a cache to my app, my own site and the new project.",
    // Of two.
    "I use Redis in my weather app and Postgres in my budget app.",
    // Part of another name.
    "I wrote my travel blog post, met my web app developer and lost my phone game controller.",
    "```\nconst x = my weather app;\n```",
    "The weather app by Apple is down.",
    "I set the goals of our project, the database for this project and the name of my next project.",
  ])("none: %s", (message) => {
    expect(workIn(message)).toBeUndefined();
  });

  test("what a message does not name is the only work that its speaker named before", () => {
    const lin = (text: string) => ({ name: "Lin", text });
    const weather = { name: "their weather app", at: 1 };
    const of = (...messages: Parameters<typeof worksIn>[0]) => worksIn(messages);
    expect(of(undefined, lin("I cache my weather app."), undefined, lin("I added a debounce."))).toEqual([
      undefined,
      weather,
      undefined,
      weather,
    ]);
    // Of one kind, and yet two.
    expect(
      of(lin("I run my budget tracker."), lin("I run my habit tracker."), lin("I added a test."))[2],
    ).toBe(undefined);
    expect(of(lin("I run my budget tracker and my habit tracker."))[0]).toBe(undefined);
    expect(of(lin("I host my web app."), lin("I moved my web app."), lin("I added a test."))[2]).toEqual({
      name: "their web app",
      at: 1,
    });
    // The same, as it is called otherwise.
    expect(
      of(
        lin("I host my single-page portfolio website."),
        lin("I moved my portfolio site."),
        lin("I added a test."),
      )[2],
    ).toEqual({ name: "their portfolio site", at: 1 });
    // Another's work, work that comes later, one of two: nobody knows.
    expect(of(undefined, lin("I cache my weather app."), { name: "Ada", text: "I added a test." })[2]).toBe(
      undefined,
    );
    expect(of(lin("I added a test."), lin("I cache my weather app."))[0]).toBe(undefined);
    expect(of(lin("I cache my weather app."), lin("I ship my budget app."), lin("I added a test."))[2]).toBe(
      undefined,
    );
    expect(of(lin("I cache my weather app and my budget app."), lin("I added a test."))[1]).toBe(undefined);
  });
});

describe("told of it", () => {
  test.each([
    [
      "Lin has implemented a 300 ms debounce.",
      "Lin has implemented a 300 ms debounce (working on their weather app).",
    ],
    ["Lin has set up their project with Flask 2.3.1.", "Lin has set up their weather app with Flask 2.3.1."],
    // It says itself of what, or is no work.
    ["Lin is using Redis in the ferry bot.", "Lin is using Redis in the ferry bot."],
    ["Lin has a cat.", "Lin has a cat."],
    ["Lin has tagged a release v1.0.0.", "Lin has tagged a release v1.0.0 (working on their weather app)."],
    ["Lin has settled on version 1.0 using Flask-Migrate.", undefined],
  ])("%s", (text, told) => {
    expect(ofWork(text, "their weather app", true)).toBe(told);
  });

  test("what another message named is told of work on a program alone", () => {
    const told = (text: string) => ofWork(text, "their weather app", false);
    expect(told("Lin is using Redis 7.2.")).toBe("Lin is using Redis 7.2 (working on their weather app).");
    expect(told("Lin set a goal to network in Oslo.")).toBe("Lin set a goal to network in Oslo.");
    expect(told("Lin is trying to meet Ada.")).toBe("Lin is trying to meet Ada.");
  });

  test.each([
    ["Lin is using Bootstrap 5.3 for deployment.", undefined],
    ["Lin is trying to find a memory leak with DevTools.", undefined],
    ["Lin is planning to use Chrome DevTools v112.", undefined],
    ["Lin is using Tide Tables to plan rides.", "Lin is using Tide Tables to plan rides."],
    ["Lin has achieved IELTS 7.5.", "Lin has achieved IELTS 7.5."],
    ["Lin has completed a Python course in Oslo.", "Lin has completed a Python course in Oslo."],
    ["Lin is looking into adoption agencies in Oslo.", "Lin is looking into adoption agencies in Oslo."],
    ["Lin has set up their project with Flask 2.3.1.", undefined],
    ["Lin is trying to implement the About section with Bootstrap.", undefined],
    ["Lin has migrated their backend to Redis 7.2.", undefined],
    ["Lin has tagged a release v1.0.0 on April 20.", undefined],
    ["Lin moved to the project house in Oslo.", "Lin moved to the project house in Oslo."],
  ])("where nothing names it: %s", (text, told) => {
    expect(ofWork(text, undefined, true)).toBe(told);
  });
});
