/** Which model made a vector: only vectors of one space can be compared. */
export type SpaceId = string & { readonly __of: "space" };

export interface Space {
  model: string;
  /** The owner's word that the model behind the name is another one now. */
  revision: string;
  dimensions: number;
}

export function spaceId({ model, revision, dimensions }: Space): SpaceId {
  return JSON.stringify([model, revision, dimensions]) as SpaceId;
}

/** Undefined for what is no id of a space. */
export function parseSpaceId(id: string): Space | undefined {
  try {
    const [model, revision, dimensions] = JSON.parse(id) as unknown[];
    return typeof model === "string" && typeof revision === "string" && typeof dimensions === "number"
      ? { model, revision, dimensions }
      : undefined;
  } catch {
    return undefined;
  }
}
