import { useState } from 'react';
import { useNow } from './service-time.tsx';

/** When a view was asked for, by the service's time, cut to the second; `ask` asks for it again. */
export function useAskedAt(): { readonly askedAt: Date; ask(): void } {
  const now = useNow();
  const [askedAt, setAskedAt] = useState(now);
  return { askedAt: new Date(askedAt.getTime() - askSlackMs), ask: () => setAskedAt(now) };
}

/** The service's clock and what is known of it here differ by the time of an answer. */
const askSlackMs = 2_000;
