import { cpuTimeMs } from './cpu-time.ts';

/** One measured round of many operations. */
export interface Round {
  readonly perSecond: number;
  /**
   * CPU time that each process spent on one operation, in microseconds: unlike the rate, it says
   * little of what else the machine does. Empty where the system does not tell.
   */
  readonly cpuUs: Readonly<Record<string, number>>;
}

/** Measures `work`, which is `count` operations in the processes of these ids. */
export async function measureRound(
  input: { readonly count: number; readonly pids: Readonly<Record<string, number>> },
  work: () => Promise<unknown>,
): Promise<Round> {
  const { count, pids } = input;
  const names = Object.keys(pids);
  const usedMs = (): readonly (number | undefined)[] => Object.values(pids).map(cpuTimeMs);
  const before = usedMs();
  const startedAtMs = performance.now();
  await work();
  const perSecond = (count / (performance.now() - startedAtMs)) * 1000;
  const after = usedMs();
  const cpuUs = names.flatMap((name, index) => {
    const [from, to] = [before[index], after[index]];
    return from === undefined || to === undefined ? [] : [[name, ((to - from) * 1000) / count]];
  });
  return { perSecond, cpuUs: Object.fromEntries(cpuUs) };
}
