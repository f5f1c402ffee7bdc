/** A durable write with nothing but the system's calls: the floor of everything that is published. */
import fs from "node:fs/promises";
import path from "node:path";

export async function bareWrite(file: string, content: Uint8Array): Promise<void> {
  const temp = `${file}.tmp`;
  const out = await fs.open(temp, "wx", 0o600);
  await out.write(content);
  await out.sync();
  await out.close();
  await fs.rename(temp, file);
  const dir = await fs.open(path.dirname(file), "r");
  await dir.sync();
  await dir.close();
}
