import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPaypalAdapter } from '../../../src/psp/paypal/adapter.ts';
import {
  type PaypalServer,
  paypalCredentials,
  paypalDispute,
  startPaypalServer,
} from '../../kits/psps/paypal-server.ts';
import { describeAcceptance } from '../acceptance-conformance.ts';

const clock = { now: () => new Date('2026-11-02T09:00:01Z') };
let server: PaypalServer;
beforeAll(async () => {
  server = await startPaypalServer();
});
afterAll(() => server.close());

const accountAt = () =>
  createPaypalAdapter({ baseUrl: server.url, deadlineMs: 5_000, clock }).connect(paypalCredentials);

describeAcceptance('PayPal', async () => ({
  account: accountAt(),
  disputes: server.answered,
  hasRecord: true,
}));

it.each([
  [{ status: 'RESOLVED' }, 'RESOLVED'],
  [
    {
      status: 'WAITING_FOR_SELLER_RESPONSE',
      allowed_response_options: { accept_claim: { accept_claim_types: ['REFUND_WITH_RETURN'] } },
    },
    'WAITING_FOR_SELLER_RESPONSE',
  ],
])('a dispute of which PayPal offers no refund is not accepted: %o', async (changes, status) => {
  const { acceptance } = accountAt();
  if (acceptance.kind !== 'api') throw new Error(acceptance.reason);
  const id = 'PP-D-27803';
  server.disputes.set(id, paypalDispute(changes));
  expect(await acceptance.accept({ pspDisputeId: id, attempt: 'chargeback-1' })).toEqual({
    kind: 'failed',
    reason: `PayPal offers no acceptance by a refund now; its status is ${status}`,
  });
  expect(server.written()).not.toContain(`${id}/accept-claim`);
});
