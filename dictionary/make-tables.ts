/** Makes the tables of what people wrote in `lists/`: `npm run dictionary:tables`. */
import fs from "node:fs/promises";
import path from "node:path";
import { LISTS, tableOf } from "./lists.js";

for (const list of LISTS) {
  const text = await fs.readFile(path.join(import.meta.dirname, "lists", `${list}.txt`), "utf8");
  await fs.writeFile(path.join(import.meta.dirname, `${list}.txt`), tableOf(list, text));
}
