/** Texts, always as text: whatever somebody wrote, nothing of it becomes markup. */
import type { ComponentChildren } from "preact";

type Marks = readonly (readonly [from: number, to: number])[];

/** With the stretches that were asked for marked. */
export function Marked({ text, marks = [] }: { text: string; marks?: Marks | undefined }) {
  const parts: ComponentChildren[] = [];
  let done = 0;
  for (const [from, to] of marks) {
    if (from < done) continue;
    parts.push(text.slice(done, from), <mark>{text.slice(from, to)}</mark>);
    done = to;
  }
  parts.push(text.slice(done));
  return (
    <bdi class="text" dir="auto">
      {parts}
    </bdi>
  );
}

/** A Markdown file line by line: headings and bullets are set apart, all else stays as it is written. */
export function Lines({ text, first = 1, from }: LinesProps) {
  return (
    <ol class="lines" start={first}>
      {text.split("\n").map((line, at) => (
        <li key={at} class={/^#{1,6} /.test(line) ? "heading" : /^\s*[-*] /.test(line) ? "bullet" : ""}>
          <bdi dir="auto">{line === "" ? " " : line}</bdi>
          {from?.(first + at)}
        </li>
      ))}
    </ol>
  );
}

interface LinesProps {
  text: string;
  /** Number of the first line. */
  first?: number;
  /** Where a line is from. */
  from?: (line: number) => ComponentChildren;
}

/** What went and what came, two columns where there is room. */
export function TwoPanes(props: { left: string; right: string; leftName: string; rightName: string }) {
  return (
    <div class="panes">
      <section aria-label={props.leftName}>
        <h4>{props.leftName}</h4>
        <pre dir="auto">{props.left}</pre>
      </section>
      <section aria-label={props.rightName}>
        <h4>{props.rightName}</h4>
        <pre dir="auto">{props.right}</pre>
      </section>
    </div>
  );
}
