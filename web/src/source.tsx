/** One file, where a link leads to. */
import { useEffect, useRef } from "preact/hooks";
import { Chain } from "./chain.js";
import { held } from "./held.js";
import { route } from "./route.js";

/** Of what stands before the line that is meant. */
const LINES_BEFORE = 20;

export function SourceView() {
  const { params } = route.value;
  const path = params.get("path") ?? "";
  const line = Number(params.get("line") ?? 0);
  const read = useRef<HTMLDivElement>(null);
  useEffect(() => {
    scrollTo(0, 0);
    const { current } = read;
    if (current === null) return undefined;
    return held(current, () => current.querySelector("[aria-current=true]"), "nearest");
  }, [path, line]);
  return (
    <>
      <h1 class="path">
        <bdi>{path}</bdi>
      </h1>
      <div ref={read}>
        <Chain
          key={`${path}:${line}`}
          path={path}
          from={Math.max(1, line - LINES_BEFORE)}
          meant={line === 0 ? undefined : { line, revision: params.get("revision") ?? undefined }}
        />
      </div>
    </>
  );
}
