import { useEffect, useState } from 'react';

export interface HelpState {
  readonly isShown: boolean;
  show(): void;
  hide(): void;
}

/**
 * The keys of every page: `/` to the search, `j` and `k` through the rows, `?` for help. A row is
 * whatever carries `data-row`, a link or a button, so that Enter opens it by itself.
 */
export function useKeys(): HelpState {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('[role="dialog"], [role="listbox"]') !== null) return;
      const action = keys[event.key];
      if (event.key === '?') setShown(true);
      else if (action === undefined) return;
      else action();
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return { isShown, show: () => setShown(true), hide: () => setShown(false) };
}

const keys: Readonly<Record<string, () => void>> = {
  // What stands in the search is replaced by what is typed next.
  '/': () => document.querySelector<HTMLInputElement>('[data-search]')?.select(),
  j: () => moveRow(1),
  k: () => moveRow(-1),
};

function moveRow(step: 1 | -1): void {
  const rows: HTMLElement[] = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? rows.indexOf(focused) : -1;
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step;
  rows[next]?.focus();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, [role="combobox"]');
}
