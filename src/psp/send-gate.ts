import { AsyncLocalStorage } from 'node:async_hooks';

/** Whether a write may begin; asked at the last moment before the socket. */
export interface SendGate {
  /** Why nothing may be written any more; undefined while it may. */
  closedBecause(): string | undefined;
}

/**
 * The gate of the call that is under way. It reaches the socket past the PSPs' own libraries, none of
 * which lets a caller hand anything through to the place where a request is written.
 */
const present = new AsyncLocalStorage<SendGate>();

/** Makes a call of which nothing is written once its gate is closed. */
export function sendThrough<Value>(gate: SendGate, call: () => Promise<Value>): Promise<Value> {
  return present.run(gate, call);
}

/** The gate of this call; a call without one may write until its own deadline. */
export function presentGate(): SendGate {
  return present.getStore() ?? open;
}

const open: SendGate = { closedBecause: () => undefined };
