/**
 * `queue/reading.json`: the messages without an id of the last reading of each
 * list, to align the next one with. Lost, equal messages are counted from one again.
 */
import { z } from "zod";
import { isMemdError } from "../model/errors.js";
import { publish, readText } from "../protocol/publish.js";
import { at, FILES } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import type { Read } from "./identity.js";
import type { ListName } from "./list-file.js";

export type Readings = Partial<Record<ListName, Read[]>>;

const reads = z.array(z.object({ natural: z.string(), id: z.string() })).optional();
const readingsShape = z.object({ history: reads, inbox: reads });

export async function loadReadings({ writer, workspace }: ArchiveContext): Promise<Readings> {
  try {
    const data: unknown = JSON.parse((await readText(writer.disk, at(workspace, FILES.reading))) ?? "{}");
    return readingsShape.parse(data) as Readings;
  } catch (error) {
    if (isMemdError(error)) throw error;
    // Only alignment is lost: equal messages are counted from one again.
    return {};
  }
}

/** Durable before an id of it is given to anybody: an id that was given once is not given again, whatever crashes. */
export async function keepReading(
  { writer, workspace }: ArchiveContext,
  name: ListName,
  reading: Read[],
  readings: Readings,
): Promise<void> {
  if (JSON.stringify(reading) !== JSON.stringify(readings[name] ?? [])) {
    const next = JSON.stringify({ ...readings, [name]: reading });
    await publish(writer, at(workspace, FILES.reading), next);
  }
  readings[name] = reading;
}
