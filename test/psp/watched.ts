import type { Watched } from '../../src/psp/watched-call.ts';

/** What became of a call of a PSP's SDK, as `watchedCall` tells it. */
export function answered<Value>(value: Value, status = 200): Watched<Value> {
  return { kind: 'answered', status, value };
}

export function refused(status: number, body?: unknown): Watched<never> {
  const error = body === undefined ? new Error('refused') : { body };
  return { kind: 'refused', status, headers: {}, error };
}

export const lost = { kind: 'lost', reason: 'the connection broke' } as const;
export const notSent = { kind: 'not_sent', reason: 'nobody listens' } as const;
