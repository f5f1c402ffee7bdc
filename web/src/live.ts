/** What happens in memd while the page is open. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { follow, type Happened } from "./api.js";

const MOST_KEPT = 200;
/** Newest first. */
export const happened = signal<readonly Happened[]>([]);
const hearers = new Set<(event: string) => void>();

let isFollowing = false;

export function beginLive(): void {
  if (isFollowing) return;
  isFollowing = true;
  void follow((one) => {
    happened.value = [one, ...happened.value].slice(0, MOST_KEPT);
    for (const hear of hearers) hear(one.event);
  });
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
