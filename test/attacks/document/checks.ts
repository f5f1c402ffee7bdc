/** What may not be of an answer, by the document that whoever asked was given. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { entryOf } from "../../../src/model/collections.js";
import { type Call, callAt, type Published } from "./published.js";

export interface Answered {
  status: number;
  type: string;
  text: string;
}

export type Fault = { is: "serverError" | "mismatch" | "foreign"; what: string };

/** Refused before anybody looks what is asked for: by its type, its length. */
const BEFORE_ANY_CALL = [413, 414, 415];

export class Checks {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #known = new Map<string, ValidateFunction>();

  constructor(readonly published: Published) {
    this.#ajv.addSchema(published.document, "document");
  }

  /** `path` is that of the request, as it was sent. */
  faultsIn({ method, path }: { method: string; path: string }, answered: Answered): Fault[] {
    const { status } = answered;
    const call = callAt(this.published, method, path);
    if (status >= 500)
      return [
        { is: "serverError", what: `${status}: ${answered.text.slice(0, 300)}` },
        ...this.#problemIn(answered, call),
      ];
    const what =
      status === 200 && call !== undefined
        ? this.#answerIn(call, method, answered)
        : this.#refusalIn(call, method, answered);
    return what === undefined ? [] : [{ is: "mismatch", what }];
  }

  #answerIn({ name, answers }: Call, method: string, { type, text }: Answered): string | undefined {
    const [told = ""] = type.split(";");
    const schema = answers[told];
    if (schema === undefined && method !== "HEAD") return `${name} answers with ${type}`;
    if (schema === undefined || told !== "application/json" || method === "HEAD") return undefined;
    const isValid = entryOf(this.#known, name, () => this.#ajv.compile(rooted(schema)));
    return isValid(JSON.parse(text)) ? undefined : `${name}: ${this.#ajv.errorsText(isValid.errors)}`;
  }

  #refusalIn(call: Call | undefined, method: string, answered: Answered): string | undefined {
    const { status, text } = answered;
    if (status < 400) return `${status} for what is not told of: ${text.slice(0, 200)}`;
    if (method === "HEAD") return undefined;
    const [problem] = this.#problemIn(answered, call);
    if (problem !== undefined) return problem.what;
    if (call !== undefined || BEFORE_ANY_CALL.includes(status)) return undefined;
    const isNowhere = status === 404 && text.includes('"There is nothing at ');
    return isNowhere
      ? undefined
      : `what is not told of is not as if it were not there: ${text.slice(0, 200)}`;
  }

  #problemIn({ type, text }: Answered, call: Call | undefined): Fault[] {
    const fault = (what: string): Fault[] => [{ is: "mismatch", what }];
    if (!type.startsWith("application/json")) return fault(`an error answers with ${type}`);
    const isValid = entryOf(this.#known, "problem", () =>
      this.#ajv.compile({ $ref: "document#/components/schemas/Problem" }),
    );
    const answer: unknown = JSON.parse(text);
    if (!isValid(answer)) return fault(`an error: ${this.#ajv.errorsText(isValid.errors)}`);
    const { code, message, advice } = (answer as { error: Record<"code" | "message" | "advice", string> })
      .error;
    if (message === "" || advice === "") return fault(`${code} says nothing`);
    if (call?.errors?.includes(code) === false)
      return fault(`${call.name} is not told to answer ${code}: ${message}`);
    return [];
  }
}

/** Its pointers are into the document. */
function rooted(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as object;
}
