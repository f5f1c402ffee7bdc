/** What a careless hand might do to the rules of one owner, and to the locks. */
import type { Plant } from "../plants.js";

export interface RacesPlant extends Plant {
  /** The run that is about it: it is made first. */
  run: "rounds" | "locks" | "leftovers" | "stalled";
}

const OWNER = { part: "races", file: "src/platform/owner.ts", run: "rounds" } as const;

export const PLANTS: readonly RacesPlant[] = [
  {
    ...OWNER,
    name: "a file with the owner's pid in place of the listening socket",
    find: "  const until = performance.now() + PATIENCE_MS;",
    replace: `  const pid = Number(await fs.readFile(\`\${socket}.pid\`, "utf8").catch(() => "0"));
  try {
    if (pid > 0) process.kill(pid, 0);
    if (pid > 0) return false;
  } catch {}
  await fs.writeFile(\`\${socket}.pid\`, String(process.pid));
  await fs.unlink(socket).catch(() => undefined);
  const until = performance.now() + PATIENCE_MS;`,
  },
  {
    ...OWNER,
    name: "a dead socket is unlinked without the lock",
    find: "    const lock = await takeoverLock(socket);",
    replace: `    await fs.unlink(socket).catch(() => undefined);
    if (await linked(own, socket)) return true;
    const lock = await takeoverLock(socket);`,
  },
  {
    ...OWNER,
    name: "the workspace's name is bound directly",
    find: "  const own = `${socket}.${systemRandom.name(NAME_CHARS)}`;",
    replace: "  const own = socket;\n  await fs.unlink(socket).catch(() => undefined);",
  },
  {
    ...OWNER,
    name: "an owner never sees that it is none any more",
    find: "    if (standing !== undefined) return standing === ino;",
    replace: "    if (ino !== undefined) return true;",
  },
  {
    ...OWNER,
    name: "whoever is released removes the name, his own or not",
    find: "      if (!(await stillMine())) return;\n",
    replace: "",
  },
  {
    ...OWNER,
    run: "leftovers",
    name: "a note that holds a number is asked as a port",
    find: "net.connect({ path: socket })",
    replace: "net.connect(socket)",
  },
  {
    part: "races",
    run: "stalled",
    file: "src/protocol/publish.ts",
    name: "an owner publishes without looking whether it still is",
    find: "    await writer.guard();\n    placed = await place(temp);",
    replace: "    placed = await place(temp);",
  },
  {
    part: "races",
    run: "leftovers",
    file: "src/protocol/owner-note.ts",
    name: "the note in a copied workspace counts",
    find: "folder !== undefined && folder !==",
    replace: "folder === undefined && folder !==",
  },
  {
    part: "races",
    run: "locks",
    file: "src/protocol/owner-note.ts",
    name: "a noted lock is broken, whoever holds it by now",
    find: "if (!isTheirs && ",
    replace: "if (",
  },
  {
    part: "races",
    run: "leftovers",
    file: "src/protocol/owner-note.ts",
    name: "the lock that a dead owner left is waited for",
    find: "await disk.removeDir(`${file}.lock`);",
    replace: "await Promise.resolve();",
  },
  {
    part: "races",
    run: "locks",
    file: "src/platform/lock.ts",
    name: "a holder that stood still goes on under a lock that is another's",
    find: "if (lost === undefined && isAsShown(lockOf(file))) return;",
    replace: "if (lost === undefined) return;",
  },
];
