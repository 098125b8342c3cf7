import { expect, it } from 'vitest';
import { disputeOf } from '../../kits/dispute-cases.ts';
import { operatorService } from '../../kits/operator-service.ts';
import { putMove } from '../../kits/put-move.ts';
import { minute, seedAttempt, seedPayment } from '../../store/reports/seed.ts';

/** What adds merchants up, or lists them beside each other. */
const reports = [
  '/api/overview',
  '/api/retry-map',
  '/api/cohorts',
  '/api/uplift',
  '/api/experiments',
  '/api/recovery',
  '/api/dispute-outcomes',
  '/api/dispute-ratios',
  '/api/disputes',
  '/api/disputes?order=deadline',
  '/api/payments',
  '/api/endpoints',
] as const;

/** Two merchants, each with a payment that was recovered, and is disputed, and others that were not. */
async function twoMerchants() {
  const service = await operatorService();
  const { db, clock } = service;
  const policy = { kind: 'learned', holdout_share: 0.2, learned_share: 0.8 };
  const [leaver, stayer] = [await service.merchant({ policy }), await service.merchant({ policy })];
  for (const merchantId of [leaver, stayer]) {
    const of = { merchantId, invoiceId: 'in_1' };
    await seedPayment(db, { ...of, state: 'recovered', decision: { arm: 'learned' } });
    await seedAttempt(db, { ...of, number: 1, sequence: 1, state: 'succeeded' });
    // A curve of fewer is not drawn.
    for (let n = 1; n <= 30; n += 1) {
      const lost = { merchantId, invoiceId: `in_lost_${n}`, state: 'exhausted' };
      await seedPayment(db, { ...lost, decision: { arm: 'learned' } });
    }
    const dispute = disputeOf({
      pspDisputeId: `dp_of_${merchantId}`,
      paymentIds: ['ch_att_in_1_1'],
      openedAt: minute(60),
      money: { amountMinor: 700, currency: 'EUR' },
      // So late that nothing alerts of it.
      respondBy: minute(100_000),
    });
    const occurredAt = minute(60);
    await service.ingestDispute({ merchantId, psp: 'sandbox', dispute, occurredAt });
  }
  clock.at = new Date('2026-03-11T00:00:00Z');
  await service.ask('GET', '/api/overview');
  await service.counted();
  const one = (path: string, id: string) =>
    `${path}${path.includes('?') ? '&' : '?'}merchant_id=${id}`;
  return {
    ...service,
    leaver,
    stayer,
    /** What each report answers, of one merchant or of all. */
    async answers(id?: string) {
      const found: Record<string, unknown> = {};
      for (const path of reports) {
        const { status, json } = await service.ask('GET', id === undefined ? path : one(path, id));
        expect([path, status]).toEqual([path, 200]);
        found[path] = json;
      }
      return found;
    },
  };
}

it('a merchant that has moved to another cell is in no sum and no list of the one that it left', async () => {
  const { answers, db, leaver, stayer } = await twoMerchants();
  const [both, gone, left] = [await answers(), await answers(leaver), await answers(stayer)];
  for (const path of reports) expect([path, both[path]]).not.toEqual([path, left[path]]);
  // On its way it is here, and once it came back too.
  for (const state of ['fenced', 'cleared'] as const) {
    await putMove(db, leaver, state);
    expect(await answers()).toEqual(both);
  }
  await putMove(db, leaver, 'moved');
  expect(await answers()).toEqual(left);
  // By its name its history is read here until it is removed.
  expect(await answers(leaver)).toEqual(gone);
});

it('a cell that nobody is left in counts nothing', async () => {
  const { answers, db, leaver, stayer } = await twoMerchants();
  for (const id of [leaver, stayer]) await putMove(db, id, 'moved');
  expect(await answers()).toMatchObject({
    '/api/overview': { currencies: [] },
    '/api/recovery': { items: [] },
    '/api/disputes': { items: [] },
    '/api/payments': { items: [] },
    '/api/endpoints': { items: [] },
  });
});

it('whoever sees some merchants alone is shown those of them that are here', async () => {
  const { ask, server, db, leaver, stayer, merchant } = await twoMerchants();
  const other = await merchant();
  await putMove(db, leaver, 'moved');
  const person = { name: 'K. Ito', role: 'viewer', merchants: [leaver, stayer] };
  const { id } = (await ask('POST', '/api/operators', person)).json;
  const token = (await ask('POST', `/api/operators/${id}/tokens`)).json.text;
  const whose = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const { items } = (await server.inject({ method: 'GET', url: path, headers })).json();
    return [...new Set(items.map((item: { merchant_id: string }) => item.merchant_id))];
  };
  for (const path of ['/api/disputes', '/api/payments', '/api/recovery', '/api/endpoints']) {
    expect([path, await whose(path)]).toEqual([path, [stayer]]);
  }
  expect(other).not.toBe(stayer);
});

it('the search finds what is here of one that has moved', async () => {
  const { ask, db, leaver, stayer } = await twoMerchants();
  await putMove(db, leaver, 'moved');
  const { items } = (await ask('GET', '/api/payments?search=in_1')).json;
  const found = items.map((item: { merchant_id: string }) => item.merchant_id);
  expect(found.toSorted()).toEqual([leaver, stayer].toSorted());
});
