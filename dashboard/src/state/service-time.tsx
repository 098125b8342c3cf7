import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

const AheadMs = createContext(0);

/** Gives the pages the service's time, which the sandbox moves ahead of the machine's. */
export function ServiceTime({
  aheadMs,
  children,
}: {
  readonly aheadMs: number;
  readonly children: ReactNode;
}) {
  return <AheadMs value={aheadMs}>{children}</AheadMs>;
}

const tickMs = 30_000;

/**
 * The service's present time, which goes on by itself twice a minute. `byMachine`: the machine's, by which
 * the service keeps what the sandbox's moves are not to change, such as alerts and who may sign in.
 */
export function useNow({ byMachine = false }: { readonly byMachine?: boolean } = {}): Date {
  const serviceAheadMs = useContext(AheadMs);
  const aheadMs = byMachine ? 0 : serviceAheadMs;
  const [ownMs, setOwnMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setOwnMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return new Date(ownMs + aheadMs);
}
