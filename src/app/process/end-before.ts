type Ending = () => Promise<void>;

const endings = new Set<Ending>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Has a signal that ends this process do this first: no server outlives its simulation. What is given back
 * is called at the usual end.
 */
export function endBefore(end: Ending): Ending {
  const once: Ending = async () => {
    await end();
    endings.delete(once);
    if (endings.size === 0) for (const signal of signals) process.off(signal, endAll);
  };
  if (endings.size === 0) for (const signal of signals) process.once(signal, endAll);
  endings.add(once);
  return once;
}

async function endAll(signal: NodeJS.Signals): Promise<void> {
  await Promise.allSettled([...endings].map((end) => end()));
  process.kill(process.pid, signal);
}
