/** How `memd mcp` asks, on behalf of whoever it is bound to. Brings the table's schemas. */
import { Client } from "../library/client.js";
import type { Seat } from "../model/address.js";
import type { Workspace } from "../protocol/workspace.js";
import type { Ask } from "../serve/mcp/tool.js";
import { type OperationName, OPERATIONS } from "../service/operations.js";

/** An operation of the owner's takes nobody on whose behalf it is asked. */
export function askAs(workspace: Workspace, seat: Seat | undefined): Ask {
  const client = new Client(workspace);
  return <N extends OperationName>(name: N, asked: object) => {
    const isViewers = OPERATIONS[name].access === "viewer";
    const given = { ...asked, ...(seat !== undefined && isViewers && { as: seat }) };
    return client.ask(name, given as Parameters<typeof client.ask<N>>[1]);
  };
}
