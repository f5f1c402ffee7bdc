/** One file, where a link leads to. */
import { useEffect } from "preact/hooks";
import { Chain } from "./chain.js";
import { route } from "./route.js";

/** Of what stands before the line that is meant. */
const LINES_BEFORE = 20;

export function SourceView() {
  const { params } = route.value;
  const path = params.get("path") ?? "";
  const line = Number(params.get("line") ?? 0);
  useEffect(() => scrollTo(0, 0), [path, line]);
  return (
    <>
      <h1 class="path">
        <bdi>{path}</bdi>
      </h1>
      <Chain
        key={`${path}:${line}`}
        path={path}
        from={Math.max(1, line - LINES_BEFORE)}
        meant={line === 0 ? undefined : { line, revision: params.get("revision") ?? undefined }}
      />
    </>
  );
}
