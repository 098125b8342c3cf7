import { RecoupApiError, RecoupConnectionError } from './api-error.ts';
import type { ClientDeps } from './client-options.ts';

const firstWaitMs = 500;
const longestWaitMs = 8_000;

/**
 * How long to wait before a failed try is repeated, in milliseconds; undefined where it must not be.
 * The wait is drawn from 0 to 0.5, 1, 2, … 8 s, so that many clients do not come back together, and
 * is at least what the service asks for. Where a repetition could do the work twice, only an answer
 * that says that nothing was done is followed by one.
 */
export function waitBefore(
  deps: Pick<ClientDeps, 'random' | 'maxWaitMs' | 'retries'>,
  input: { readonly error: unknown; readonly tries: number; readonly isRepeatable: boolean },
): number | undefined {
  const { error, tries, isRepeatable } = input;
  if (tries > deps.retries || !mayRepeat(error, isRepeatable)) return undefined;
  const drawnMs = deps.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (tries - 1));
  const askedMs = error instanceof RecoupApiError ? (error.retryAfterMs ?? 0) : 0;
  return askedMs > deps.maxWaitMs ? undefined : askedMs + drawnMs;
}

function mayRepeat(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof RecoupConnectionError) return isRepeatable;
  if (!(error instanceof RecoupApiError)) return false;
  if (error.status === 429) return true;
  // A conflict that names a wait is one that ends: the first request under this key still runs.
  if (error.status === 409) return isRepeatable && error.retryAfterMs !== undefined;
  // Proxies have statuses of their own from 500 on, such as 520 to 524 for a service that they do not reach.
  return isRepeatable && (error.status === 408 || error.status >= 500);
}
