/** Every state of the page has an address: `#/search?q=ferry`. */
import { computed, signal } from "@preact/signals";

export const VIEWS = ["now", "search", "time", "known", "hands", "health", "source"] as const;
export type View = (typeof VIEWS)[number];

const address = signal(location.hash);
addEventListener("hashchange", () => {
  // A code that is pasted into a page that is open leads nowhere else.
  if (codeHeld() === undefined) address.value = location.hash;
});

const CODE = /^#code=([a-z0-9]+)$/;

/** The code that lets a page in, where the address holds one. */
export const codeHeld = (): string | undefined => CODE.exec(location.hash)?.[1];

/** The address says again which view is shown. */
export function hideCode(): void {
  history.replaceState(null, "", address.value.startsWith("#/") ? address.value : "#/now");
}

export const route = computed(() => {
  const [path = "", query = ""] = address.value.replace(/^#\/?/, "").split("?");
  const view = VIEWS.find((name) => name === path) ?? "now";
  return { view, params: new URLSearchParams(query) };
});

export function linkTo(view: View, params: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => (entry[1] ?? "") !== "");
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query === "" ? "" : `?${query}`}`;
}

/** `instead`: of where it is now, without a step back to it. */
export function go(link: string, instead = false): void {
  if (instead) history.replaceState(null, "", link);
  else history.pushState(null, "", link);
  // Of very many addresses in a moment a browser takes not every one.
  address.value = link;
}
