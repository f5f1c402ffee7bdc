/** cli/answer-main from the sources. */
import { register } from "tsx/esm/api";

register();
await import("../src/cli/answer-main.ts");
