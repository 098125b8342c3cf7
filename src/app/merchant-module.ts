import { createMerchantClient } from '../merchant/merchant-client.ts';
import { checkMerchantUrl } from '../merchant/outbound/check-merchant-url.ts';
import {
  createMerchantDirectory,
  type MerchantDirectory,
} from '../recovery/admin/merchant-directory.ts';
import { createMerchantRecords, type MerchantRecords } from '../recovery/admin/merchant-records.ts';
import type { CheckMerchantUrl } from '../recovery/admin/ports.ts';
import {
  createEndpointDirectory,
  type EndpointDirectory,
} from '../recovery/endpoints/endpoint-directory.ts';
import type { EndpointStore } from '../recovery/endpoints/endpoint-ports.ts';
import type { MerchantClient } from '../recovery/merchant-ports.ts';
import { createMerchantReads } from '../store/admin/merchant-reads.ts';
import { createEndpointStore } from '../store/endpoints/endpoint-store.ts';
import { createIssuedElsewhere } from '../store/moving/issued-elsewhere.ts';
import { createSealer, type Sealer } from '../store/sealing/sealer.ts';
import type { AppContext, Closable } from './context.ts';
import { traceMerchantClient } from './tracing/trace-merchant-client.ts';

/** Merchants as this process knows them, and the calls to their servers. */
export interface MerchantModule extends Closable {
  readonly sealer: Sealer;
  readonly records: MerchantRecords;
  readonly directory: MerchantDirectory;
  readonly endpoints: EndpointDirectory;
  readonly endpointStore: EndpointStore;
  readonly client: MerchantClient;
  readonly checkUrl: CheckMerchantUrl;
}

export function createMerchantModule(context: AppContext): MerchantModule {
  const {
    config,
    clock,
    db,
    random,
    merchantDatabases: databases,
    keys,
    hashCredential,
    log,
    tracing,
  } = context;
  const sealer = createSealer({ keys, random });
  const reads = createMerchantReads({ databases, sealer });
  const records = createMerchantRecords({ clock, reads });
  const directory = createMerchantDirectory({
    clock,
    records,
    reads,
    hashCredential,
    elsewhere: createIssuedElsewhere({ db, keys, clock, cell: config.databaseSchema }),
    log,
  });
  const endpointStore = createEndpointStore({ db, sealer });
  const endpoints = createEndpointDirectory({ clock, store: endpointStore });
  const shared = {
    clock,
    machine: context.engineTime,
    allow: config.outboundAllow,
    elapsedMs: context.elapsedMs,
    signatureValidityMs: config.webhookSignatureValidityMs,
    ...(tracing !== undefined && { headers: () => tracing.headers() }),
    ...(context.simulated !== undefined && { carrier: context.simulated.carrier }),
  };
  // Two deadlines, so two clients: an attempt holds its payment while it waits, a webhook does not.
  const lookups = createMerchantClient({ ...shared, timeoutMs: config.merchantTimeoutMs });
  const webhooks = createMerchantClient({ ...shared, timeoutMs: config.webhookTimeoutMs });
  return {
    sealer,
    records,
    directory,
    endpoints,
    endpointStore,
    client: traceMerchantClient(tracing, {
      askRetryStatus: (request) => lookups.askRetryStatus(request),
      sendWebhook: (request) => webhooks.sendWebhook(request),
    }),
    checkUrl: (url) => checkMerchantUrl({ allow: config.outboundAllow }, url),
    async close() {
      await Promise.all([lookups.close(), webhooks.close()]);
      await directory.idle();
    },
  };
}
