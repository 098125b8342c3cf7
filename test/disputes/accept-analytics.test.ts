import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { domainNames } from '../../src/app/disputes/analytics.ts';
import { acceptAnalytics } from '../../src/disputes/accept-analytics.ts';
import { paymentIdFields } from '../../src/domain/analytics/analytics.ts';
import { psps } from '../../src/domain/psps.ts';
import { type AnalyticsWorld, openAnalyticsWorld } from '../kits/analytics-world.ts';

let world: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
});
afterAll(() => world.close());

const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .filter((value) => !value.includes('\0'));

/** Few values of each field, so that analytics records differ in one of them now and then. */
const analyticsRecords = fc.record(
  {
    customer_email: fc.constantFrom('a@example.com', 'b@example.com', 'a@example.org'),
    ipv4_address: fc.constantFrom('8.8.4.4', '8.8.8.8'),
    psp: fc.constantFrom(...psps),
    user_agent: fc.oneof(text, fc.constant('x')),
    customer_id: fc.constantFrom('cus_1', 'cus_2'),
    ...Object.fromEntries(paymentIdFields.map((field) => [field, fc.constantFrom('1', '2')])),
    charge_id: fc.constantFrom('1', '2', '3'),
  },
  { requiredKeys: ['customer_email', 'ipv4_address', 'psp', 'charge_id'] },
);

async function accept(body: object, merchantId = world.first.merchantId): Promise<string> {
  const deps = { analytics: world.store, domainNames, clock: world.clock };
  const outcome = await acceptAnalytics(deps, { merchantId, body: body as never });
  if (outcome.kind === 'invalid') throw new Error(JSON.stringify(outcome.detail));
  return outcome.analyticsId;
}

/** An analytics record's content, whatever the order of its fields. */
const contentOf = (body: object) => JSON.stringify(Object.entries(body).sort());

it('analytics records have the same id exactly when they have the same content', async () => {
  const ids = new Map<string, string>();
  await fc.assert(
    fc.asyncProperty(fc.array(analyticsRecords, { minLength: 1, maxLength: 8 }), async (bodies) => {
      const shuffled = bodies.map((body) => Object.fromEntries(Object.entries(body).reverse()));
      const sent = [...bodies, ...shuffled];
      const given = await Promise.all(sent.map((body) => accept(body)));
      for (const [index, body] of sent.entries()) {
        const content = contentOf(body);
        expect(given[index]).toBe(ids.get(content) ?? given[index]);
        ids.set(content, given[index] ?? '');
      }
      expect(new Set(ids.values()).size).toBe(ids.size);
    }),
    { numRuns: 40 },
  );
  const rows = await world.rows('select analytics_id from analytics');
  expect(new Set(rows.map((row) => row.analytics_id))).toEqual(new Set(ids.values()));
  expect(rows).toHaveLength(ids.size);
});

it('what was kept opens as what was sent', async () => {
  await fc.assert(
    fc.asyncProperty(analyticsRecords, async (body) => {
      const { merchantId } = world.second;
      const analyticsId = await accept(body, merchantId);
      const reader = { actor: 'test', reason: 'a test' };
      const at = world.clock.now();
      const data = await world.store.readPersonalData({ merchantId, analyticsId, reader, at });
      expect(data).toEqual({
        customerEmail: body.customer_email,
        ipv4Address: body.ipv4_address,
        ...(body.user_agent === undefined ? {} : { userAgent: body.user_agent }),
      });
    }),
    { numRuns: 40 },
  );
});
