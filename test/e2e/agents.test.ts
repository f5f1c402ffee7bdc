/** The bench of agents, in small: two of them over MCP and a host that only writes files, on one workspace. */
import { expect, test } from "vitest";
import { agents } from "../../bench/agents/agents.js";

test("what is said, remembered and ended by several at once stands once where it belongs", async () => {
  const { acknowledged, ...figures } = await agents({ calls: 60 });
  expect(figures).toEqual({
    calls: 60,
    lost: 0,
    doubled: 0,
    wrong_prompts: 0,
    failed_calls: 0,
    faults: [],
  });
  // And there was something to lose.
  for (const count of Object.values(acknowledged)) expect(count).toBeGreaterThan(3);
}, 120_000);
