/** An operation that can be answered: its input is parsed by its row, and it is run on behalf of whoever asks. */
import * as z from "zod";
import {
  addressAt,
  isSameSeat,
  NO_SESSION,
  OWNER,
  type Seat,
  seatText,
  type Viewer,
  viewerAt,
} from "../model/address.js";
import { MemdError } from "../model/errors.js";
import type { Memd } from "./memd.js";
import { type Access, reader, type Answer, type Operation, type Unparsed } from "./operations/operation.js";

/** What operations work on. */
export interface Service {
  memd: Memd;
  /** Of the memd that answers. */
  socket: string;
  stop: () => void;
  /** The address of a page that reads as that viewer; memd listens for it from then on. Absent where none is served. */
  openPage?: (seat: Seat | undefined) => Promise<{ url: string }>;
}

export type Run<O extends Operation> = (
  service: Service,
  viewer: Viewer,
  input: z.output<O["input"]>,
) => Promise<Answer<O>>;

export interface Served extends Operation {
  name: string;
  /**
   * `seat`: whoever asks reads as that viewer, and as nobody else; the owner asks where
   * there is none. Throws a ZodError, `usage` or `refused` for what cannot be asked.
   */
  answer: (service: Service, given: unknown, seat?: Seat) => Promise<unknown>;
}

/** Whether there is such an operation for whoever reads as one viewer. */
export function existsFor(seat: Seat | undefined, access: Access): boolean {
  return seat === undefined || access === "viewer";
}

/** As if there were none: who may not ask for it is told no more. */
export function noOperation(name: string): MemdError {
  return new MemdError("usage", `There is no operation ${name}.`);
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
    answer: async (service, given, seat) => {
      if (!existsFor(seat, access)) throw noOperation(name);
      switch (access) {
        // It knows no `as`: its input refuses it, and it is never passed over.
        case "owner":
          return run(service, OWNER, parsed(fields.parse(given)));
        case "viewer": {
          const { as, ...asked } = withReader.parse(given);
          return run(service, viewerOf(as, seat), parsed(asked));
        }
        default:
          return access satisfies never;
      }
    },
  };
}

/** Who is bound to a viewer may name that one, and nobody else. */
function viewerOf(as: Seat | undefined, seat: Seat | undefined): Viewer {
  if (seat === undefined) return as === undefined ? OWNER : viewerAt(addressAt(as));
  if (as !== undefined && !isSameSeat(as, seat))
    throw new MemdError("refused", `This token reads as ${seatText(seat)}, and on behalf of nobody else.`);
  return viewerAt({ ...seat, session: seat.session ?? NO_SESSION });
}
