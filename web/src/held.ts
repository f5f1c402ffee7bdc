/** Where a link led to stays where it is. */

/** Once it is there: what stands before it may come after it, and be higher or lower than was thought. */
const HELD_MS = 1000;
const LETS_GO = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** Keeps what was jumped to at one place of the window while all of `stream` around it is drawn, until somebody scrolls themselves. */
export function held(
  stream: HTMLElement,
  meant: () => Element | null,
  block: ScrollLogicalPosition = "start",
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const jump = (): void => {
    const element = meant();
    if (element === null) return;
    element.scrollIntoView({ block });
    timer ??= setTimeout(letGo, HELD_MS);
  };
  const grows = new ResizeObserver(jump);
  const letGo = (): void => {
    clearTimeout(timer);
    grows.disconnect();
    for (const event of LETS_GO) removeEventListener(event, letGo);
  };
  for (const event of LETS_GO) addEventListener(event, letGo, { passive: true });
  jump();
  grows.observe(stream);
  return letGo;
}
