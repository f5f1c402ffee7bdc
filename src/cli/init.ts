/** `memd init`: makes a folder a workspace, with a sample conversation where that is asked for. What stands there stays as it is. */
import { z } from "zod";
import { MemdError } from "../model/errors.js";
import { addDays, type Day, DAY_MS, type EpochMs, epochMs, isoOf, type Zone, zoneOf } from "../model/time.js";
import { join } from "../platform/files.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { sampleFile, templateFolder } from "../platform/package-root.js";
import { type FileWriter, publish, publishNew, readText } from "../protocol/publish.js";
import { enclosed, printWorkspaceFile } from "../protocol/workspace-file.js";
import { FILES } from "../protocol/workspace.js";
import { commandClock, type CommonOptions, tell, typed, workspaceFolder } from "./context.js";

export async function init(
  named: string | undefined,
  options: CommonOptions & { sample?: boolean },
): Promise<void> {
  if (named !== undefined && options.workspace !== undefined)
    throw new MemdError("usage", "The folder is named twice: once is enough.");
  const folder = workspaceFolder(named === undefined ? options : { ...options, workspace: named });
  const made = await makeWorkspace(folder, options.sample === true);
  const here = typed(folder) === "." ? "" : ` -w ${quoted(typed(folder))}`;
  tell(options, { workspace: folder, files: made }, () => [
    `${folder} is a memd workspace now.`,
    ...made.map((file) => `  ${file}`),
    `Next: \`memd start${here}\`; write to inbox.json and history.json there, or try \`memd say hello${here}\`.`,
  ]);
}

/** For a shell. */
function quoted(path: string): string {
  return /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** The files that were made; throws `workspace_exists`. */
export async function makeWorkspace(
  folder: string,
  sample: boolean,
  writer: FileWriter = ownerless,
): Promise<string[]> {
  const { disk, random } = writer;
  const standing = await disk.realPath(folder);
  if (standing !== undefined && (await disk.stat(standing))?.kind !== "dir")
    throw new MemdError("usage", `${folder} is a file; a workspace is a folder.`);
  if ((await disk.stat(join(folder, FILES.workspace))) !== undefined)
    throw new MemdError("workspace_exists", `${folder} is a workspace already.`);
  if (standing !== undefined) enclosed(disk, standing);
  const made: string[] = [];
  const put = async (name: string, content: string | Uint8Array): Promise<void> => {
    if (await publishNew(writer, join(folder, name), content)) made.push(name);
  };
  if (sample)
    for (const [name, text] of Object.entries(await sampleFiles(commandClock().now()))) await put(name, text);
  for (const entry of await nodeDisk.list(templateFolder())) {
    if (entry.kind !== "file") continue;
    const bytes = await nodeDisk.read(join(templateFolder(), entry.name));
    if (bytes !== undefined) await put(entry.name, bytes);
  }
  // Last: a folder that was cut off in the making is no workspace yet, and `init` finishes it.
  await publish(writer, join(folder, FILES.workspace), printWorkspaceFile(random.name(16)));
  return [...made, FILES.workspace];
}

/** The sample conversation, dated back from today so that it falls into all three tiers. */
const line = z.strictObject({
  /** Days from today, negative. */
  day: z.number().int().max(0),
  /** Local `HH:MM:SS`. */
  time: z.string().regex(/^\d{2}:\d{2}:\d{2}$/),
  role: z.enum(["user", "agent", "tool"]),
  speaker: z.string().optional(),
  session: z.string().optional(),
  text: z.string(),
  tool: z.looseObject({ name: z.string(), callId: z.string() }).optional(),
});

/** What waits for an answer when the sample starts: it asks for things said months ago. */
const WAITING =
  "Good morning, Mo! 陈涛 is adding the fourth node for the north line and asks two things I can't answer from memory: why did we leave SQLite for Postgres, and why is the deploy limit 900 seconds? Short answer first, please.";

/** Texts by the names of their files. */
async function sampleFiles(now: EpochMs): Promise<Record<string, string>> {
  const zone = zoneOf(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const today = zone.dayOf(now);
  const history = (await readSample("conversation.jsonl"))
    .split("\n")
    .filter((raw) => raw !== "")
    .map((raw, index) => {
      const { day, time, text: said, ...rest } = line.parse(JSON.parse(raw));
      const createdAt = isoOf(instantOf(addDays(today, day), time, zone));
      return {
        id: `sample-${String(index + 1).padStart(3, "0")}`,
        ...rest,
        text: withDates(said, today),
        createdAt,
      };
    });
  const asking = { id: "sample-question", role: "user", speaker: "Lin Yue", text: WAITING };
  const printed = (list: unknown): string => `${JSON.stringify(list, null, 2)}\n`;
  return {
    [FILES.history]: printed(history),
    [FILES.inbox]: printed([{ ...asking, createdAt: isoOf(now) }]),
    [FILES.memory]: await readSample("memory.md"),
  };
}

async function readSample(name: Parameters<typeof sampleFile>[0]): Promise<string> {
  const text = await readText(nodeDisk, sampleFile(name));
  if (text === undefined) throw new MemdError("input_missing", `There is no ${sampleFile(name)}.`);
  return text;
}

function withDates(text: string, today: Day): string {
  return text.replace(/\{\{date:(-?\d+)\}\}/g, (_all, days: string) => addDays(today, Number(days)));
}

/** The instant at which the zone's clock shows this; at a changed clock, the nearest one. */
function instantOf(day: Day, time: string, zone: Zone): EpochMs {
  const guess = Date.parse(`${day}T${time}Z`);
  const shown = (at: number): number =>
    Date.parse(`${zone.dayOf(epochMs(at))}T${zone.clockOf(epochMs(at))}Z`);
  const first = guess - (shown(guess) - guess);
  const second = first - (shown(first) - guess);
  return epochMs(Math.abs(second - guess) < DAY_MS ? second : first);
}
