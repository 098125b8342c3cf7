import { zoneName } from '../parts/format-time.ts';
import { useNow } from '../state/service-time.tsx';

/** In whose zone the times of every page are. */
export function Zone() {
  return (
    <footer className="zone muted small">
      Times are in your time zone, {zoneName(useNow())}. Point at one for UTC.
    </footer>
  );
}
