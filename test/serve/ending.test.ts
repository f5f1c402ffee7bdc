/** Who asks while memd ends asks whoever comes next: it is told so, and not of a fault. */
import { expect, test } from "vitest";
import { OWNER } from "../../src/model/address.js";
import { createApp } from "../../src/serve/app.js";
import { said } from "../support/archive-desk.js";
import { openStage } from "../support/stage.js";

test("a question that comes while memd ends, or is cut off by its end, is told that memd ended", async () => {
  const { supervisor } = await openStage({
    "history.json": [said("m-1", "2026-02-19T10:00:00Z", "The ferry is late.")],
  });
  await supervisor.start({ watch: false, work: false });
  const app = createApp({
    memd: supervisor,
    socket: "/none",
    listen: () => () => undefined,
    stop: () => undefined,
  });
  const search = (): Promise<Response> =>
    Promise.resolve(
      app.request("/agent/memories/search", { method: "POST", body: JSON.stringify({ query: "ferry" }) }),
    );
  const toldBy = async (answer: Response): Promise<unknown> =>
    ((await answer.json()) as { error?: { code: string } }).error?.code;
  expect((await search()).status).toBe(200);

  let cutOff: (error: Error) => void = () => undefined;
  supervisor.search.find = () => new Promise((_found, reject) => (cutOff = reject));
  const midst = search();
  await expect.poll(() => cutOff.length).toBe(1);
  const stopping = supervisor.stop();
  cutOff(new Error("The thread has ended."));
  expect(await toldBy(await midst)).toBe("not_running");
  expect(await toldBy(await search())).toBe("not_running");
  await stopping;
});

test("who searches behind the end opens no index again, which would keep the process alive", async () => {
  const { supervisor } = await openStage({
    "history.json": [said("m-1", "2026-02-19T10:00:00Z", "The ferry is late.")],
  });
  await supervisor.start({ watch: false, work: false });
  await supervisor.stop();
  await expect(supervisor.search.find("ferry", OWNER)).rejects.toMatchObject({ code: "not_running" });
});
