/** Where a viewer reads from; the owner from `local` in `main`. */
import type { Viewer } from "../model/access.js";
import { LOCAL_ADDRESS, type Address } from "../model/address.js";

export function addressOf(viewer: Viewer): Address {
  if (viewer.kind === "owner") return LOCAL_ADDRESS;
  const { user, scope, session } = viewer;
  return { user, scope, session };
}
