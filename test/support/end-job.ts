/** A turn that has ended, as its file in the queue says it; whoever asks says what of it. */
export function endJob(createdAt: string, more: object): object {
  const where = { user: "lin", scope: "main", session: "main" };
  return { version: 1, kind: "end", createdAt, ...where, observations: [], ...more };
}
