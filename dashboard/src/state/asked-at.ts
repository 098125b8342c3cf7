import { useState } from 'react';
import { type Range, rangeText, spanOf } from './range.ts';
import { useNow } from './service-time.tsx';

/** When a view was asked for, by the service's time, cut to the second; `ask` asks for it again. */
export function useAskedAt(): { readonly askedAt: Date; ask(): void } {
  const now = useNow();
  const [askedAt, setAskedAt] = useState(now);
  return { askedAt: new Date(askedAt.getTime() - askSlackMs), ask: () => setAskedAt(now) };
}

/** The time that is looked at, as of when it was chosen or asked for again. */
interface AskedSpan {
  readonly span: ReturnType<typeof spanOf>;
  /** When that was. */
  readonly spanAt: Date;
  askSpan(): void;
}

/**
 * A preset ends now, and goes on where somebody asks: rows and figures that came and went by themselves each minute
 * would move under the eye.
 */
export function useAskedSpan(range: Range): AskedSpan {
  const now = useNow();
  const chosen = rangeText(range);
  const [asked, setAsked] = useState({ chosen, at: now });
  const current = asked.chosen === chosen ? asked : { chosen, at: now };
  if (current !== asked) setAsked(current);
  return {
    span: spanOf(range, current.at),
    spanAt: current.at,
    askSpan: () => setAsked({ chosen, at: now }),
  };
}

/** The service's clock and what is known of it here differ by the time of an answer. */
const askSlackMs = 2_000;
