/** What people write and add: `memory.md`, what an agent was told to remember of others, and documents. */
import * as z from "zod";
import { maybe, name, only } from "./fields.js";
import { owner, viewer } from "./operation.js";

const pinned = z.object({
  /** Its place in the list, from 1. */
  number: z.number(),
  /** Of `memory.md`. */
  heading: maybe,
  text: z.string(),
  /** Of an entry that memd wrote; it stays whatever is moved or changed. */
  id: maybe,
});

/** A number of the list, an id, the whole text of an entry, or a part that only one entry has. */
const entry = z.union([z.string().min(1), z.number().int().positive()], {
  error: "is a number of the list, an id or a text",
});

/** What it said when it was read: where it says something else by now nothing is written. */
const shown = z.string().exactOptional();

export const listPinned = viewer({
  call: "GET /memory",
  command: "memory list",
  summary: "the entries of `memory.md`; for a reader who is not the owner, what was remembered of them so",
  input: z.strictObject({}),
  output: z.object({ entries: z.array(pinned) }),
});

export const addPinned = viewer({
  call: "POST /memory",
  command: "memory add",
  summary:
    "pins something under a heading, `Notes` where none is named; for a reader who is not the owner a fact of that user, without a heading; `added` is false where it stood there",
  input: z.strictObject({ text: z.string(), heading: maybe }),
  example: { text: "No meetings on Fridays.", heading: "Preferences" },
  errors: ["value_invalid"],
  output: z.object({ added: z.boolean(), entry: pinned }),
});

export const updatePinned = viewer({
  call: "POST /memory/update",
  command: "memory update",
  summary:
    "changes what an entry says; `entry` is its number, its id, its text, or a part that no other has; with `shown`, what it said when it was read, nothing is written over that was not seen",
  input: z.strictObject({ entry, text: z.string(), shown }),
  example: { entry: 2, text: "No meetings on Fridays after noon." },
  errors: ["entry_unknown", "entry_changed", "value_invalid"],
  output: z.object({ entry: pinned }),
});

export const removePinned = viewer({
  call: "POST /memory/remove",
  command: "memory remove",
  summary: "takes an entry away; `shown` as when one is changed",
  input: z.strictObject({ entry, shown }),
  example: { entry: 2 },
  errors: ["entry_unknown", "entry_changed"],
  output: z.object({ removed: pinned }),
});

const document = z.object({
  id: z.string(),
  /** Whose documents it is of: `main`, not `main:docs`. */
  scope: z.string(),
  user: maybe,
  title: z.string(),
  /** Relative to the workspace. */
  file: z.string(),
  /** The name or path it came from. */
  source: maybe,
  /** Read again when `source` changes. */
  watched: z.boolean(),
  addedAt: maybe,
  /** Of the text that was added. */
  chars: z.number(),
  /** A person has changed its text since. */
  edited: z.boolean(),
});

export const listDocuments = owner({
  call: "GET /documents",
  command: "documents list",
  summary: "every document, by scope and id",
  input: z.strictObject({}),
  output: z.object({ documents: z.array(document) }),
});

export const addDocument = owner({
  call: "POST /documents",
  command: "add-document",
  method: "addDocument",
  summary: "adds a text that is looked up; the same `id` again replaces it",
  input: z.strictObject({
    text: z.string(),
    id: maybe,
    title: maybe,
    scope: maybe,
    user: maybe,
    source: maybe,
  }),
  example: { text: "# Ferries\n\nThe last one leaves at 22:10.", id: "ferries" },
  errors: ["value_invalid"],
  output: z.object({
    document: z.object({ outcome: z.enum(["added", "replaced", "same"]), ...document.shape }),
  }),
});

export const removeDocument = owner({
  call: "DELETE /documents/:id",
  command: "documents remove",
  summary: "takes a document away, with what was found in it; `scope` where several have the id",
  input: z.strictObject({ id: name, scope: only }),
  example: { id: "ferries" },
  errors: ["document_unknown"],
  output: z.object({ removed: document }),
});
