/** Hands: what is pinned is changed, messages and conversations are forgotten. Nothing is written over that was not shown. */
import { useState } from "preact/hooks";
import { ask, type AnswerOf, type Refusal } from "./api.js";
import { Answered, Trouble } from "./parts.js";
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
              <PinnedEntry key={entry.id ?? entry.text} entry={entry} shown={entries} changed={asked.again} />
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
      <Trouble text={trouble} />
    </section>
  );
}

/** What is written over is looked at just before, and memd is told what was shown of it: who wrote meanwhile is seen. */
function PinnedEntry(props: { entry: Entry; shown: readonly Entry[]; changed: () => void }) {
  const { entry, shown, changed } = props;
  const [mine, setMine] = useState<string>();
  const [now, setNow] = useState<Entry>();
  const [trouble, setTrouble] = useState("");
  const [isWriting, setWriting] = useState(false);
  const settle = (): void => {
    setMine(undefined);
    setNow(undefined);
    setTrouble("");
    changed();
  };
  /** `over`: what was shown in the place that is written. */
  const write = async (over: Entry, act: (stands: Entry) => Promise<unknown>): Promise<void> => {
    setWriting(true);
    try {
      const stands = await standing(over, shown);
      if (stands === undefined) setTrouble(w("entryGone"));
      else if (stands.text !== over.text) setNow(stands);
      else {
        await act(stands);
        settle();
      }
    } catch (error) {
      const { code, message } = error as Refusal;
      const stands =
        code === "entry_changed" ? await standing(over, shown).catch(() => undefined) : undefined;
      if (stands === undefined) setTrouble(message);
      else setNow(stands);
    } finally {
      setWriting(false);
    }
  };
  const save = (over: Entry, text: string): Promise<void> =>
    write(over, ({ id, text: stands, number }) =>
      ask("updatePinned", { entry: id ?? number, text, shown: stands }),
    );
  const remove = (): Promise<void> =>
    write(entry, ({ id, text, number }) => ask("removePinned", { entry: id ?? number, shown: text }));
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
            disabled={isWriting}
            onClick={() => void remove()}
            aria-label={`${w("remove")}: ${entry.text}`}
          >
            {w("remove")}
          </button>
        </>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void save(entry, mine);
          }}
        >
          <textarea
            aria-label={w("text")}
            value={mine}
            rows={3}
            onInput={(event) => setMine(event.currentTarget.value)}
          />
          <button type="submit" disabled={isWriting}>
            {w("save")}
          </button>{" "}
          <button
            type="button"
            onClick={() => {
              setMine(undefined);
              setNow(undefined);
              setTrouble("");
            }}
          >
            {w("cancel")}
          </button>
        </form>
      )}
      {now !== undefined && (
        <div role="alert">
          <p class="refusal">{w("conflict")}</p>
          <TwoPanes
            leftName={w("yours")}
            rightName={w("theirs")}
            left={mine ?? entry.text}
            right={now.text}
          />
          {mine !== undefined && (
            <button type="button" disabled={isWriting} onClick={() => void save(now, mine)}>
              {w("keepMine")}
            </button>
          )}{" "}
          <button type="button" onClick={settle}>
            {w("keepTheirs")}
          </button>
        </div>
      )}
      <Trouble text={trouble} />
    </li>
  );
}

/**
 * As it stands now: what memd wrote has an id; what a person wrote is known by its text, and by its place where all
 * around it stands as it was shown. Undefined where nobody can tell any more.
 */
async function standing({ id, number, text }: Entry, shown: readonly Entry[]): Promise<Entry | undefined> {
  const { entries } = await ask("listPinned", {});
  if (id !== undefined) return entries.find((one) => one.id === id);
  const same = entries.filter((one) => one.text === text);
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  const isElsewhereTheSame =
    entries.length === shown.length &&
    entries.every((one, at) => one.number === number || one.text === shown[at]?.text);
  return isElsewhereTheSame ? entries.find((one) => one.number === number) : undefined;
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
        onInput={() => setWould(undefined)}
        onSubmit={(event) => {
          event.preventDefault();
          const given = Object.entries(
            Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>,
          );
          void forget(
            Object.fromEntries(
              given.flatMap(([name, value]) => (value.trim() === "" ? [] : [[name, value.trim()]])),
            ),
            true,
          );
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
            <caption>
              {would.forgotten ? w("forgotten") : w("wouldGo")} ({Object.values(of ?? {}).join(", ")})
            </caption>
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
      <Trouble text={trouble} />
    </section>
  );
}
