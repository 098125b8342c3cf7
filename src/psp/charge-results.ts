import type { ChargeResult } from '../recovery/psp-ports.ts';

export type NotMade = Extract<ChargeResult, { kind: 'not_made' }>;
export type Unknown = Extract<ChargeResult, { kind: 'unknown' }>;

/** The charge was certainly not made: another may be. */
export function notMade(reason: string): NotMade {
  return { kind: 'not_made', reason };
}

/** The PSP read the request and refused it: it may take one for another method. */
export function requestRefused(reason: string): NotMade {
  return { ...notMade(reason), isRequestRefused: true };
}

/** It may have been made: nothing else is charged until the PSP's record says. */
export function unknown(reason: string): Unknown {
  return { kind: 'unknown', reason };
}
