import { type RefObject, useEffect, useRef } from 'react';

/** Where the focus was, and what stood around it, the nearest first. */
interface Place {
  readonly element: HTMLElement;
  readonly around: readonly HTMLElement[];
}

/**
 * Where what has the focus goes away by itself, such as a row that was dealt with, the focus goes to what is left
 * around it; without, it would be at the beginning of the page. What was hidden with the focus has it again
 * once it is shown.
 */
export function useKeptFocus(main: RefObject<HTMLElement | null>): void {
  const kept = useRef<Place>(undefined);
  useEffect(() => {
    const { current } = main;
    if (current === null) return;
    const onFocus = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement) kept.current = { element: target, around: around(target) };
    };
    const giveBack = (): void => {
      const { current: place } = kept;
      if (place === undefined || document.activeElement !== document.body || isAsked()) return;
      if (place.element.isConnected) return;
      const left = place.around.find(({ isConnected }) => isConnected) ?? current;
      kept.current = undefined;
      if (!left.hasAttribute('tabindex')) left.tabIndex = -1;
      left.focus({ preventScroll: true });
    };
    // A press on nothing takes it away on purpose.
    const onPress = (): void => {
      kept.current = undefined;
    };
    if (document.activeElement === document.body) kept.current?.element.focus();
    current.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPress);
    const changes = new MutationObserver(giveBack);
    changes.observe(document.body, { childList: true, subtree: true });
    return () => {
      current.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPress);
      changes.disconnect();
    };
  }, [main]);
}

/** A dialog keeps the focus by itself, and gives it back. */
function isAsked(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}

function around(target: HTMLElement): readonly HTMLElement[] {
  const found: HTMLElement[] = [];
  let at: HTMLElement | null = target;
  while (at !== null && at.id !== 'main') {
    at = at.parentElement;
    if (at?.matches('section, form, main') === true) found.push(at);
  }
  return found;
}
