import { minuteMs, secondMs } from '../../domain/clock.ts';

/** Wrong tokens of one address in a minute: room for a wrong paste or two. */
const maxTries = 10;
/** Addresses that are remembered; then all are forgotten. */
const maxAddresses = 10_000;

interface Window {
  readonly endsAtMs: number;
  tries: number;
}

/** Counts failed sign-ins by address, so that a token cannot be guessed at speed. */
export class LoginLimit {
  readonly #windows = new Map<string, Window>();

  /** Seconds until this address may try again, or undefined for now. */
  waitSeconds(address: string, at: Date): number | undefined {
    const window = this.#windows.get(address);
    if (window === undefined || window.tries < maxTries) return undefined;
    const leftMs = window.endsAtMs - at.getTime();
    return leftMs <= 0 ? undefined : Math.max(1, Math.ceil(leftMs / secondMs));
  }

  failed(address: string, at: Date): void {
    const known = this.#windows.get(address);
    if (known !== undefined && known.endsAtMs > at.getTime()) {
      known.tries += 1;
      return;
    }
    if (this.#windows.size >= maxAddresses) this.#windows.clear();
    this.#windows.set(address, { endsAtMs: at.getTime() + minuteMs, tries: 1 });
  }
}
