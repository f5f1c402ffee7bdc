/** Every state of the page has an address: `#/search?q=ferry`. */
import { computed, signal } from "@preact/signals";

export const VIEWS = ["now", "search", "time", "known", "hands", "health", "source"] as const;
export type View = (typeof VIEWS)[number];

const address = signal(location.hash);
addEventListener("hashchange", () => (address.value = location.hash));

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
  address.value = location.hash;
}
