import { describe, expect, it } from 'vitest';
import type { UpliftArm, UpliftGroup } from '../../src/recovery/uplift.ts';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';
import { upliftGroup } from '../kits/uplift-groups.ts';

const groups = (arm: UpliftArm, recovered: number): readonly UpliftGroup[] =>
  Array.from({ length: 25 }, (_, group) => upliftGroup({ arm, group, recovered }));

describe('GET /api/uplift', () => {
  it('gives every arm with its n and the difference, amounts as decimals', async () => {
    const { ask, api } = operatorKit();
    api.uplift = [...groups('learned', 3), ...groups('holdout', 2)];
    const { status, json } = await ask('GET', '/api/uplift');
    expect(status).toBe(200);
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
      },
    ]);
    expect(api.calls.at(-1)?.input).toEqual({});
  });

  it.each([
    ['learned', 'There is no holdout: nothing to compare with.'],
    ['none', 'No payment was planned by a learned policy: nothing to compare.'],
    [undefined, 'No payment failed in this time.'],
  ] as const)('says why nothing is compared where all payments are %s', async (arm, notice) => {
    const { ask, api } = operatorKit();
    api.uplift = arm === undefined ? [] : groups(arm, 1);
    const { json } = await ask('GET', '/api/uplift');
    expect(json.notice).toBe(notice);
    for (const part of json.parts) expect(part).not.toHaveProperty('difference');
  });

  it('passes the time on, and refuses what is none or no merchant', async () => {
    const { ask, api } = operatorKit();
    await ask('GET', '/api/uplift?since=2026-03-01T00:00:00Z&until=2026-04-01T00:00:00Z');
    expect(api.calls.at(-1)?.input).toEqual({
      since: new Date('2026-03-01T00:00:00Z'),
      until: new Date('2026-04-01T00:00:00Z'),
    });
    const reply = await ask('GET', '/api/uplift?since=soon');
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [expect.stringMatching(/^since: /)]]);
    expect((await ask('GET', '/api/uplift?merchant_id=mer_2')).status).toBe(404);
  });
});
