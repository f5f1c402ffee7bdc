/** Writes docs/openapi.json anew from the table of operations. */
import { writeFileSync } from "node:fs";
import { packageVersion } from "../src/platform/package-root.js";
import { openapiOf } from "../src/serve/openapi.js";
import { SERVED } from "../src/service/runs.js";

const file = new URL("../docs/openapi.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(openapiOf(SERVED, packageVersion()), null, 2)}\n`);
