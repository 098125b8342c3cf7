import { describe, expect, it } from 'vitest';
import { upliftJson } from '../../src/operator/uplift/uplift-shape.ts';
import { measureUplift } from '../../src/recovery/admin/measure-uplift.ts';
import type { UpliftArm, UpliftGroup } from '../../src/recovery/uplift.ts';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { upliftGroup, withCompared } from '../kits/uplift-groups.ts';
import { minute, seedPayment } from '../store/reports/seed.ts';

const groups = (arm: UpliftArm, recovered: number): readonly UpliftGroup[] =>
  Array.from({ length: 25 }, (_, group) => upliftGroup({ arm, group, recovered }));

describe('the uplift report', () => {
  it('gives every arm with its n and the difference, amounts as decimals', () => {
    const json = upliftJson(
      measureUplift(withCompared([...groups('learned', 3), ...groups('holdout', 2)])),
      minute(0),
    );
    expect(json.as_of).toBe('2026-03-01T00:00:00.000Z');
    expect(json).not.toHaveProperty('notice');
    const rate = (value: number) => ({ value, low: value, high: value });
    expect(json.parts).toMatchObject([
      {
        currency: 'EUR',
        dimension: 'all',
        part: '',
        arms: [
          {
            arm: 'learned',
            payments: 100,
            recovered: 75,
            failed_amount: 1_000,
            recovered_amount: 750,
            net_amount: 750,
            fees: 0.01,
            figures: { recovered_rate: rate(0.75), fees_per_payment: { value: 0.0001 } },
          },
          { arm: 'holdout', payments: 100, figures: { recovered_rate: rate(0.5) } },
        ],
        difference: { recovered_rate: rate(0.25) },
        verdict: {
          result: 'more',
          learned_payments: 100,
          holdout_payments: 100,
          amount: rate(250),
          rate: rate(0.25),
        },
      },
    ]);
  });

  it.each([
    ['learned', 'There is no holdout: nothing to compare with.'],
    ['none', 'No payment was planned by a learned policy: nothing to compare.'],
    [undefined, 'No payment failed in this time.'],
  ] as const)('says why nothing is compared where all payments are %s', (arm, notice) => {
    const json = upliftJson(measureUplift(arm === undefined ? [] : groups(arm, 1)), minute(0));
    expect(json.notice).toBe(notice);
    for (const part of json.parts) expect(part).not.toHaveProperty('difference');
  });
});

describe('GET /api/uplift', () => {
  it('counts the payments of a merchant that failed in the time', async () => {
    const { ask, db, merchant, counted: summed } = await operatorService();
    const [one, other] = [await merchant(), await merchant()];
    await seedPayment(db, { merchantId: one, invoiceId: 'in_1', failed_at: minute(0) });
    await seedPayment(db, { merchantId: one, invoiceId: 'in_2', failed_at: minute(-60) });
    await seedPayment(db, { merchantId: other, invoiceId: 'in_3', failed_at: minute(0) });
    const counted = async (query: string) => {
      const { json } = await ask('GET', `/api/uplift${query}`);
      const all = json.parts.find((part: { dimension: string }) => part.dimension === 'all');
      return all?.arms.map((arm: { payments: number }) => arm.payments);
    };
    const { json: first } = await ask('GET', '/api/uplift');
    expect(first).toEqual({ notice: expect.stringMatching(/being counted/), parts: [] });
    await summed();
    expect(await counted('')).toEqual([3]);
    expect(await counted(`?merchant_id=${one}`)).toEqual([2]);
    expect(await counted(`?merchant_id=${one}&since=2026-03-01T00:00:00Z`)).toEqual([1]);
    expect(await counted(`?merchant_id=${one}&until=2026-03-01T00:00:00Z`)).toEqual([1]);
    expect((await ask('GET', '/api/uplift?merchant_id=mer_2')).status).toBe(404);
  });

  it('refuses a time that is none', async () => {
    const reply = await operatorKit().ask('GET', '/api/uplift?since=soon');
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [expect.stringMatching(/^since: /)]]);
  });
});
