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

/** The service's present time, which goes on by itself twice a minute. */
export function useNow(): Date {
  const aheadMs = useContext(AheadMs);
  const [ownMs, setOwnMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setOwnMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return new Date(ownMs + aheadMs);
}
