import { onTestFinished } from 'vitest';
import type { PspCredentials } from '../../../src/psp/adapter.ts';
import { createAdyenAdapter } from '../../../src/psp/adyen/adapter.ts';
import type { ChargeRequest } from '../../../src/recovery/psp-ports.ts';
import { startAdyenServer } from '../../kits/psps/adyen-server.ts';
import { type ClosingGateway, closingGateway } from '../conformance.ts';

export const receivedAt = new Date('2026-11-02T09:05:00.000Z');
const clock = { now: () => receivedAt };

/** A running Adyen that ends with its test. */
export async function adyen() {
  const psp = await startAdyenServer();
  onTestFinished(() => psp.close());
  return psp;
}

/** A gateway to an Adyen, which ends with its test. */
export function gatewayTo(
  baseUrl: string,
  credentials: PspCredentials,
  deadlineMs = 5_000,
): ClosingGateway {
  const adapter = createAdyenAdapter({ baseUrl, deadlineMs, clock });
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
  paymentMethodId: 'stored_success',
  pspCustomerId: 'cus_1',
};
