import { acceptAnalytics } from './analytics/accept-analytics.ts';
import { acceptBatch } from './analytics/accept-batch.ts';
import { eraseCustomer } from './analytics/erase-customer.ts';
import { showAnalytics } from './analytics/show-analytics.ts';
import type { DisputesEndpoint } from './endpoint.ts';
import { ping } from './ping.ts';

/** Every endpoint that merchants call, in the order of the docs. */
export const disputesEndpoints: readonly DisputesEndpoint[] = [
  acceptAnalytics,
  acceptBatch,
  showAnalytics,
  eraseCustomer,
  ping,
];
