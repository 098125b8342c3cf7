import { randomFillSync } from 'node:crypto';
import { pino } from 'pino';
import { domainNames } from '../../src/app/disputes/analytics.ts';
import { pooledRandom } from '../../src/app/pooled-random.ts';
import { acceptAnalytics } from '../../src/disputes/accept-analytics.ts';
import { credentialScopes } from '../../src/domain/access/scopes.ts';
import { newKeyText } from '../../src/domain/key-text.ts';
import { createDisputesServer } from '../../src/http/disputes/create-disputes-server.ts';
import { createMetrics, observeRequests } from '../../src/metrics.ts';
import { createMerchantDirectory } from '../../src/recovery/admin/merchant-directory.ts';
import { actAs } from '../../src/store/admin/acting.ts';
import { credentialHasher } from '../../src/store/sealing/encryption-key.ts';
import { serve } from '../kit/serve.ts';
import { unbounded } from '../kit/unbounded.ts';

/**
 * The floor of an analytics record: the same route with its authentication, its validation and its
 * measuring, answering at once: nothing sealed, nothing hashed, nothing kept.
 */
const random = pooledRandom(randomFillSync);
const clock = { now: () => new Date() };
const password = newKeyText(random, 'dp');
const unused = (): never => {
  throw new Error('only analytics records are sent here');
};

const hashCredential = credentialHasher(new Uint8Array(32));
const directory = createMerchantDirectory({
  clock,
  hashCredential,
  records: { find: unused, forget: unused },
  reads: {
    findApiKey: unused,
    findDisputesPassword: async (hash) =>
      hash === hashCredential(password)
        ? { merchantId: 'mer_1', credentialId: 'cred_1', scopes: credentialScopes }
        : undefined,
    noteUse: async () => undefined,
  },
  log: { warn() {} },
});
const analytics = { append: async () => 'ana_4c1vbz7p0x9k2m5n8q3r6t0w' };
const metrics = createMetrics();

const server = createDisputesServer({
  actAs,
  analytics: {
    accept: (input) => acceptAnalytics({ analytics, domainNames, clock }, input),
    show: unused,
    eraseCustomer: unused,
  },
  disputes: { report: unused, list: unused, show: unused, confirmMatch: unused },
  answers: {
    packet: unused,
    pdf: unused,
    state: unused,
    rebuttal: unused,
    writeRebuttal: unused,
    attach: unused,
    attachments: unused,
    removeAttachment: unused,
    readAttachment: unused,
    lookUpOrder: unused,
    obstacle: unused,
    submit: unused,
    answer: unused,
    accept: unused,
    acceptObstacle: unused,
  },
  authenticate: (merchantId, text) => directory.authenticateDisputes(merchantId, text),
  webhooks: { isConnected: unused, ingest: unused },
  hosts: [],
  bounds: { ...unbounded, webhooksPerMinute: 100_000_000 },
  clock,
  random,
  log: pino({ level: 'warn' }, pino.destination({ fd: 2, sync: true })),
  countWebhook: unused,
});
observeRequests(metrics, server, 'disputes');

const calls = {
  async open() {
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    return { url, credentials: `mer_1:${password}` };
  },
};
export type BareAnalyticsCalls = typeof calls;

serve(calls, () => server.close());
