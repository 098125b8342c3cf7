import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/domain/clock.ts';
import type { PspCredentials } from '../../../src/psp/adapter.ts';
import { createBraintreeAdapter } from '../../../src/psp/braintree/adapter.ts';
import { type BraintreeServer, startBraintreeServer } from '../../kits/psps/braintree-server.ts';
import { type ClosingGateway, closingGateway } from '../conformance.ts';

export const clock: Clock = { now: () => new Date('2026-11-02T09:00:00.000Z') };

/** A running test server that ends with its test. */
export async function braintreeServer(now: () => Date = clock.now): Promise<BraintreeServer> {
  const server = await startBraintreeServer(now);
  onTestFinished(() => server.close());
  return server;
}

/** A gateway to a server, which ends with its test. */
export function gatewayTo(
  baseUrl: string,
  credentials: PspCredentials,
  more: { readonly deadlineMs?: number; readonly clock?: Clock } = {},
): ClosingGateway {
  const adapter = createBraintreeAdapter({ baseUrl, deadlineMs: 5_000, clock, ...more });
  const gateway = closingGateway(adapter, credentials);
  onTestFinished(() => gateway.close());
  return gateway;
}
