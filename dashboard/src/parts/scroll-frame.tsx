import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * What scrolls in itself where it is too wide or too long, by keys too: an edge behind which there is more
 * fades out, since scroll bars show on few machines before they are used.
 */
export function ScrollFrame({
  frame: given,
  className = '',
  children,
}: {
  /** For those who measure it. */
  readonly frame?: RefObject<HTMLElement | null>;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const own = useRef<HTMLElement>(null);
  const frame = given ?? own;
  useLayoutEffect(() => {
    const { current } = frame;
    return current === null ? undefined : keepEdges(current);
  }, [frame]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide or long table is scrolled by keys
    <section ref={frame} className={`table-frame ${className}`} tabIndex={0}>
      {children}
    </section>
  );
}

/** Says at the element on which sides there is more, in words that its style reads. */
function keepEdges(element: HTMLElement): () => void {
  const tell = (): void => {
    const { scrollLeft, scrollTop, clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
    // Of a scroll of parts of a pixel one is always left over.
    const isMoreAside = scrollWidth - clientWidth - scrollLeft > 1;
    const isMoreBelow = scrollHeight - clientHeight - scrollTop > 1;
    element.classList.toggle('is-more-aside', isMoreAside);
    element.classList.toggle('is-more-below', isMoreBelow);
  };
  tell();
  const sizes = new ResizeObserver(tell);
  sizes.observe(element);
  for (const child of element.children) sizes.observe(child);
  element.addEventListener('scroll', tell, { passive: true });
  return () => {
    sizes.disconnect();
    element.removeEventListener('scroll', tell);
  };
}
