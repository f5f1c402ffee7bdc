import { defineConfig } from "vitest/config";

const report = process.env["MEMD_TEST_REPORT"];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
  },
});
