import { type RefObject, useEffect, useRef } from 'react';
import { announce } from '../parts/announced.tsx';

/**
 * Where a page has changed, the focus and the eye go to its beginning, and its name is said: what was pressed is
 * gone with the page before. `title`: what the tab is named.
 */
export function usePageFocus(
  main: RefObject<HTMLElement | null>,
  { pathname, title }: { readonly pathname: string; readonly title: string },
): void {
  const before = useRef(pathname);
  const isBack = useRef(false);
  useEffect(() => {
    const onBack = (): void => {
      isBack.current = true;
    };
    window.addEventListener('popstate', onBack);
    return () => window.removeEventListener('popstate', onBack);
  }, []);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    main.current?.focus({ preventScroll: true });
    // On the way back the browser knows where one was.
    if (!isBack.current) window.scrollTo(0, 0);
    isBack.current = false;
    announce(title);
  }, [main, pathname, title]);
}
