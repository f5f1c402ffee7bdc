/** Hands: what is pinned is changed, messages and conversations are forgotten. Nothing is written over that was not shown. */
import { useState } from "preact/hooks";
import { ask, type AnswerOf, type Refusal } from "./api.js";
import { Answered } from "./parts.js";
import { TwoPanes } from "./text.js";
import { useAsk } from "./use-ask.js";
import { w } from "./words.js";

type Entry = AnswerOf<"listPinned">["entries"][number];

export function Hands() {
  return (
    <>
      <h1>{w("hands")}</h1>
      <Pinned />
      <Forget />
    </>
  );
}

function Pinned() {
  const asked = useAsk("listPinned", {});
  const [trouble, setTrouble] = useState("");
  const add = async (form: HTMLFormElement): Promise<void> => {
    const { text = "", heading = "" } = Object.fromEntries(new FormData(form)) as Record<string, string>;
    try {
      await ask("addPinned", { text, ...(heading !== "" && { heading }) });
      form.reset();
      setTrouble("");
      asked.again();
    } catch (error) {
      setTrouble((error as Refusal).message);
    }
  };
  return (
    <section aria-labelledby="pinned">
      <h2 id="pinned">{w("pinned")}</h2>
      <Answered
        asked={asked}
        of={({ entries }) => (
          <ol class="hits">
            {entries.map((entry) => (
              <PinnedEntry key={`${entry.number} ${entry.text}`} entry={entry} changed={asked.again} />
            ))}
          </ol>
        )}
      />
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void add(event.currentTarget);
        }}
      >
        <label>
          {w("text")} <input name="text" required autoComplete="off" />
        </label>
        <label>
          {w("heading")} <input name="heading" autoComplete="off" />
        </label>
        <button type="submit">{w("add")}</button>
      </form>
      {trouble !== "" && (
        <p role="alert" class="refusal">
          {trouble}
        </p>
      )}
    </section>
  );
}

/** What it says is named in full when it is changed: what is another by then is not written over. */
function PinnedEntry({ entry, changed }: { entry: Entry; changed: () => void }) {
  const [mine, setMine] = useState<string>();
  const [now, setNow] = useState<Entry>();
  const [trouble, setTrouble] = useState("");
  const write = async (over: Entry, text: string | undefined): Promise<void> => {
    const stands = await standing(over);
    // Read just before it is written, and named by its text: who wrote meanwhile is seen either way.
    if (stands !== undefined && stands.text !== over.text) return setNow(stands);
    try {
      if (text === undefined) await ask("removePinned", { entry: over.text });
      else await ask("updatePinned", { entry: over.text, text });
      setMine(undefined);
      setNow(undefined);
      changed();
    } catch (error) {
      const other = await standing(over);
      if (other === undefined || other.text === over.text) setTrouble((error as Refusal).message);
      else setNow(other);
    }
  };
  return (
    <li class="item" tabIndex={-1}>
      {mine === undefined ? (
        <>
          <bdi class="text" dir="auto">
            {entry.text}
          </bdi>{" "}
          <span class="quiet">{entry.heading}</span>{" "}
          <button
            type="button"
            onClick={() => setMine(entry.text)}
            aria-label={`${w("hands")}: ${entry.text}`}
          >
            {w("hands")}
          </button>{" "}
          <button
            type="button"
            onClick={() => void write(entry, undefined)}
            aria-label={`${w("remove")}: ${entry.text}`}
          >
            {w("remove")}
          </button>
        </>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void write(entry, mine);
          }}
        >
          <textarea
            aria-label={w("text")}
            value={mine}
            rows={3}
            onInput={(event) => setMine(event.currentTarget.value)}
          />
          <button type="submit">{w("save")}</button>{" "}
          <button type="button" onClick={() => setMine(undefined)}>
            {w("cancel")}
          </button>
        </form>
      )}
      {now !== undefined && (
        <div role="alert">
          <p class="refusal">{w("conflict")}</p>
          <TwoPanes leftName={w("yours")} rightName={w("theirs")} left={mine ?? ""} right={now.text} />
          <button type="button" onClick={() => void write(now, mine)}>
            {w("keepMine")}
          </button>{" "}
          <button
            type="button"
            onClick={() => {
              setNow(undefined);
              setMine(undefined);
              changed();
            }}
          >
            {w("keepTheirs")}
          </button>
        </div>
      )}
      {trouble !== "" && (
        <p role="alert" class="refusal">
          {trouble}
        </p>
      )}
    </li>
  );
}

/** As it stands now: by its id, else in its place. */
async function standing({ id, number, heading }: Entry): Promise<Entry | undefined> {
  const { entries } = await ask("listPinned", {});
  return entries.find((one) =>
    id === undefined ? one.number === number && one.heading === heading : one.id === id,
  );
}

type Report = AnswerOf<"forget">;

function Forget() {
  const [of, setOf] = useState<Record<string, string>>();
  const [would, setWould] = useState<Report>();
  const [trouble, setTrouble] = useState("");
  const forget = async (given: Record<string, string>, dryRun: boolean): Promise<void> => {
    try {
      setWould(await ask("forget", { ...given, dryRun }));
      setOf(given);
      setTrouble("");
    } catch (error) {
      setWould(undefined);
      setTrouble((error as Refusal).message);
    }
  };
  return (
    <section aria-labelledby="forget">
      <h2 id="forget">{w("forget")}</h2>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const given = Object.entries(
            Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>,
          );
          void forget(Object.fromEntries(given.filter(([, value]) => value.trim() !== "")), true);
        }}
      >
        <label>
          {w("messageId")} <input name="id" autoComplete="off" />
        </label>
        <label>
          {w("session")} <input name="session" autoComplete="off" />
        </label>
        <label>
          {w("scope")} <input name="scope" autoComplete="off" />
        </label>
        <button type="submit">{w("wouldGo")}</button>
      </form>
      {would !== undefined && (
        <div role="status">
          <table class="parts">
            <caption>{would.forgotten ? w("forgotten") : w("wouldGo")}</caption>
            <tbody>
              {(["messages", "records", "memos"] as const).map((name) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{would[name]}</td>
                </tr>
              ))}
              {(["windows", "jobs", "profiles"] as const).map((name) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{would[name].join(", ")}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {!would.forgotten && of !== undefined && (
            <button type="button" class="danger" onClick={() => void forget(of, false)}>
              {w("forgetNow")}
            </button>
          )}
        </div>
      )}
      {trouble !== "" && (
        <p role="alert" class="refusal">
          {trouble}
        </p>
      )}
    </section>
  );
}
