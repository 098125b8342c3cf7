import { leftOfWait, minuteMs, secondMs } from '../../domain/clock.ts';

/** Wrong tokens of one address in a minute that are answered as such: room for a wrong paste or two. */
export const maxTries = 10;
/** Addresses that are remembered; then all are forgotten. */
const maxAddresses = 10_000;
/** Lines of the audit log in a minute, whatever the number of addresses. */
const maxNotes = 100;

interface Window {
  readonly endsAtMs: number;
  count: number;
}

export interface WrongToken {
  /** Wrong tokens of this address in its minute, this one among them. */
  readonly count: number;
  /** Seconds until this address is listened to again; undefined while it still is. */
  readonly waitSeconds?: number;
  /** Whether the audit log is to have it: the last one that it has of an address is the first refused. */
  readonly isNoted: boolean;
}

/**
 * Counts wrong tokens by address over all routes. It is asked about wrong ones only: the right token
 * is compared before, so that nobody's guesses lock its holder out.
 */
export class WrongTokens {
  readonly #windows = new Map<string, Window>();
  #notes: Window = { endsAtMs: 0, count: 0 };

  add(address: string, at: Date): WrongToken {
    const nowMs = at.getTime();
    const window = this.#windowOf(address, nowMs);
    window.count += 1;
    const { count } = window;
    const isNoted = count <= maxTries + 1 && this.#takesNote(nowMs);
    if (count <= maxTries) return { count, isNoted };
    const waitSeconds = Math.max(1, Math.ceil((window.endsAtMs - nowMs) / secondMs));
    return { count, waitSeconds, isNoted };
  }

  #windowOf(address: string, nowMs: number): Window {
    const known = this.#windows.get(address);
    if (known !== undefined && leftOf(known, nowMs) > 0) return known;
    if (this.#windows.size >= maxAddresses) this.#windows.clear();
    const window = { endsAtMs: nowMs + minuteMs, count: 0 };
    this.#windows.set(address, window);
    return window;
  }

  #takesNote(nowMs: number): boolean {
    if (leftOf(this.#notes, nowMs) === 0) this.#notes = { endsAtMs: nowMs + minuteMs, count: 0 };
    this.#notes.count += 1;
    return this.#notes.count <= maxNotes;
  }
}

function leftOf({ endsAtMs }: Window, nowMs: number): number {
  return leftOfWait({ endsAtMs, mostMs: minuteMs }, nowMs);
}
