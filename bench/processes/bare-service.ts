import { randomFillSync } from 'node:crypto';
import { pooledRandom } from '../../src/app/pooled-random.ts';
import { createRecoveryServer } from '../../src/http/recovery/create-recovery-server.ts';
import type { RecoveryApi } from '../../src/recovery/api.ts';
import { serve } from '../kit/serve.ts';

/**
 * The floor of an acknowledgement: the same route with its authentication, its strict reading and
 * its validation, answering at once: no database, nothing kept.
 */
const apiKey = `rk_test_${'0'.repeat(45)}`;
const unused = (): never => {
  throw new Error('only updates are sent here');
};

const api: RecoveryApi = {
  acceptPaymentMethodUpdate: async ({ uuid }) => ({ uuid, sequence: 1n, partition: 0 }),
  acceptPayment: unused,
  findRequest: unused,
  showPayment: unused,
  listPayments: unused,
  retryPayment: unused,
  stopPayment: unused,
  listEvents: unused,
  redeliverEvent: unused,
};

const server = createRecoveryServer({
  api,
  authenticate: async (key) => (key === apiKey ? { merchantId: 'mer_1', psps: [] } : undefined),
  idempotency: { begin: unused, complete: unused, abandon: unused },
  rateLimit: { perMinute: 100_000_000 },
  clock: { now: () => new Date() },
  random: pooledRandom(randomFillSync),
  log: { debug() {}, error() {} },
});

const calls = {
  async open() {
    return { url: await server.listen({ host: '127.0.0.1', port: 0 }), apiKey };
  },
};
export type BareServiceCalls = typeof calls;

serve(calls, () => server.close());
