import { dayMs } from '../../src/domain/clock.ts';
import type { FakeMerchant } from './fake-merchant.ts';
import type { StripeServer } from './psps/stripe-server.ts';
import { call, createMerchant, expectStatus, operatorApi, serviceNow } from './service-calls.ts';
import type { ServiceEntries } from './service-entries.ts';

/** A merchant at Stripe, and a way to report its disputes, each of which is open there too. */
export async function disputedMerchant(
  service: ServiceEntries,
  parts: { readonly stripe: StripeServer; readonly server: FakeMerchant; readonly name?: string },
) {
  const { stripe, server, name = 'Acme' } = parts;
  const psps = [{ psp: 'stripe' as const, ...stripe.credentials }];
  const { merchantId } = await createMerchant(service, server, { name, psps });
  const issued = await expectStatus(
    operatorApi(service).post(`/api/merchants/${merchantId}/credentials`, {
      kind: 'disputes_password',
    }),
    201,
  );
  const password = Buffer.from(`${merchantId}:${issued.text}`).toString('base64');
  const ask = (method: string, path: string, body?: unknown) =>
    call(`${service.disputesUrl}${path}`, {
      method,
      headers: { authorization: `Basic ${password}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  /** The id of a chargeback of 49 euros that has to be answered within nine days. */
  async function dispute(pspDisputeId: string, changes: object = {}): Promise<string> {
    stripe.world.disputes.open(pspDisputeId);
    const now = await serviceNow(service);
    const reported = await expectStatus(
      ask('POST', '/v1/disputes', {
        psp: 'stripe',
        psp_dispute_id: pspDisputeId,
        kind: 'dispute',
        stage: 'chargeback',
        status: 'needs_response',
        network: 'visa',
        reason_code: '10.4',
        occurred_at: now.toISOString(),
        opened_at: now.toISOString(),
        respond_by: new Date(now.getTime() + 9 * dayMs).toISOString(),
        amount: 49,
        currency: 'EUR',
        charge_id: `ch_of_${pspDisputeId}`,
        ...changes,
      }),
      200,
    );
    return reported.id as string;
  }
  return { merchantId, ask, dispute };
}
