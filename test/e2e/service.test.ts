/** `memd service`, with a systemctl that only notes what it is told. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { cliPlace, type Place } from "../support/cli.js";

interface Told {
  name: string;
  file: string;
  installed: boolean;
  active: boolean;
  running: boolean;
}

/** Its calls stand in `calls.txt`; it fails at those that hold `failsAt`. */
function withSystemctl(
  place: Place,
  failsAt = "nothing",
): { env: Record<string, string>; calls: () => string[] } {
  const folder = path.join(place.outside, "fake");
  const notes = path.join(place.outside, "calls.txt");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(
    path.join(folder, "systemctl"),
    `#!/bin/sh\necho "$@" >> '${notes}'\ncase "$*" in *${failsAt}*) echo 'Failed to connect to bus' >&2; exit 1 ;; esac\n`,
    { mode: 0o755 },
  );
  return {
    env: { PATH: `${folder}:${place.environment["PATH"] ?? ""}` },
    calls: () => (fs.existsSync(notes) ? fs.readFileSync(notes, "utf8").trim().split("\n") : []),
  };
}

function unitsOf(place: Place): string[] {
  const folder = path.join(place.environment["HOME"] ?? "", ".config/systemd/user");
  return fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.join(folder, name)) : [];
}

test.runIf(process.platform === "linux")(
  "it is installed, seen and taken away, and nothing is left of it",
  async () => {
    const place = cliPlace();
    const { env, calls } = withSystemctl(place);
    const memd = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await place.memd(["service", ...args], { env });
      expect([code, stderr]).toEqual([0, ""]);
      return stdout;
    };
    expect(await memd("install", "--dry-run")).toContain("ExecStart=");
    expect([unitsOf(place), calls()]).toEqual([[], []]);

    expect(await memd("install")).toContain("memd runs as memd-ws-");
    const [unit = ""] = unitsOf(place);
    const name = path.basename(unit);
    expect(fs.statSync(unit).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(unit, "utf8")).toContain(`"start" "--workspace" "${place.root}"\n`);
    expect(calls()).toEqual(["--user daemon-reload", `--user enable --now ${name}`]);

    const told = JSON.parse(await memd("status", "--json")) as Told;
    expect(told).toEqual({ name, file: unit, installed: true, active: true, running: false });

    await memd("install", "--port", "7077");
    expect(fs.readFileSync(unit, "utf8")).toContain('"--port" "7077"\n');
    expect(calls().slice(-2)).toEqual([`--user enable ${name}`, `--user restart ${name}`]);

    expect(await memd("remove")).toBe(`Removed ${unit}\n`);
    expect(unitsOf(place)).toEqual([]);
    expect(calls().slice(-2)).toEqual([`--user disable --now ${name}`, "--user daemon-reload"]);
    expect(await memd("status")).toContain("Not installed.");
    expect(await memd("remove")).toContain("There is no ");
  },
);

test.runIf(process.platform === "linux")(
  "where systemctl is missing, or fails, the unit is written and what to run is said",
  async () => {
    const place = cliPlace();
    const without = await place.memd(["service", "install"], { env: { PATH: "/nowhere" } });
    const [unit = ""] = unitsOf(place);
    const name = path.basename(unit);
    expect(without).toMatchObject({ code: 0, stderr: "" });
    expect(without.stdout).toContain(
      `Run: systemctl --user daemon-reload && systemctl --user enable --now ${name}\n`,
    );
    const { env } = withSystemctl(place, "restart");
    const failing = await place.memd(["service", "install"], { env });
    expect(failing.code).toBe(1);
    expect(failing.stdout).toContain("It is not started: Failed to connect to bus\n");
    expect(failing.stdout).toContain(`Run: systemctl --user restart ${name}\n`);
  },
);

test.runIf(process.platform === "linux")(
  "what somebody else has put there stays, and a memd that runs already is not joined by another",
  async () => {
    const place = cliPlace();
    const { env, calls } = withSystemctl(place);
    const { stdout } = await place.memd(["service", "install", "--dry-run", "--json"], { env });
    const { file } = JSON.parse(stdout) as Told;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, "[Service]\nExecStart=/bin/true\n");
    for (const command of ["install", "remove", "status"])
      expect(await place.memd(["service", command], { env })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("was not made by memd") as string,
      });
    expect(fs.readFileSync(file, "utf8")).toBe("[Service]\nExecStart=/bin/true\n");

    fs.unlinkSync(file);
    const running = place.launch(["start"]);
    await running.says("Ready.");
    expect(await place.memd(["service", "install"], { env })).toMatchObject({ code: 4 });
    expect(calls()).toEqual([]);
    running.kill("SIGTERM");
    await running.ended;
  },
);
