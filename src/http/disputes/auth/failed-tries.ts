import { createHash } from 'node:crypto';
import { leftOfWait, minuteMs, secondMs } from '../../../domain/clock.ts';
import type { BasicCredentials } from './read-basic.ts';

/** Wrong credentials of one source and user name in a minute: room for a wrong setting or two. */
export const maxTries = 20;
/** Sources and proven credentials that are remembered, each; then all are forgotten. */
const max = 10_000;

interface Window {
  readonly endsAtMs: number;
  tries: number;
}

/**
 * Counts failed tries per source and user name. Beyond the limit only credentials that were right
 * before are looked at: guessing and a flood of look-ups end, and yet nobody who knows a merchant's
 * id can shut their checkout out, whose calls may all come through one proxy.
 */
export class FailedTries {
  readonly #windows = new Map<string, Window>();
  readonly #proven = new Set<string>();

  /** Seconds until this try may be made, or undefined for now. */
  waitSeconds(source: string, credentials: BasicCredentials, at: Date): number | undefined {
    const window = this.#windows.get(keyOf(source, credentials));
    const leftMs = leftOf(window, at);
    if (window === undefined || leftMs === 0 || window.tries < maxTries) return undefined;
    if (this.#proven.has(digestOf(credentials))) return undefined;
    return Math.max(1, Math.ceil(leftMs / secondMs));
  }

  failed(source: string, credentials: BasicCredentials, at: Date): void {
    this.#proven.delete(digestOf(credentials));
    const key = keyOf(source, credentials);
    const known = this.#windows.get(key);
    if (known !== undefined && leftOf(known, at) > 0) {
      known.tries += 1;
      return;
    }
    if (this.#windows.size >= max) this.#windows.clear();
    this.#windows.set(key, { endsAtMs: at.getTime() + minuteMs, tries: 1 });
  }

  succeeded(credentials: BasicCredentials): void {
    if (this.#proven.size >= max) this.#proven.clear();
    this.#proven.add(digestOf(credentials));
  }
}

function leftOf(window: Window | undefined, at: Date): number {
  if (window === undefined) return 0;
  return leftOfWait({ endsAtMs: window.endsAtMs, mostMs: minuteMs }, at.getTime());
}

function keyOf(source: string, { username }: BasicCredentials): string {
  return `${source} ${username}`;
}

/** In memory alone, in the place of the password. */
function digestOf({ username, password }: BasicCredentials): string {
  return createHash('sha256').update(`${username}:${password}`).digest('base64');
}
