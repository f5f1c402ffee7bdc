/** Now: the newest prompt, what each section of it costs, and why its lines stand there. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AnswerOf } from "./api.js";
import { Answered, count, momentOf, Place } from "./parts.js";
import { linkTo } from "./route.js";
import { Lines } from "./text.js";
import { useAsk } from "./use-ask.js";
import { changes } from "./live.js";
import { w } from "./words.js";

type Prompt = NonNullable<AnswerOf<"prompt">>;

export function Now() {
  // What changes is told, and asked for again.
  const asked = useAsk("prompt", { wait: false });
  changes.use(asked.again, () => true);
  return (
    <>
      <h1>{w("promptOf")}</h1>
      <Answered
        asked={asked}
        of={(prompt) => (prompt === null ? <p class="quiet">{w("noPrompt")}</p> : <Shown prompt={prompt} />)}
      />
      {(asked.answer !== undefined || asked.refusal !== undefined) && (
        <Later>
          <WhatIf />
        </Later>
      )}
    </>
  );
}

function Shown({ prompt: { markdown, data } }: { prompt: Prompt }) {
  const printed = sectionsOf(markdown);
  const all = data.sections.reduce((sum, { tokens }) => sum + tokens, 0);
  const told = data.sections.filter(({ tokens }) => tokens > 0);
  return (
    <>
      <p class="quiet">
        {data.viewer.user === "" ? "—" : data.viewer.user} · {data.viewer.scope} · {data.viewer.session} ·{" "}
        <time dateTime={data.generatedAt}>{momentOf(data.generatedAt)}</time> · {count(all)} {w("tokens")}
      </p>
      <div class="bar" aria-hidden="true">
        {told.map(({ name, tokens }, at) => (
          <span key={name} class={`c${at % 8}`} style={{ flexGrow: tokens }} />
        ))}
      </div>
      <ol class="sections">
        {data.sections.map((section) => (
          <SectionOf
            key={section.name}
            section={section}
            place={told.findIndex(({ name }) => name === section.name)}
            printed={printedAs(printed, section.name)}
            hits={data.hits}
            viewer={data.viewer}
          />
        ))}
      </ol>
      <ol class="questions">
        {data.questions.map(({ text, found, shown, tokens }) => (
          <li key={text} class="note">
            {w("asked")} “<bdi>{text}</bdi>”: {found} {w("found")}, {shown} {w("shown")}, {count(tokens)}{" "}
            {w("tokens")}
          </li>
        ))}
      </ol>
      <Later>
        <h2>{w("whyThere")}</h2>
        <HitTable hits={data.hits} questions={data.questions} />
        <h2>{w("leftOut")}</h2>
        <HitTable hits={data.leftOut} questions={data.questions} />
      </Later>
      {data.warnings.map((warning) => (
        <p key={warning} class="note">
          {warning}
        </p>
      ))}
    </>
  );
}

interface SectionProps {
  section: Prompt["data"]["sections"][number];
  /** Among those that have something; -1 for what has nothing. */
  place: number;
  printed: Printed | undefined;
  hits: Prompt["data"]["hits"];
  viewer: Prompt["data"]["viewer"];
}

function SectionOf({ section, place, printed, hits, viewer }: SectionProps) {
  const { name, tokens, budgetTokens, cuts } = section;
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details class="item" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class={place < 0 ? "swatch" : `swatch c${place % 8}`} aria-hidden="true" />
          <strong>{name}</strong>{" "}
          <span class="quiet">
            {count(tokens)} {w("of")} {count(budgetTokens)}
            {cuts.length > 0 && ` · ${w("cut")}: ${cuts.length}`}
          </span>
        </summary>
        {cuts.map((cut) => (
          <p key={cut} class="note">
            {w("cut")}: {cut}
          </p>
        ))}
        {isOpen && <SectionText name={name} printed={printed} hits={hits} viewer={viewer} />}
      </details>
    </li>
  );
}

type SectionTextProps = Omit<SectionProps, "section" | "place"> & { name: string };

