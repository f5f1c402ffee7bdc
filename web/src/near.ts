/** Whether something is seen, or soon will be. */

/** A screen and more before it is seen. */
const AHEAD_PX = 1200;

type Hear = (isNear: boolean, heightPx: number) => void;
const hearers = new WeakMap<Element, Hear>();

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting, boundingClientRect } of entries)
      hearers.get(target)?.(isIntersecting, boundingClientRect.height);
  },
  { rootMargin: `${AHEAD_PX}px 0px` },
);

/** Until it is called off. */
export function near(element: Element, hear: Hear): () => void {
  hearers.set(element, hear);
  observer.observe(element);
  return () => {
    observer.unobserve(element);
    hearers.delete(element);
  };
}
