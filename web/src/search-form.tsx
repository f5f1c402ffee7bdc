/** What is looked for, and what narrows it: as a form, and as sentences. */
import { useEffect, useRef } from "preact/hooks";
import { PASSAGE_KINDS } from "../../src/model/passage.js";
import type { SentTo } from "../../src/service/operations.js";
import { go, linkTo } from "./route.js";
import { w } from "./words.js";

const MODES = ["hybrid", "keyword", "vector"] as const;
/** Of letters that come faster than this the last is asked for. */
const TYPED_MS = 15;

/** By their names in an address, and as memd calls them. */
const FILTERS = {
  from: "time_from",
  to: "time_to",
  as_of: "as_of",
  kind: "memory_types",
  user: "target_user_id",
  scope: "scope",
  session: "session",
  by: "method",
} as const;
export type Filter = keyof typeof FILTERS;
const NAMES = Object.keys(FILTERS) as Filter[];
export type Given = ReadonlyMap<Filter, string>;

type Asked = SentTo<"searchMemories">;

/** What an address narrows a search by. */
export function givenIn(params: URLSearchParams): Given {
  return new Map(
    NAMES.flatMap((name) => {
      const value = params.get(name) ?? "";
      return value === "" ? [] : [[name, value] as const];
    }),
  );
}

export function fieldsOf(given: Given): Partial<Asked> {
  return Object.fromEntries(
    [...given].map(([name, value]) => [FILTERS[name], name === "kind" ? [value] : value]),
  );
}

export function Form({ query, given }: { query: string; given: Given }) {
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => box.current?.focus(), []);
  useEffect(() => () => clearTimeout(timer.current), []);
  // What is being typed is not written over by what was typed a moment ago.
  useEffect(() => {
    if (box.current !== null && document.activeElement !== box.current) box.current.value = query;
  }, [query]);
  const read = (form: HTMLFormElement): void => {
    const typed = Object.fromEntries(new FormData(form)) as Record<string, string>;
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => go(linkTo("search", { ...Object.fromEntries(given), ...typed }), true),
      TYPED_MS,
    );
  };
  return (
    <form
      role="search"
      class="search"
      onInput={(event) => {
        if (!event.isComposing) read(event.currentTarget);
      }}
      onCompositionEnd={(event) => read(event.currentTarget)}
      onSubmit={(event) => {
        event.preventDefault();
        read(event.currentTarget);
      }}
    >
      <input
        id="query"
        ref={box}
        type="search"
        name="q"
        defaultValue={query}
        aria-label={w("lookFor")}
        autoComplete="off"
      />
      <label>
        {w("from")} <input type="date" name="from" value={given.get("from") ?? ""} />
      </label>
      <label>
        {w("to")} <input type="date" name="to" value={given.get("to") ?? ""} />
      </label>
      <label>
        {w("asOf")} <input type="date" name="as_of" value={given.get("as_of") ?? ""} />
      </label>
      <Choice name="kind" label={w("kind")} of={PASSAGE_KINDS} chosen={given.get("kind")} />
      <Choice name="by" label={w("by")} of={MODES} chosen={given.get("by")} />
    </form>
  );
}

interface ChoiceProps {
  name: Filter;
  label: string;
  of: readonly string[];
  chosen: string | undefined;
}

function Choice({ name, label, of, chosen = "" }: ChoiceProps) {
  return (
    <label>
      {label}{" "}
      <select name={name} value={chosen}>
        <option value="">—</option>
        {of.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
}

/** Each as a sentence, and a way out of it. */
export function Chosen({ params, given }: { params: URLSearchParams; given: Given }) {
  if (given.size === 0) return null;
  return (
    <ul class="chosen" aria-label={w("chosen")}>
      {[...given].map(([name, value]) => {
        const sentence = w(`only_${name}`).replace("…", value);
        return (
          <li key={name}>
            <bdi>{sentence}</bdi>{" "}
            <a
              href={linkTo("search", { ...Object.fromEntries(params), [name]: undefined })}
              aria-label={`${w("remove")}: ${sentence}`}
            >
              ×
            </a>
          </li>
        );
      })}
    </ul>
  );
}
