import { onTestFinished } from 'vitest';
import type { PspCredentials } from '../../../src/psp/adapter.ts';
import { createCheckoutAdapter } from '../../../src/psp/checkout/adapter.ts';
import { type CheckoutServer, startCheckoutServer } from '../../kits/psps/checkout-server.ts';
import { type ClosingGateway, closingGateway } from '../conformance.ts';

const clock = { now: () => new Date('2026-11-02T09:00:00.000Z') };

/** A running test server that ends with its test. */
export async function checkoutServer(
  options: Parameters<typeof startCheckoutServer>[0] = {},
): Promise<CheckoutServer> {
  const server = await startCheckoutServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** A gateway to a server, which ends with its test. */
export function gatewayTo(
  baseUrl: string,
  credentials: PspCredentials,
  deadlineMs = 5_000,
): ClosingGateway {
  const adapter = createCheckoutAdapter({ baseUrl, deadlineMs, clock });
  const gateway = closingGateway(adapter, credentials);
  onTestFinished(() => gateway.close());
  return gateway;
}
