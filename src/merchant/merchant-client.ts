import { type Clock, secondMs } from '../domain/clock.ts';
import type { MerchantClient } from '../recovery/merchant-ports.ts';
import { Breaker } from './breaker.ts';
import { createGuardedClient, type GuardedClientSettings } from './outbound/guarded-client.ts';
import { askUnlessOpen } from './retry-status/ask-unless-open.ts';
import { sendWebhook } from './webhook.ts';

export interface MerchantClientSettings extends GuardedClientSettings {
  readonly clock: Clock;
  /** The real time. Default: `clock`, where nobody moves that. */
  readonly machine?: Clock;
  /** How long the signature of a webhook is valid. Default 300 s. */
  readonly signatureValidityMs?: number;
}

export interface ClosableMerchantClient extends MerchantClient {
  /** Lets calls in flight end, then closes every connection. */
  close(): Promise<void>;
}

const defaultSignatureValidityMs = 300 * secondMs;

/** Both calls to merchants' servers, over one guarded client. */
export function createMerchantClient(settings: MerchantClientSettings): ClosableMerchantClient {
  const client = createGuardedClient(settings);
  const breaker = new Breaker(settings.clock);
  const { clock, machine = clock, signatureValidityMs = defaultSignatureValidityMs } = settings;
  return {
    askRetryStatus: (request) => askUnlessOpen({ client, clock, breaker }, request),
    sendWebhook: (request) => sendWebhook({ client, machine, signatureValidityMs }, request),
    close: () => client.close(),
  };
}