/** Each line that was found, is kept by hand or is of a profile, with the file, the line and the revision it is from. */
function SectionText({ name, printed, hits, viewer: { user, scope } }: SectionTextProps) {
  const isPinned = name === "pinned";
  const who = scope.startsWith(GROUP)
    ? ({ entity: "group", id: scope.slice(GROUP.length) } as const)
    : ({ entity: "user", id: user } as const);
  const { answer: profile } = useAsk("getProfile", name === "profiles" ? who : undefined);
  const path = isPinned ? "memory.md" : profile?.file;
  const { answer: kept } = useAsk(
    "readSource",
    path === undefined ? undefined : { path, max_tokens: MOST_KEPT_TOKENS },
  );
  if (printed === undefined || printed.text === "") return <p class="quiet">{w("nothing")}</p>;
  const lines = printed.text.split("\n");
  const from = (line: number) => {
    const hit = hits.find(({ shownOn }) => shownOn?.includes(line));
    if (hit !== undefined) return <Place path={hit.path} line={hit.lines[0]} revision={hit.revision} brief />;
    const words = (lines[line - printed.first] ?? "").replace(/^(?:#+|-) /, "");
    const part = words === "" ? undefined : kept?.parts.find(({ text }) => text.includes(words));
    return kept && part && <Place path={kept.path} line={part.lines[0]} revision={part.revision} brief />;
  };
  return (
    <>
      {isPinned && (
        <p>
          <a href={linkTo("hands")}>{w("hands")}</a>
        </p>
      )}
      {name === "profiles" && (
        <p>
          <a href={linkTo("known", { tab: "profiles" })}>{w("profiles")}</a>
        </p>
      )}
      <Lines text={printed.text} first={printed.first} from={from} />
    </>
  );
}

const GROUP = "group:";

/** Drawn once what stands above is painted, however long the first frame of a new window takes: reasons have ten times its elements. */
function Later({ children }: { children: ComponentChildren }) {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    let painted: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => (painted = setTimeout(() => setDrawn(true))));
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(painted);
    };
  }, []);
  return isDrawn ? <>{children}</> : null;
}

/** As many as can be asked for at once. */
const MOST_KEPT_TOKENS = 50_000;

type ShownHit = Prompt["data"]["hits"][number] & { why?: string };

function HitTable({
  hits,
  questions,
}: {
  hits: readonly ShownHit[];
  questions: Prompt["data"]["questions"];
}) {
  if (hits.length === 0) return <p class="quiet">{w("nothing")}</p>;
  const best = Math.max(...hits.map(({ score }) => score), 0.001);
  return (
    <ul class="hits">
      {hits.map((hit) => (
        <li key={`${hit.path}:${hit.lines[0]}:${hit.question}`} class="item" tabIndex={-1}>
          <meter class="meter" min={0} max={best} value={hit.score} aria-label={w("score")} />
          <Place path={hit.path} line={hit.lines[0]} revision={hit.revision} />{" "}
          <span class="quiet">
            {hit.date} · {hit.kind} · {w("trust")} {hit.trust}
            {hit.tokens !== undefined && ` · ${count(hit.tokens)} ${w("tokens")}`}
            {questions.length > 1 && ` · ${w("asked")} ${hit.question + 1}`}
          </span>
          {hit.why !== undefined && <span class="why"> {hit.why}</span>}
        </li>
      ))}
    </ul>
  );
}

/** A section as it is printed, and on which line it begins. */
interface Printed {
  heading: string;
  text: string;
  first: number;
}

/** Its heading begins with its name: "Pinned memory". */
function printedAs(sections: readonly Printed[], name: string): Printed | undefined {
  return sections.find(({ heading }) => heading.startsWith(name));
}

/** `## Name` begins a section; by names in small letters. */
function sectionsOf(markdown: string): Printed[] {
  const lines = markdown.split("\n");
  const begins = lines.flatMap((line, at) => (line.startsWith("## ") ? [at] : []));
  return begins.map((at, place) => ({
    heading: (lines[at] ?? "").slice(3).trim().toLowerCase(),
    text: lines
      .slice(at + 2, begins[place + 1])
      .join("\n")
      .trimEnd(),
    // Below its heading and the empty line under it.
    first: at + 3,
  }));
}

function WhatIf() {
  const [said, setSaid] = useState("");
  const asked = useAsk("briefing", said === "" ? undefined : { asked: said });
  return (
    <section aria-labelledby="what-if">
      <h2 id="what-if">{w("whatIf")}</h2>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const { said: text = "" } = Object.fromEntries(new FormData(event.currentTarget)) as Record<
            string,
            string
          >;
          setSaid(text.trim());
        }}
      >
        <input name="said" aria-labelledby="what-if" autoComplete="off" />
        <button type="submit">{w("show")}</button>
      </form>
      {said !== "" && (
        <>
          <h3>{w("whatIfGives")}</h3>
          <Answered asked={asked} of={({ text }) => <Lines text={text === "" ? w("nothing") : text} />} />
        </>
      )}
    </section>
  );
}
