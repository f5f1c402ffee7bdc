/** The page: a view for each question, keys for everything. */
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { access, asking, enter } from "./api.js";
import { Hands } from "./hands.js";
import { Health } from "./health.js";
import { Known } from "./known.js";
import { keysAreOn, KeysSwitch } from "./keys.js";
import { beginLive } from "./live.js";
import { Now } from "./now.js";
import { codeHeld, go, linkTo, route, type View } from "./route.js";
import { Search } from "./search.js";
import { SourceView } from "./source.js";
import { Time } from "./time.js";
import { LANGUAGE, w } from "./words.js";

const SHOWN = {
  now: Now,
  search: Search,
  time: Time,
  known: Known,
  hands: Hands,
  health: Health,
  source: SourceView,
} as const;
const NAMED = ["now", "search", "time", "known", "hands", "health"] as const satisfies readonly View[];
/** Behind `g`. */
const KEYS: Readonly<Record<string, View>> = {
  n: "now",
  s: "search",
  t: "time",
  w: "known",
  e: "hands",
  h: "health",
};

function App() {
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => listenToKeys(() => help.current?.showModal()), []);
  const { view } = route.value;
  useEffect(() => {
    document.title = `${w(view)} · memd`;
  }, [view]);
  const wasOpen = useRef(false);
  if (access.value === "open") wasOpen.current = true;
  if (access.value === "asking" && !wasOpen.current) return null;
  if (access.value === "locked" && !wasOpen.current)
    return (
      <main>
        <h1>memd</h1>
        <p>{w("locked")}</p>
        <p>{w("lockedHow")}</p>
      </main>
    );
  const Shown = SHOWN[view];
  return (
    <>
      <header>
        <a
          class="skip"
          href="#content"
          onClick={(event) => {
            event.preventDefault();
            document.getElementById("content")?.focus();
          }}
        >
          {w("skip")}
        </a>
        <nav aria-label="memd">
          {NAMED.map((name) => (
            <a key={name} href={linkTo(name)} aria-current={name === view ? "page" : undefined}>
              {w(name)}
            </a>
          ))}
        </nav>
        <button type="button" onClick={() => help.current?.showModal()} aria-label={w("keys")}>
          ?
        </button>
      </header>
      <main id="content" tabIndex={-1} aria-busy={asking.value > 0}>
        {access.value === "locked" && (
          <p role="alert" class="refusal">
            {w("locked")} {w("lockedHere")}
          </p>
        )}
        <Shown />
      </main>
      <dialog ref={help} aria-labelledby="keys">
        <h2 id="keys">{w("keys")}</h2>
        <dl class="facts">
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>{w("keySearch")}</dd>
          <dt>
            <kbd>j</kbd> <kbd>k</kbd>
          </dt>
          <dd>{w("keyNext")}</dd>
          <dt>
            <kbd>g</kbd>
          </dt>
          <dd>{w("keyGo")}</dd>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>{w("keyHelp")}</dd>
        </dl>
        <KeysSwitch />
        <button type="button" onClick={() => help.current?.close()}>
          {w("close")}
        </button>
      </dialog>
    </>
  );
}

/** The key behind `g`. */
const GOES_WITHIN_MS = 1500;

function listenToKeys(showHelp: () => void): () => void {
  let goneAt = 0;
  const pressed = (event: KeyboardEvent): void => {
    const at = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(?:INPUT|TEXTAREA|SELECT)$/.test(at.tagName))
      return;
    if (!keysAreOn.value || document.querySelector("dialog[open]") !== null) return;
    const view = Date.now() - goneAt < GOES_WITHIN_MS ? KEYS[event.key] : undefined;
    goneAt = event.key === "g" ? Date.now() : 0;
    if (view !== undefined) return go(linkTo(view));
    if (event.key === "?") return showHelp();
    if (event.key === "j" || event.key === "k") return step(event.key === "j" ? 1 : -1);
    if (event.key !== "/") return;
    event.preventDefault();
    if (route.value.view === "search") document.getElementById("query")?.focus();
    else go(linkTo("search"));
  };
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}

/** From one thing that is listed to the next. */
function step(by: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>("main .item")];
  const at = items.findIndex((item) => item.contains(document.activeElement));
  const next = items[at < 0 ? (by > 0 ? 0 : items.length - 1) : at + by];
  const focused = next?.matches("details") === true ? next.querySelector<HTMLElement>("summary") : next;
  focused?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

document.documentElement.lang = LANGUAGE;
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
function begin(): void {
  void enter().then(() => {
    if (access.value === "open") beginLive();
  });
}
addEventListener("hashchange", () => {
  if (codeHeld() !== undefined) begin();
});
begin();
