/** A planted bug that no longer fits the code would be planted nowhere. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/platform/package-root.js";
import { PLANTS as faults } from "./faults/plants.js";
import { PLANTS as fuzz } from "./fuzz/plants.js";
import { PLANTS as kills } from "./kills/plants.js";
import { NAMED } from "./model/scenarios.js";
import { PLANTS as model } from "./model/plants.js";
import { planted } from "./plants.js";
import { PLANTS as races } from "./races/plants.js";
import { PLANTS as time } from "./time/plants.js";
import { PLANTS as writers } from "./writers/plants.js";

const ALL = [...faults, ...fuzz, ...kills, ...model, ...races, ...time, ...writers];

test.each(ALL.map((plant) => [`${plant.part}: ${plant.name}`, plant] as const))(
  "%s fits the code",
  (_name, plant) => {
    const source = fs.readFileSync(path.join(packageRoot(), plant.file), "utf8");
    expect(planted(plant, source)).not.toBe(source);
  },
);

test("no two have one name, and each of the model's names a story", () => {
  expect(new Set(ALL.map(({ part, name }) => `${part} ${name}`)).size).toBe(ALL.length);
  const stories = new Set(NAMED.map(({ name }) => name));
  expect(model.filter(({ story }) => !stories.has(story))).toEqual([]);
});
