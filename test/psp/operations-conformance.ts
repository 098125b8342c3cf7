import { describe, expect, it } from 'vitest';
import type {
  ChargeRequest,
  ListChargesRequest,
  ListedCharge,
  PspGateway,
  RefundRequest,
} from '../../src/recovery/psp-ports.ts';
import { deadAddress } from './broken-psp.ts';
import type { GatewayUnderTest } from './conformance.ts';

let invoices = 0;

/**
 * What every adapter must do beside charges, by its capabilities: refunds, lists, invoices, what it is
 * told of the money, and a key that comes again with other parameters.
 */
export function describeOperations(
  name: string,
  start: () => Promise<GatewayUnderTest>,
  everyCharge: Partial<ChargeRequest> = {},
): void {
  const chargeOf = (paymentMethodId: string): ChargeRequest => {
    invoices += 1;
    return {
      merchantId: 'mer_operations',
      invoiceId: `in_${invoices}`,
      idempotencyKey: `key-of-in_${invoices}`,
      amountMinor: 1_999,
      currency: 'USD',
      paymentMethodId,
      ...everyCharge,
    };
  };
  describe(`${name} beside its charges`, () => {
    describeRefunds(start, chargeOf);
    describeRecords(start, chargeOf);
  });
}

type Start = () => Promise<GatewayUnderTest>;
type ChargeOf = (paymentMethodId: string) => ChargeRequest;

function describeRefunds(start: Start, chargeOf: ChargeOf): void {
  it('gives a charge back once for one key, where it makes refunds', async () => {
    const { gateway, methods } = await start();
    const refund = await refundOf(gateway, chargeOf(methods.success));
    const first = await gateway.refund(refund);
    if (!gateway.capabilities.refunds) return expect(first).toMatchObject({ kind: 'refused' });
    expect(['refunded', 'pending']).toContain(first.kind);
    const again = await gateway.refund(refund);
    expect(['refunded', 'pending']).toContain(again.kind);
    expect(refundIdOf(again)).toBe(refundIdOf(first));
  });

  it('refuses to give back what was never taken', async () => {
    const { gateway, methods } = await start();
    const refund = await refundOf(gateway, chargeOf(methods.success));
    const result = await gateway.refund({ ...refund, pspTransactionId: 'nothing0of0the0kind' });
    expect(result).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/.+/) });
  });

  it('never says of a refund that it was made while nobody answers', async () => {
    const { gateway, gatewayAt, methods } = await start();
    const refund = await refundOf(gateway, chargeOf(methods.success));
    const dead = gatewayAt(await deadAddress(), 500);
    const { kind } = await dead.refund(refund);
    await dead.close();
    expect(['unknown', 'refused']).toContain(kind);
  });
}

function idsOf(charges: readonly { readonly state: string; readonly pspTransactionId?: string }[]) {
  const paid = charges.filter(({ state }) => state === 'succeeded');
  return paid.map(({ pspTransactionId }) => pspTransactionId).toSorted();
}

