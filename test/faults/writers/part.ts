/** Other writers: programs, hosts and people who write the files of a workspace while memd does. */
import type { Part } from "../part.js";
import { gatherCrew } from "./crew.js";
import { dropTogether } from "./drops.js";
import { editTogether } from "./editors.js";
import type { Stopped } from "./halves.js";
import { forceLastLooks } from "./last-look.js";
import { listTogether } from "./lists.js";

/** Of the bytes at which a writer is stopped, the short form takes every so manieth. */
const SLICE_STEP = 37;

export const writers: Part = async (options) => {
  const failures: string[] = [];
  const crew = await gatherCrew();
  const timed = async <T extends object>(
    name: string,
    work: () => Promise<T>,
  ): Promise<T & { seconds: number }> => {
    const started = performance.now();
    const figures = await work();
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    options.say(`${name}: ${JSON.stringify(figures)} in ${seconds} s`);
    return { ...figures, seconds };
  };
  try {
    const halves = await timed("halves", async () => {
      const role = { plays: "stopping writers", step: options.slice ? SLICE_STEP : 1 } as const;
      const { bytes, failures: broken } = (await crew.member(role).done()) as Stopped;
      failures.push(...broken);
      return bytes;
    });
    const last_look = await timed("last look", () => forceLastLooks(failures));
    const together = [
      () => timed("drops", () => dropTogether(crew, options, failures)),
      () => timed("lists", () => listTogether(crew, options, failures)),
      () => timed("editors", () => editTogether(crew, options, failures)),
    ] as const;
    // The short runs wait more than they work: side by side they take the time of one.
    const [drops, lists, editors] = options.slice
      ? await Promise.all([together[0](), together[1](), together[2]()])
      : [await together[0](), await together[1](), await together[2]()];
    return { drops, lists, editors, last_look, halves, failures };
  } finally {
    await crew.dismiss();
  }
};
