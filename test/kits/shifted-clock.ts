import { readFileSync } from 'node:fs';

/**
 * Loaded before a program (`node --import`): its wall clock is ahead by as many milliseconds as the
 * file that SHIFTED_CLOCK names says at each moment; its monotonic clock is as it was. So a test gives
 * a process the clock of another machine, and sets it right while the process runs.
 */
function shift(file: string): void {
  const MachineDate = globalThis.Date;
  let aheadMs = 0;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const now = (): number => {
    const elapsedMs = performance.now();
    if (elapsedMs - readAtMs > 100) {
      readAtMs = elapsedMs;
      aheadMs = Number(readFileSync(file, 'utf8'));
    }
    return MachineDate.now() + aheadMs;
  };
  globalThis.Date = new Proxy(MachineDate, {
    construct: (target, given: unknown[]) =>
      given.length === 0 ? new target(now()) : Reflect.construct(target, given),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}

const { SHIFTED_CLOCK } = process.env;
if (SHIFTED_CLOCK !== undefined) shift(SHIFTED_CLOCK);
