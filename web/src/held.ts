/** Where a link led to stays where it is. */

/** What stands before it may come after it, and be higher or lower than was thought. */
const HELD_MS = 1000;
const LETS_GO = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** Keeps what was jumped to at one place of the window while all of `stream` around it is drawn, until somebody scrolls themselves. */
export function held(
  stream: HTMLElement,
  meant: () => Element | null,
  block: ScrollLogicalPosition = "start",
): () => void {
  const jump = (): void => meant()?.scrollIntoView({ block });
  const grows = new ResizeObserver(jump);
  const letGo = (): void => {
    clearTimeout(timer);
    grows.disconnect();
    for (const event of LETS_GO) removeEventListener(event, letGo);
  };
  const timer = setTimeout(letGo, HELD_MS);
  for (const event of LETS_GO) addEventListener(event, letGo, { passive: true });
  jump();
  grows.observe(stream);
  return letGo;
}
