import { useSyncExternalStore } from 'react';

let isAway = false;
const listeners = new Set<() => void>();

/** Notes whether a part of the dashboard waits for a service that does not answer. */
export function noteAway(next: boolean): void {
  isAway = next;
  for (const each of listeners) each();
}

export function useIsServiceAway(): boolean {
  return useSyncExternalStore(listen, () => isAway);
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
