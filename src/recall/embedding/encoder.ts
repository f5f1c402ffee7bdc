/**
 * What gives vectors for texts under the name of a model: an endpoint, a server of this machine, or a model
 * that runs in a thread of memd's own. When it is asked, and how long anybody waits, is patience.ts.
 */

/** Some models are told which of the two a text is. */
export type TextKind = "passage" | "question";

export type Encoded = { vectors: number[][] } | { reason: string };

export interface EncodeRequest {
  /** One that it `gives`. */
  model: string;
  of: TextKind;
  /** Aborted when nobody waits for it any more. */
  signal?: AbortSignal;
}

export interface Encoder {
  /** For people: "the embedding endpoint is late". */
  readonly title: string;
  /** Under which its vectors stand; undefined as long as there is nobody who may be asked. */
  readonly model: string | undefined;
  /** Why there is nobody, and what would change it. */
  readonly waits?: string | undefined;
  /** Whether it works on this machine, where it can be in somebody's way. */
  readonly isHere: boolean;
  /** Finds out whom to ask; before texts are embedded. Never rejects. */
  ready?(): Promise<void>;
  /** Whether it can be asked for vectors under this name, which may be one of before. */
  gives(model: string): boolean;
  /** One vector for each text, all of one length; or why there are none. Never rejects. */
  encode(texts: readonly string[], request: EncodeRequest): Promise<Encoded>;
  /** What is under way ends with a reason. */
  close?(): Promise<void>;
}

/** Names of models that run on this machine begin with who runs them: no endpoint is asked for one. */
export const HERE = /^(?:ollama|lm-studio|local):/;
