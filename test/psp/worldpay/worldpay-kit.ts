import { onTestFinished } from 'vitest';
import type { PspCredentials } from '../../../src/psp/adapter.ts';
import { createWorldpayAdapter } from '../../../src/psp/worldpay/adapter.ts';
import type { ChargeRequest, LookUpRequest } from '../../../src/recovery/psp-ports.ts';
import { startWorldpayServer } from '../../kits/psps/worldpay-server.ts';
import { type ClosingGateway, closingGateway } from '../conformance.ts';

/** An hour after the charges of the suites were sent: the record is complete. */
export const now = new Date('2026-11-02T10:00:00.000Z');

/** A running Worldpay that ends with its test. */
export async function worldpay(theirNow: () => Date = () => now, maxPageSize?: number) {
  const psp = await startWorldpayServer(theirNow, maxPageSize);
  onTestFinished(() => psp.close());
  return psp;
}

/** A gateway to a Worldpay, which ends with its test. */
export function gatewayTo(
  baseUrl: string,
  credentials: PspCredentials,
  deadlineMs = 5_000,
): ClosingGateway {
  const adapter = createWorldpayAdapter({ baseUrl, deadlineMs, clock: { now: () => now } });
  const gateway = closingGateway(adapter, credentials);
  onTestFinished(() => gateway.close());
  return gateway;
}

export const request: ChargeRequest = {
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  idempotencyKey: 'key-1',
  amountMinor: 500,
  currency: 'EUR',
  paymentMethodId: 'tok_success',
};

export const sought: LookUpRequest = { ...request, sentAt: new Date('2026-11-02T09:00:00.000Z') };
