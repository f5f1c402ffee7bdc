/** What happens in memd while the page is open. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { follow, type Happened } from "./api.js";

const MOST_KEPT = 200;
/** Newest first. */
export const happened = signal<readonly Happened[]>([]);
const hearers = new Set<(event: string) => void>();

let following: AbortController | undefined;

/** With the key that the page has now, and only while it is looked at: a browser opens six lines to one place, for all its tabs together. */
export function beginLive(): void {
  if (following === undefined) document.addEventListener("visibilitychange", followIfSeen);
  followIfSeen();
}

function followIfSeen(): void {
  // What happened meanwhile is not told again: every view asks anew.
  if (following !== undefined && !document.hidden) tell({ event: "missed" });
  following?.abort();
  following = new AbortController();
  if (!document.hidden) void follow(tell, following.signal);
}

function tell(one: Happened): void {
  if (one.event !== "missed") happened.value = [one, ...happened.value].slice(0, MOST_KEPT);
  for (const hear of hearers) hear(one.event);
}

/** Several come together. */
const REST_MS = 500;

export const changes = {
  /** Has a view ask again where something happened that it shows. */
  use(again: () => void, isOf: (event: string) => boolean): void {
    useEffect(() => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const hear = (event: string): void => {
        if (event !== "missed" && !isOf(event)) return;
        // What comes meanwhile is shown with it.
        timer ??= setTimeout(() => {
          timer = undefined;
          again();
        }, REST_MS);
      };
      hearers.add(hear);
      return () => {
        clearTimeout(timer);
        hearers.delete(hear);
      };
    }, []);
  },
};
