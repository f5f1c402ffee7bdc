/** llm/worker-main from the sources. */
import { register } from "tsx/esm/api";

register();
await import("../src/llm/worker-main.ts");
