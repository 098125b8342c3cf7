import { AsyncLocalStorage } from 'node:async_hooks';

const serving = new AsyncLocalStorage<string>();

/**
 * Runs what a merchant asks for. The databases of `MerchantDatabases` then hold its rows and nothing
 * else, whatever a statement asks: a use case does not depend on it, and no statement may forget it.
 */
export function serve<Result>(merchantId: string, work: () => Result): Result {
  return serving.run(merchantId, work);
}

/** Undefined outside of any merchant's request. */
export function whoIsServed(): string | undefined {
  return serving.getStore();
}
