import { randomFillSync } from 'node:crypto';
import { pino } from 'pino';
import { pooledRandom } from '../../src/app/pooled-random.ts';
import { credentialScopes } from '../../src/domain/access/scopes.ts';
import { newKeyText } from '../../src/domain/key-text.ts';
import { createRecoveryServer } from '../../src/http/recovery/create-recovery-server.ts';
import { merchantOpenApi } from '../../src/merchant/open-api/merchant-open-api.ts';
import { createMetrics } from '../../src/metrics.ts';
import { createMerchantDirectory } from '../../src/recovery/admin/merchant-directory.ts';
import type { RecoveryApi } from '../../src/recovery/api.ts';
import { credentialHasher } from '../../src/store/sealing/encryption-key.ts';
import { serve } from '../kit/serve.ts';
import { unbounded } from '../kit/unbounded.ts';

/**
 * The floor of an acknowledgement: the same route with its authentication, its strict reading, its
 * validation and its measuring, answering at once: no database, nothing kept.
 */
const random = pooledRandom(randomFillSync);
const clock = { now: () => new Date() };
const apiKey = newKeyText(random, 'rk_test');
const unused = (): never => {
  throw new Error('only updates are sent here');
};

const api: RecoveryApi = {
  acceptPaymentMethodUpdate: async ({ uuid }) => ({ uuid, number: 1n, partition: 0 }),
  acceptPayment: unused,
  findRequest: unused,
  showPayment: unused,
  listPayments: unused,
  retryPayment: unused,
  stopPayment: unused,
  listEvents: unused,
  redeliverEvent: unused,
  findStatement: unused,
  listStatements: unused,
  showCustomerLink: unused,
  noteCustomerVisit: unused,
  noteCustomerOutcome: unused,
  createPortalLink: unused,
  revokePortalLinks: unused,
  noteBounce: unused,
};

const hashCredential = credentialHasher(new Uint8Array(32));
const directory = createMerchantDirectory({
  clock,
  hashCredential,
  records: { find: unused, forget: unused },
  reads: {
    findApiKey: async (hash) =>
      hash === hashCredential(apiKey)
        ? {
            merchantId: 'mer_1',
            credentialId: 'cred_1',
            psps: ['sandbox'],
            scopes: credentialScopes,
          }
        : undefined,
    findDisputesPassword: unused,
    noteUse: async () => undefined,
  },
  log: { warn() {} },
});
const metrics = createMetrics();

const server = createRecoveryServer({
  merchantOpenApi,
  stopMessages: unused,
  operatorUrl: unused,
  api,
  authenticate: (key) => directory.authenticateApiKey(key),
  idempotency: { begin: unused, complete: unused, abandon: unused },
  hosts: [],
  bounds: unbounded,
  clock,
  random,
  log: pino({ level: 'warn' }, pino.destination({ fd: 2, sync: true })),
  onRequest: (sample) => metrics.observeRequest({ api: 'recovery', ...sample }),
});

const calls = {
  async open() {
    return { url: await server.listen({ host: '127.0.0.1', port: 0 }), apiKey };
  },
};
export type BareServiceCalls = typeof calls;

serve(calls, () => server.close());
