/** Around the matched words of a printable line: controls, which no text keeps. */
export const MARKS = { open: "\u0002", close: "\u0003" } as const;
