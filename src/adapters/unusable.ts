/** Settings of another agent that memd cannot change, with the line where that is known. Whoever knows the file's name says it. */
export class Unusable extends Error {
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.name = "Unusable";
    this.line = line;
  }
}
