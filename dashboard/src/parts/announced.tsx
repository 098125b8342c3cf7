import { useSyncExternalStore } from 'react';

let text = '';
const listeners = new Set<() => void>();

/** Says something to those who hear the page, where it shows by itself to those who see it. */
export function announce(next: string): void {
  // The same words twice are a change only where they differ.
  text = next === text ? `${next}\u00a0` : next;
  for (const each of listeners) each();
}

/** Where it is said; it stands once in the page, before anything is. */
export function Announced() {
  const said = useSyncExternalStore(listen, () => text);
  return (
    <p role="status" className="unseen">
      {said}
    </p>
  );
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
