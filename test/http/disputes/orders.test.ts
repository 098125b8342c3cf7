import { afterAll, beforeAll, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { type AnalyticsWorld, openAnalyticsWorld } from '../../kits/analytics-world.ts';
import { reportCharges } from '../../kits/charges.ts';

let world: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
  const id = await world.submit({
    customer_email: 'jane@example.com',
    ipv4_address: '8.8.4.4',
    psp: 'stripe',
    user_agent: 'Mozilla/5.0',
    charge_id: 'ch_1',
  });
  await world.rows('update analytics set captured_at = $2 where analytics_id = $1', [
    id,
    addMs(world.clock.now(), -300 * dayMs),
  ]);
  await reportCharges(world, [
    { charge: 'ch_1', invoice: 'in_1', daysAgo: 300 },
    { charge: 'ch_2', invoice: 'in_2', daysAgo: 270 },
    { charge: 'ch_two', invoice: 'in_a', daysAgo: 100, method: 'pm_2', subscription: 'sub_2' },
    { charge: 'ch_too', invoice: 'in_b', daysAgo: 100, method: 'pm_2', subscription: 'sub_3' },
    { charge: 'ch_bare', invoice: 'in_c', daysAgo: 50, method: 'pm_3', subscription: 'sub_4' },
    {
      ...{ charge: 'ch_older', invoice: 'in_d', daysAgo: 70, method: 'pm_4' },
      ...{ subscription: 'sub_5', begunDaysAgo: 900 },
    },
  ]);
  await world.rows(`update payment_methods set bin = '42424242'`);
});
afterAll(() => world.close());

const dayAgo = (days: number) =>
  new Date(world.clock.now().getTime() - days * dayMs).toISOString().slice(0, 10);

async function lookUp(changes: object, headers: Record<string, string> = {}) {
  const body = { card_bin: '424242', amount: 49, currency: 'EUR', ...changes };
  const { status, text } = await world.call('POST', '/v1/orders/lookup', body, headers);
  return { status, json: JSON.parse(text) };
}

it("finds a renewal's order with the checkout that began it, and the audit log says so", async () => {
  const asked = { transaction_date: dayAgo(269), card_last4: '4242' };
  expect(await lookUp(asked)).toMatchObject({
    status: 200,
    json: {
      result: 'found',
      not_compared: ['card_last4'],
      order: {
        charge_id: 'ch_2',
        product: 'pro_monthly',
        is_renewal: true,
        checkout: {
          is_inherited: true,
          customer_email: 'jane@example.com',
          ipv4_address: '8.8.4.4',
          user_agent: 'Mozilla/5.0',
        },
      },
    },
  });
  const lines = await world.rows(
    `select actor, detail ->> 'reason' as reason from audit_log where action = 'analytics.read'`,
  );
  expect(lines).toEqual([{ actor: 'merchant', reason: 'order look-up' }]);
});

it('calls the first charge that is known of an older subscription a renewal', async () => {
  expect(await lookUp({ transaction_date: dayAgo(70) })).toMatchObject({
    json: { result: 'found', order: { charge_id: 'ch_older', is_renewal: true } },
  });
});

it('finds an order whose checkout nobody captured', async () => {
  expect(await lookUp({ transaction_date: dayAgo(50) })).toMatchObject({
    status: 200,
    json: { result: 'found', order: { charge_id: 'ch_bare', is_renewal: false } },
  });
});

it('tells of none where several fit', async () => {
  expect(await lookUp({ transaction_date: dayAgo(100) })).toEqual({
    status: 200,
    json: { result: 'ambiguous', not_compared: [] },
  });
});

it.each([
  ['another amount', { amount: 48 }],
  ['another currency', { currency: 'USD' }],
  ['another card', { card_bin: '555555' }],
  ['another day', { transaction_date: '2020-01-01' }],
])('finds none for %s', async (_name, changes) => {
  const { json } = await lookUp({ transaction_date: dayAgo(270), ...changes });
  expect(json).toEqual({ result: 'none', not_compared: [] });
});

it("finds none of another merchant's", async () => {
  const { authorization } = world.second;
  const { json } = await lookUp({ transaction_date: dayAgo(270) }, { authorization });
  expect(json.result).toBe('none');
});

it.each(['2026-02-31', '2026-02-29', '2026-06-31', '0001-01-01'])(
  'refuses a day that no calendar has, or that is before all payments: %s',
  async (transaction_date) => {
    const { status, json } = await lookUp({ transaction_date });
    const [msg, type] = ['Input should be a day such as 2026-06-01', 'value_error'];
    expect([status, json.detail]).toEqual([
      422,
      [{ loc: ['body', 'transaction_date'], msg, type }],
    ]);
  },
);

it('refuses what is no day, no BIN and no amount', async () => {
  const { status, json } = await lookUp({ transaction_date: 'x', card_bin: '42', amount: 1.005 });
  expect(status).toBe(422);
  expect(json.detail).toHaveLength(3);
});
