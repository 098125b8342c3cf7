import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 900px)');

/** Whether the window is too narrow for a navigation at its side. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      narrow.addEventListener('change', onChange);
      return () => narrow.removeEventListener('change', onChange);
    },
    () => narrow.matches,
  );
}
