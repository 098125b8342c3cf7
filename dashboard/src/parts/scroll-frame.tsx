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
    <section ref={frame} className={`table-frame ${className}`}>
      {children}
    </section>
  );
}

/** The keys come to it, by the name of what it holds. */
function letFocus(element: HTMLElement): void {
  const name = element.querySelector('table')?.getAttribute('aria-label');
  element.tabIndex = 0;
  element.setAttribute('role', 'group');
  if (name != null) element.setAttribute('aria-label', name);
}

/** Where nothing scrolls there is nothing to come to. */
function letNoFocus(element: HTMLElement): void {
  for (const each of ['tabindex', 'role', 'aria-label']) element.removeAttribute(each);
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
    const scrolls = scrollWidth - clientWidth > 1 || scrollHeight - clientHeight > 1;
    if (scrolls) letFocus(element);
    else if (document.activeElement !== element) letNoFocus(element);
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
