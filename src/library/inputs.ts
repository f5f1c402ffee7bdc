/** What a program hands over to be kept. Shapes only; what is taken is checked.ts. */

/** A message; fields that are not named here are kept as they are. */
export interface SayInput {
  text: string;
  /** `user` unless it says otherwise. */
  role?: "user" | "agent" | "tool" | "system";
  /** The sender's id. */
  user?: string;
  /** A name to show. */
  speaker?: string;
  /** The place: `main`, a project, or `group:<id>`. */
  scope?: string;
  session?: string;
  /** ISO 8601; now unless it says otherwise. */
  createdAt?: string | Date;
  scene?: string;
  /** Kept word for word, but never given to a model, searched or put into a prompt. */
  private?: boolean;
  tool?: { name: string; callId: string; input?: unknown; result?: unknown };
  attachments?: readonly { kind: string; path?: string; tokens?: number }[];
  readonly [field: string]: unknown;
}

/** What is kept of a turn. */
export interface EndInput {
  /** One line on what the agent did. */
  memo?: string;
  /** What is worth keeping, one thing each. */
  observations?: readonly string[];
  /** Keep an observation as it is, even where it does not stand alone. */
  force?: boolean;
  /** The conversation is over: facts that are of it alone go once this turn is worked. */
  close?: boolean;
  user?: string;
  scope?: string;
  session?: string;
  createdAt?: string | Date;
}

/** A text that is looked up. */
export interface DocumentInput {
  text: string;
  /** What it is known by: the same id again replaces it. Its title when not given. */
  id?: string;
  /** Its first heading when not given. */
  title?: string;
  /** Whose documents it is of; `main` unless it says otherwise. */
  scope?: string;
  user?: string;
}

/** A message that was said before. Under the same id again it is the same message. */
export interface ImportInput extends SayInput {
  id?: string;
}
