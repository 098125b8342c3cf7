import { expect, it, onTestFinished } from 'vitest';
import type { AdapterOptions, PspAdapter, PspCredentials } from '../../src/psp/adapter.ts';
import { createAdyenAdapter } from '../../src/psp/adyen/adapter.ts';
import { createBraintreeAdapter } from '../../src/psp/braintree/adapter.ts';
import { createCheckoutAdapter } from '../../src/psp/checkout/adapter.ts';
import { createPaypalAdapter } from '../../src/psp/paypal/adapter.ts';
import { createWorldpayAdapter } from '../../src/psp/worldpay/adapter.ts';
import type { ChargeRequest } from '../../src/recovery/psp-ports.ts';
import { brokenPsp } from './broken-psp.ts';

const at = new Date('2026-11-02T09:00:00Z');
const request: ChargeRequest = {
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  idempotencyKey: 'key-1',
  amountMinor: 500,
  currency: 'EUR',
  paymentMethodId: 'pm_1',
  pspCustomerId: 'cus_1',
};
const refund = { ...request, pspTransactionId: 'ch_1' };

type Adapter = (options: AdapterOptions) => PspAdapter;

const psps: readonly (readonly [string, Adapter, PspCredentials, string])[] = [
  ['Adyen', createAdyenAdapter, { merchant_account: 'm' }, 'api_key is missing.'],
  [
    'Braintree',
    createBraintreeAdapter,
    { merchant_id: 'no/id', public_key: 'p', private_key: 'k' },
    'merchant_id must be letters, digits, - and _ only.',
  ],
  ['Checkout.com', createCheckoutAdapter, {}, 'secret_key'],
  ['PayPal', createPaypalAdapter, {}, 'client_id'],
  ['Worldpay', createWorldpayAdapter, { username: 'u' }, 'username or password is missing.'],
];

it.each(psps)(
  '%s with credentials that cannot be right says so to everything, and sends nothing',
  async (_name, create, credentials, words) => {
    const psp = await brokenPsp((_request, response) => response.end('{}'));
    const adapter = create({ baseUrl: psp.url, deadlineMs: 5_000, clock: { now: () => at } });
    onTestFinished(() => adapter.close());
    const gateway = adapter.connect(credentials);
    const { capabilities, evidence, acceptance } = gateway;
    const check = await gateway.checkCredentials();
    if (check.kind !== 'refused') throw new Error(check.kind);
    const { reason } = check;
    expect(reason).toContain(words);
    expect(gateway.identity).toEqual({ mode: 'unknown' });
    expect(await gateway.refund(refund)).toEqual({ kind: 'refused', reason });
    expect(await gateway.listCharges({ merchantId: 'mer_1', from: at, to: at })).toEqual(
      capabilities.lists === 'api' ? { kind: 'unavailable', reason } : { kind: 'unsupported' },
    );
    expect(gateway.readReport('a,b\n1,2\n')).toEqual({ kind: 'unsupported' });
    expect(await gateway.findInvoice({ pspTransactionId: 'ch_1' })).toEqual(
      capabilities.holdsInvoices ? { kind: 'unknown', reason } : { kind: 'none' },
    );
    const asked = { kind: 'dispute', status: 'lost', pspDisputeId: 'd', paymentIds: [] } as const;
    expect(await gateway.lookUpDispute(asked)).toEqual({ kind: 'unavailable', reason });
    const delivery = { rawBody: Buffer.from('{}'), headers: {}, receivedAt: at };
    expect(await gateway.readWebhook(delivery)).toEqual({ kind: 'unverified', reason });
    const byHand = { kind: 'by_hand', reason: expect.stringMatching(/.{10}/) };
    expect([evidence, acceptance]).toEqual([byHand, byHand]);
    // PayPal charges with no credentials, and so has nothing to look for.
    const charges = capabilities.psp !== 'paypal';
    expect(await gateway.charge(request)).toEqual({
      kind: 'not_made',
      reason: charges ? reason : expect.stringContaining('does not charge'),
    });
    expect(await gateway.lookUp({ ...request, sentAt: at })).toEqual(
      charges ? { kind: 'unknown', reason } : { kind: 'not_found' },
    );
    expect(psp.requests).toEqual([]);
  },
);
