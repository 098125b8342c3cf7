import { expect, it } from 'vitest';
import type { ReportedDispute } from '../../src/domain/disputes/reported-dispute.ts';
import { disputedAt, disputeOf } from '../kits/dispute-cases.ts';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';

/** A merchant, and a way to tell of its disputes. */
async function withMerchant() {
  const service = await operatorService();
  service.clock.at = new Date('2026-06-10T00:00:00Z');
  const merchantId = await service.merchant();
  const tell = async (changes: Partial<ReportedDispute>) => {
    const dispute = disputeOf(changes);
    await service.ingestDispute({ merchantId, psp: 'sandbox', dispute, occurredAt: disputedAt });
  };
  return { ...service, merchantId, tell };
}

it('lists disputes of every merchant with the days that are left', async () => {
  const { ask, merchantId, tell } = await withMerchant();
  await tell({});
  await tell({ pspDisputeId: 'dp_lost', status: 'lost' } as Partial<ReportedDispute>);
  const query = 'status=needs_response&due_before=2026-07-01T00:00:00Z&limit=2';
  const { status, json } = await ask('GET', `/api/disputes?${query}`);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    items: [
      { merchant_id: merchantId, psp_dispute_id: 'dp_1', state: 'needs_response', days_left: 5 },
    ],
  });
  const first = await ask('GET', '/api/disputes?limit=1');
  const next = await ask('GET', `/api/disputes?limit=1&cursor=${first.json.next_cursor}`);
  expect(new Set([first.json.items[0].id, next.json.items[0].id]).size).toBe(2);
  expect((await ask('GET', '/api/disputes?merchant_id=a%00b')).status).toBe(400);
});

it('shows one with its history, by its id alone', async () => {
  const { ask, merchantId, tell } = await withMerchant();
  await tell({});
  const { id } = (await ask('GET', '/api/disputes')).json.items[0];
  const { status, json } = await ask('GET', `/api/disputes/${id}`);
  expect([status, json]).toMatchObject([
    200,
    {
      merchant_id: merchantId,
      id,
      history: [{ state: 'needs_response' }],
      obstacle: { kind: 'by_hand', message: expect.stringContaining('by hand') },
    },
  ]);
  expect((await ask('GET', '/api/disputes/dis_none')).status).toBe(404);
  expect((await ask('GET', '/api/disputes/dis_none/evidence')).status).toBe(404);
});

const undated = { respondBy: undefined, network: undefined } as unknown as Partial<ReportedDispute>;

it('lists by deadline those that await an answer, and none of another status', async () => {
  const { ask, tell } = await withMerchant();
  const day = 86_400_000;
  for (const [pspDisputeId, days] of [
    ['dp_late', 20],
    ['dp_soon', 8],
  ] as const) {
    await tell({ pspDisputeId, respondBy: new Date(disputedAt.getTime() + days * day) });
  }
  const { json } = await ask('GET', '/api/disputes?order=deadline&limit=2');
  expect(json.items.map((item: { psp_dispute_id: string }) => item.psp_dispute_id)).toEqual([
    'dp_soon',
    'dp_late',
  ]);
  const at = new Date(disputedAt.getTime() + 20 * day).toISOString();
  const later = await ask('GET', `/api/disputes?order=deadline&due_from=${at}`);
  expect(later.json.items).toMatchObject([{ psp_dispute_id: 'dp_late' }]);
  // Those whose date nobody told come last, from one page to the next.
  for (const pspDisputeId of ['dp_undated', 'dp_undated_too']) {
    await tell({ ...undated, pspDisputeId });
  }
  await tell({ ...undated, pspDisputeId: 'dp_undated_over', status: 'lost' });
  const paged: string[] = [];
  for (let cursor = ''; paged.length < 9; ) {
    const page = (await ask('GET', `/api/disputes?order=deadline&limit=1${cursor}`)).json;
    paged.push(...page.items.map((item: { psp_dispute_id: string }) => item.psp_dispute_id));
    if (page.next_cursor === undefined) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  expect(paged.slice(0, 2)).toEqual(['dp_soon', 'dp_late']);
  expect(paged.slice(2).toSorted()).toEqual(['dp_undated', 'dp_undated_too']);
  const due = await ask('GET', `/api/disputes?order=deadline&due_before=${at}`);
  expect(due.json.items).toMatchObject([{ psp_dispute_id: 'dp_soon' }]);
  const unordered = await ask('GET', `/api/disputes?due_from=${at}`);
  expect(fieldsOf(unordered)).toEqual(['due_from: Needs order=deadline']);
  const refused = await ask('GET', '/api/disputes?order=deadline&status=won');
  expect([refused.status, fieldsOf(refused)]).toEqual([
    400,
    ['status: Only disputes that need an answer have a deadline'],
  ]);
});

it('takes a match that a person confirms, of a dispute and a record that are there', async () => {
  const { ask, merchantId, tell } = await withMerchant();
  await tell({});
  const { id } = (await ask('GET', '/api/disputes')).json.items[0];
  const match = (disputeId: string) =>
    ask('POST', `/api/merchants/${merchantId}/disputes/${disputeId}/match`, {
      analytics_id: 'ana_1',
    });
  const [ofNone, withNone] = [await match('dis_none'), await match(id)];
  expect([ofNone.status, ofNone.json.error.message]).toEqual([
    404,
    expect.stringContaining('no dispute with this id'),
  ]);
  expect([withNone.status, withNone.json.error.message]).toEqual([
    404,
    expect.stringContaining('no analytics record with this id'),
  ]);
});

it('refuses a status that is none and a day for a time', async () => {
  const reply = await operatorKit().ask('GET', '/api/disputes?status=x&due_before=2026-07-01');
  expect(reply.status).toBe(400);
  expect(fieldsOf(reply)).toHaveLength(2);
});

it('keeps a rebuttal for whoever may answer disputes, and says where it goes', async () => {
  const { ask, merchantId, tell, db } = await withMerchant();
  await tell({});
  const { id } = (await ask('GET', '/api/disputes')).json.items[0];
  const path = `/api/merchants/${merchantId}/disputes/${id}/rebuttal`;
  const none = { limit: 20_000, goes_to: 'It goes to the PDF of the evidence.', is_sent: false };
  expect((await ask('GET', path)).json).toEqual(none);
  expect((await ask('PUT', path, { text: 'Dear bank,\r\nno.' })).status).toBe(204);
  expect((await ask('GET', path)).json).toEqual({ ...none, text: 'Dear bank,\nno.' });
  const { json } = await ask('GET', `/api/disputes/${id}/evidence`);
  expect(json.content.rebuttal).toBe('Dear bank,\nno.');
  const tooLong = await ask('PUT', path, { text: 'x\n'.repeat(401) });
  expect([tooLong.status, fieldsOf(tooLong)]).toEqual([
    400,
    ['text: A rebuttal may have at most 400 lines; this one has 401.'],
  ]);
  expect((await ask('PUT', path.replace(id, 'dis_none'), { text: 'x' })).status).toBe(404);
  expect((await ask('GET', path.replace(id, 'dis_none'))).status).toBe(404);
  expect((await ask('PUT', path, { text: '' })).status).toBe(204);
  expect((await ask('GET', path)).json).toEqual(none);
  expect(JSON.stringify((await db.pool.query('select detail from audit_log')).rows)).not.toContain(
    'Dear bank',
  );
});
