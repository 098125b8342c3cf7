import { zoneName } from '../parts/format-time.ts';
import { useNow } from '../state/service-time.tsx';

/** In whose zone the times of every page are. */
export function Zone() {
  return (
    <footer className="zone muted small">
      Times are of your zone, {zoneName(useNow())}. Each shows its UTC when you point at it.
    </footer>
  );
}
