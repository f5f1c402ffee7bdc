/** An operation that can be answered: its input is parsed by its row, and it is run on behalf of whoever asks. */
import { z } from "zod";
import { addressAt, OWNER, type Viewer, viewerAt } from "../model/address.js";
import type { Memd } from "./memd.js";
import { reader, type Answer, type Operation, type Unparsed } from "./operations/operation.js";

/** What operations work on. */
export interface Service {
  memd: Memd;
  /** Of the memd that answers. */
  socket: string;
  stop: () => void;
}

export type Run<O extends Operation> = (
  service: Service,
  viewer: Viewer,
  input: z.output<O["input"]>,
) => Promise<Answer<O>>;

export interface Served extends Operation {
  name: string;
  /** Throws a ZodError, or `usage`, for what cannot be asked. */
  answer: (service: Service, given: unknown) => Promise<unknown>;
}

const fields = z.record(z.string(), z.unknown());
const withReader = z.looseObject({ as: reader.exactOptional() });

export function served<O extends Operation>(name: string, operation: O, run: Run<O>): Served {
  const { access, upgrade = (given) => given } = operation;
  const parsed = (given: Unparsed): z.output<O["input"]> =>
    z.parse<O["input"]>(operation.input, upgrade(given));
  return {
    ...operation,
    name,
    answer: async (service, given) => {
      switch (access) {
        // It knows no `as`: its input refuses it, and it is never passed over.
        case "owner":
          return run(service, OWNER, parsed(fields.parse(given)));
        case "viewer": {
          const { as, ...asked } = withReader.parse(given);
          return run(service, as === undefined ? OWNER : viewerAt(addressAt(as)), parsed(asked));
        }
        default:
          return access satisfies never;
      }
    },
  };
}
