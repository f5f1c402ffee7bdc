/** What it knows: events, records, profiles with their revisions, topics, documents. */
import { useState } from "preact/hooks";
import { ask, type AnswerOf } from "./api.js";
import { EditText } from "./edit.js";
import { Answered, count, dayOf, SourcePlace } from "./parts.js";
import { linkTo, route } from "./route.js";
import { Lines, TwoPanes } from "./text.js";
import { Topics } from "./topics.js";
import { useAsk } from "./use-ask.js";
import { w } from "./words.js";

const TABS = ["events", "records", "profiles", "topics", "documents"] as const;

export function Known() {
  const { params } = route.value;
  const tab = TABS.find((name) => name === params.get("tab")) ?? "events";
  return (
    <>
      <h1>{w("known")}</h1>
      <nav class="tabs" aria-label={w("known")}>
        {TABS.map((name) => (
          <a
            key={name}
            href={linkTo("known", { tab: name })}
            aria-current={name === tab ? "page" : undefined}
          >
            {w(name)}
          </a>
        ))}
      </nav>
      {tab === "events" && <Events />}
      {tab === "records" && <Records cursor={params.get("cursor") ?? undefined} />}
      {tab === "profiles" && <Profiles />}
      {tab === "topics" && <Topics />}
      {tab === "documents" && <Documents />}
    </>
  );
}

type Found = AnswerOf<"searchEvents">["events"][number];

function FoundList({ found }: { found: readonly Found[] }) {
  if (found.length === 0) return <p class="quiet">{w("nothing")}</p>;
  return (
    <ul class="hits">
      {found.map(({ id, text, date, kind, source, said, standing, overtakenOn, trust }) => (
        <li key={id} class="item" tabIndex={-1}>
          <bdi class={standing === undefined ? "text" : "text overtaken"} dir="auto">
            {text}
          </bdi>{" "}
          <p class="quiet">
            {date} · {kind} · {w("trust")} {trust} · <SourcePlace source={source} />
            {standing !== undefined && (
              <span class="why">
                {" "}
                {w("overtaken")} {overtakenOn !== undefined && dayOf(overtakenOn)}
              </span>
            )}
          </p>
          {said !== undefined && (
            <p class="note">
              {w("said")} “<bdi>{said}</bdi>”
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Events() {
  const asked = useAsk("searchEvents", { limit: 100 });
  return <Answered asked={asked} of={({ events }) => <FoundList found={events} />} />;
}

function Records({ cursor }: { cursor: string | undefined }) {
  const asked = useAsk("listMemories", { limit: 50, ...(cursor !== undefined && { cursor }) });
  return (
    <Answered
      asked={asked}
      of={({ memories, next }) => (
        <>
          <FoundList found={memories} />
          {next !== undefined && <a href={linkTo("known", { tab: "records", cursor: next })}>{w("more")}</a>}
        </>
      )}
    />
  );
}

function Profiles() {
  const asked = useAsk("listProfiles", {});
  return (
    <Answered
      asked={asked}
      of={({ profiles }) =>
        profiles.length === 0 ? (
          <p class="quiet">{w("nothing")}</p>
        ) : (
          <>
            {profiles.map(({ entity, id }) => (
              <Profile key={`${entity}:${id}`} entity={entity} id={id} />
            ))}
          </>
        )
      }
    />
  );
}

function Profile({ entity, id }: { entity: "user" | "group"; id: string }) {
  const asked = useAsk("getProfile", { entity, id });
  const revisions = useAsk("listRevisions", { entity, id });
  const [isOpen, setOpen] = useState(false);
  const [isEdited, setEdited] = useState(false);
  return (
    <section class="item" tabIndex={-1} aria-label={id}>
      <Answered
        asked={asked}
        of={({ name = id, body, text, file, updatedAt }) => (
          <>
            <h2>
              <bdi>{name}</bdi>
            </h2>
            <p class="quiet">
              <SourcePlace source={file} /> {updatedAt !== undefined && dayOf(updatedAt)}
            </p>
            {isEdited && body !== undefined ? (
              <EditText
                name={name}
                shown={body.trim()}
                rows={8}
                save={(mine, shown) => ask("updateProfile", { entity, id, body: mine, shown })}
                standing={async () => (await ask("getProfile", { entity, id })).body?.trim()}
                done={() => {
                  setEdited(false);
                  asked.again();
                  revisions.again();
                }}
              />
            ) : (
              <>
                <Lines text={(body ?? text).trim()} />
                {body !== undefined && (
                  <button type="button" onClick={() => setEdited(true)} aria-label={`${w("hands")}: ${name}`}>
                    {w("hands")}
                  </button>
                )}
              </>
            )}
          </>
        )}
      />
      <Answered
        asked={revisions}
        of={({ revisions: older }) =>
          older.length === 0 ? null : (
            <details onToggle={(event) => setOpen(event.currentTarget.open)}>
              <summary>
                {w("revisions")} ({older.length})
              </summary>
              {isOpen &&
                older
                  .toReversed()
                  .map((revision) => <Diff key={revision} entity={entity} id={id} revision={revision} />)}
            </details>
          )
        }
      />
    </section>
  );
}

function Diff({ entity, id, revision }: { entity: "user" | "group"; id: string; revision: string }) {
  const asked = useAsk("diffProfile", { entity, id, revision });
  return (
    <section aria-label={revision}>
      <h3>{revision}</h3>
      <Answered
        asked={asked}
        of={({ gone, come }) => (
          <TwoPanes
            leftName={w("gone")}
            rightName={w("come")}
            left={gone.join("\n")}
            right={come.join("\n")}
          />
        )}
      />
    </section>
  );
}

function Documents() {
  const asked = useAsk("listDocuments", {});
  return (
    <Answered
      asked={asked}
      of={({ documents }) =>
        documents.length === 0 ? (
          <p class="quiet">{w("nothing")}</p>
        ) : (
          <ul class="hits">
            {documents.map(({ id, title, file, source, chars }) => (
              <li key={id} class="item" tabIndex={-1}>
                <strong>
                  <bdi>{title}</bdi>
                </strong>{" "}
                <span class="quiet">
                  {source} · {count(chars)} · <SourcePlace source={file} />
                </span>
              </li>
            ))}
          </ul>
        )
      }
    />
  );
}
