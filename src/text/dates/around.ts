/** The sentence around a phrase, as much of it as tells when the phrase is. Pure. */

export function sentenceAround(text: string, at: number): string {
  const [after = ""] = /^[^.!?。！？\n]*/.exec(text.slice(at, at + SENTENCE_CHARS)) ?? [];
  return begunBefore(text, at) + after;
}

/** What its sentence says in front of it. */
export function begunBefore(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - SENTENCE_CHARS), at);
  return near.slice(Math.max(...[..."\n.!?。！？"].map((mark) => near.lastIndexOf(mark))) + 1);
}

export const SENTENCE_CHARS = 300;
