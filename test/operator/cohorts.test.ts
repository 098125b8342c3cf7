import { expect, it } from 'vitest';
import { operatorService } from '../kits/operator-service.ts';
import { minute, seedAttempt, seedPayment } from '../store/reports/seed.ts';

/** Twenty payments of one moment, eight of which came back an hour later, and twelve two days younger. */
async function withPayments() {
  const service = await operatorService();
  const merchantId = await service.merchant();
  for (let n = 0; n < 32; n += 1) {
    const invoiceId = `in_${n}`;
    const isOld = n < 20;
    const isWon = n < 8;
    await seedPayment(service.db, {
      merchantId,
      invoiceId,
      state: isWon ? 'recovered' : 'exhausted',
      failed_at: isOld ? minute(0) : minute(2 * 24 * 60),
      first_decline: { category: n % 2 === 0 ? 'later' : 'technical', code: '51' },
    });
    if (isWon) {
      await seedAttempt(service.db, { merchantId, invoiceId, number: 1, state: 'succeeded' });
    }
  }
  // To the moment four days: the last of them counts as a day that has passed.
  service.clock.at = minute(4 * 24 * 60);
  await service.ask('GET', '/api/cohorts');
  await service.counted();
  return { ...service, merchantId };
}

it('counts what came back by each day, of the payments for which it is over', async () => {
  const { ask, merchantId, merchant } = await withPayments();
  const { json } = await ask('GET', `/api/cohorts?merchant_id=${merchantId}`);
  expect(json.curves).toEqual([
    {
      part: '2026-03',
      payments: 32,
      days: [
        { day: 0, payments: 32, recovered: 8 },
        { day: 1, payments: 32, recovered: 8 },
        // The younger ones are two days old, so that their days 0 and 1 are over.
        { day: 2, payments: 20, recovered: 8 },
        { day: 3, payments: 20, recovered: 8 },
      ],
    },
  ]);
  const other = await ask('GET', `/api/cohorts?merchant_id=${await merchant()}`);
  expect(other.json.curves).toEqual([]);
});

it('parts them by policy and by what the first decline meant, within a time', async () => {
  const { ask } = await withPayments();
  const { curves } = (await ask('GET', '/api/cohorts?by=decline_class')).json;
  expect(
    curves.map(({ part, payments }: { part: string; payments: number }) => [part, payments]),
  ).toEqual([
    ['later', 16],
    ['technical', 16],
  ]);
  const policies = (await ask('GET', '/api/cohorts?by=policy')).json.curves;
  expect(policies.map(({ part }: { part: string }) => part)).toEqual(['none']);
  const young = (await ask('GET', '/api/cohorts?from=2026-03-02T00:00:00Z')).json.curves;
  expect(young[0].payments).toBe(12);
  expect((await ask('GET', '/api/cohorts?by=weather')).status).toBe(400);
});