function describeRecords(start: Start, chargeOf: ChargeOf): void {
  it('lists a charge that was made, or says that it has no list', async () => {
    const { gateway, methods } = await start();
    const request = chargeOf(methods.success);
    const charged = await gateway.charge(request);
    const page = await gateway.listCharges(everyTime(request));
    if (gateway.capabilities.lists !== 'api') return expect(page).toEqual({ kind: 'unsupported' });
    expect(charged.kind).toBe('succeeded');
    expect(page).toMatchObject({
      kind: 'page',
      charges: expect.arrayContaining([
        expect.objectContaining({ state: 'succeeded', amountMinor: 1_999, currency: 'USD' }),
      ]),
    });
  });

  it('lists each charge once, with its key and its state, page by page', async () => {
    const { gateway, methods } = await start();
    if (gateway.capabilities.lists !== 'api') return;
    const paid = [chargeOf(methods.success), chargeOf(methods.success)];
    const declined = chargeOf(methods.decline);
    const charged = [];
    for (const request of [...paid, declined]) charged.push(await gateway.charge(request));
    const listed: ListedCharge[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await gateway.listCharges({ ...everyTime(declined), ...(cursor && { cursor }) });
      if (page.kind !== 'page') throw new Error(JSON.stringify(page));
      listed.push(...page.charges);
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    const byKey = listed.map(({ idempotencyKey, state }) => [idempotencyKey, state]);
    expect(byKey.toSorted()).toEqual([
      ...paid.map(({ idempotencyKey }) => [idempotencyKey, 'succeeded']).toSorted(),
      [declined.idempotencyKey, 'declined'],
    ]);
    // By its id a second charge of a key is told from the one that is known.
    expect(idsOf(listed)).toEqual(
      idsOf(charged.map((result) => ({ state: result.kind, ...result }))),
    );
  });

  it('has no list for credentials that are refused, and none while nobody answers', async () => {
    const { gateway, refused, gatewayAt, methods } = await start();
    if (gateway.capabilities.lists !== 'api') return;
    const asked = everyTime(chargeOf(methods.success));
    expect(await refused.listCharges(asked)).toMatchObject({ kind: 'unavailable' });
    const dead = gatewayAt(await deadAddress(), 500);
    expect(await dead.listCharges(asked)).toMatchObject({ kind: 'unavailable' });
    await dead.close();
  });

  it('finds no invoice of a charge that was for none', async () => {
    const { gateway, methods } = await start();
    const { pspTransactionId } = await refundOf(gateway, chargeOf(methods.success));
    expect(await gateway.findInvoice({ pspTransactionId })).toEqual({ kind: 'none' });
  });

  it('tells of nothing but the money and the mode that were charged', async () => {
    const { gateway, methods } = await start();
    const request = chargeOf(methods.success);
    const charged = await gateway.charge(request);
    const { capabilities } = gateway;
    const sentAt = new Date('2026-11-02T09:00:00Z');
    const found =
      capabilities.lookUp === 'by_record' ? await gateway.lookUp({ ...request, sentAt }) : charged;
    expect(found).toMatchObject({
      kind: 'succeeded',
      told: { amountMinor: request.amountMinor, currency: request.currency },
    });
    expect(found).not.toMatchObject({ told: { isLive: true } });
  });

  it.each([
    ['amount', { amountMinor: 2_000 }],
    ['currency', { currency: 'EUR' }],
  ])('takes a key that was sent before with another %s for what it was', async (_what, other) => {
    const { gateway, methods, chargesOf } = await start();
    const request = chargeOf(methods.success);
    expect(await gateway.charge(request)).toMatchObject({ kind: 'succeeded' });
    const again = await gateway.charge({ ...request, ...other });
    // A processor that refuses the second says no more; its record does.
    if (again.kind !== 'unknown') {
      const { amountMinor, currency } = request;
      expect(again).toMatchObject({ kind: 'succeeded', told: { amountMinor, currency } });
    }
    expect(await chargesOf(request.invoiceId)).toHaveLength(1);
  });
}

function everyTime({ merchantId }: ChargeRequest): ListChargesRequest {
  const [from, to] = [new Date('2020-01-01T00:00:00Z'), new Date('2100-01-01T00:00:00Z')];
  return { merchantId, from, to };
}

/** The refund of a charge that is made first. */
async function refundOf(gateway: PspGateway, request: ChargeRequest): Promise<RefundRequest> {
  const charged = await gateway.charge(request);
  if (charged.kind !== 'succeeded') throw new Error(`the charge ended ${charged.kind}`);
  const { merchantId, invoiceId, amountMinor, currency } = request;
  const { pspTransactionId } = charged;
  const idempotencyKey = `refund-of-${invoiceId}`;
  return { merchantId, invoiceId, pspTransactionId, amountMinor, currency, idempotencyKey };
}

function refundIdOf(result: Awaited<ReturnType<PspGateway['refund']>>): string | undefined {
  return 'refundId' in result ? result.refundId : undefined;
}
