import { describe, expect, it } from 'vitest';
import { hourMs } from '../../../src/domain/clock.ts';
import type { LookUpRequest } from '../../../src/recovery/psp-ports.ts';
import { restrictedKey } from '../../kits/psps/stripe/keys.ts';
import { brokenPsp } from '../broken-psp.ts';
import { gatewayTo, openGateway, sentAt, serverTime, stripe, testClock } from './stripe-kit.ts';

const request: LookUpRequest = {
  merchantId: 'mer_1',
  invoiceId: 'inv_1',
  idempotencyKey: 'att_1-0',
  sentAt,
  amountMinor: 1_999,
  currency: 'USD',
  paymentMethodId: 'pm_lost_success',
};

describe('the record of a customer', () => {
  it('is read by the customer of the payment method where none is named', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
    expect(await gateway.lookUp(request)).toMatchObject({ kind: 'succeeded' });
    const paths = server.requests.map(({ path }) => path);
    expect(paths.some((path) => path.includes('customer=cus_1'))).toBe(true);
    expect(paths.some((path) => path.includes('search'))).toBe(false);
  });

  it('is read page by page', async () => {
    const server = await stripe();
    const gateway = gatewayTo(server);
    await gateway.charge(request);
    const later = { amount: 1, currency: 'usd', customer: 'cus_1', methodId: null, metadata: {} };
    for (let made = 0; made < 250; made += 1) server.world.makeIntent(later);
    expect(await gateway.lookUp(request)).toMatchObject({ kind: 'succeeded' });
    const never = { ...request, idempotencyKey: 'att_never-0' };
    expect(await gateway.lookUp(never)).toEqual({ kind: 'not_found' });
    for (let made = 0; made < 800; made += 1) server.world.makeIntent(later);
    expect(await gateway.lookUp(never)).toMatchObject({ kind: 'unknown' });
  });

  it('goes no further back than a day before the charge, by the clock of Stripe', async () => {
    const clock = testClock();
    const server = await stripe(clock);
    const earlier = { amount: 1, currency: 'usd', customer: 'cus_1', methodId: null, metadata: {} };
    clock.set(new Date(serverTime.getTime() - 48 * hourMs));
    for (let made = 0; made < 1_100; made += 1) server.world.makeIntent(earlier);
    clock.set(serverTime);
    const ahead = new Date(serverTime.getTime() + 999 * hourMs);
    const gateway = gatewayTo(server, { clock: { now: () => ahead } });
    const late = { ...request, sentAt: ahead };
    expect(await gateway.lookUp(late)).toEqual({ kind: 'not_found' });
    expect(server.requests.filter(({ path }) => path.includes('payment_intents'))).toHaveLength(1);
  });

  it.each([
    ['ten seconds', 10_000],
    ['ten minutes', 600_000],
    ['ten days', 240 * hourMs],
  ])('has the charge though our clock is %s ahead', async (_what, aheadMs) => {
    const server = await stripe();
    const ahead = new Date(serverTime.getTime() + aheadMs);
    const gateway = gatewayTo(server, { clock: { now: () => ahead } });
    expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
    expect(await gateway.lookUp({ ...request, sentAt: ahead })).toMatchObject({
      kind: 'succeeded',
    });
    expect(server.charges().filter(({ succeeded }) => succeeded)).toHaveLength(1);
  });

  it('settles by the paid intent where a forgotten key was used twice', async () => {
    const clock = testClock();
    const server = await stripe(clock);
    const gateway = gatewayTo(server);
    const paid = await gateway.charge({ ...request, paymentMethodId: 'pm_success' });
    clock.set(new Date(serverTime.getTime() + 25 * hourMs));
    await gateway.charge({ ...request, paymentMethodId: 'pm_decline' });
    expect(await gateway.lookUp(request)).toEqual(paid);
  });

  it.each([
    ['pm_lost_success', 'succeeded'],
    ['pm_decline', 'declined'],
  ])('tells the amount of an intent, whatever it was asked for: %s', async (method, kind) => {
    const gateway = gatewayTo(await stripe());
    const made = { ...request, paymentMethodId: method };
    await gateway.charge(made);
    expect(await gateway.lookUp({ ...made, amountMinor: 2_000 })).toMatchObject({
      kind,
      told: { amountMinor: 1_999, currency: 'USD' },
    });
  });

  it('tells nothing of a charge that is still pending', async () => {
    const gateway = gatewayTo(await stripe());
    const pending = { ...request, paymentMethodId: 'pm_processing' };
    expect(await gateway.charge(pending)).toMatchObject({ kind: 'unknown' });
    expect(await gateway.lookUp(pending)).toMatchObject({ kind: 'unknown' });
  });

  it('is not empty because it could not be read', async () => {
    const server = await stripe();
    const key = restrictedKey('payment_method_read');
    const gateway = gatewayTo(server, { credentials: { secret_key: key } });
    expect(await gateway.lookUp(request)).toEqual({
      kind: 'unknown',
      reason:
        'Stripe answered HTTP 403 invalid_request_error, the key lacks rak_payment_intent_read',
    });
  });

  it('is not empty because it does not look like a list', async () => {
    const psp = await brokenPsp((_request, response) => response.end('{"data":[]}'));
    const gateway = openGateway(psp.url, { credentials: { secret_key: 'sk_test_1' } });
    expect(await gateway.lookUp({ ...request, pspCustomerId: 'cus_1' })).toMatchObject({
      kind: 'unknown',
    });
    await gateway.close();
  });
});

describe('the search', () => {
  const unowned = {
    ...request,
    paymentMethodId: 'pm_lost_success_of_nobody',
    idempotencyKey: 'att_2-0',
  };

  it('finds the charge of a payment method that belongs to nobody', async () => {
    const gateway = gatewayTo(await stripe());
    await gateway.charge(unowned);
    expect(await gateway.lookUp(unowned)).toMatchObject({ kind: 'succeeded' });
  });

  it('is asked past a thousand intents, and its lag is minded', async () => {
    const clock = testClock();
    const server = await stripe(clock);
    const gateway = gatewayTo(server, { clock });
    const other = { amount: 1, currency: 'usd', customer: null, methodId: null, metadata: {} };
    for (let made = 0; made < 1_100; made += 1) server.world.makeIntent(other);
    for (const paymentMethodId of ['pm_success_of_nobody', 'pm_that_is_not_there']) {
      clock.set(serverTime);
      expect(await gateway.lookUp({ ...unowned, paymentMethodId })).toMatchObject({
        kind: 'unknown',
      });
      clock.set(new Date(sentAt.getTime() + hourMs + 1));
      expect(await gateway.lookUp({ ...unowned, paymentMethodId })).toEqual({ kind: 'not_found' });
    }
  });
});
