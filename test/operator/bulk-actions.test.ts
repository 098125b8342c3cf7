import { describe, expect, it } from 'vitest';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { minute, seedPayment } from '../store/reports/seed.ts';

async function withPayments() {
  const service = await operatorService();
  const merchantId = await service.merchant();
  await seedPayment(service.db, { merchantId, invoiceId: 'in_1' });
  await seedPayment(service.db, { merchantId, invoiceId: 'in_2', created_at: minute(50) });
  await seedPayment(service.db, { merchantId, invoiceId: 'in_3', state: 'recovered' });
  return { ...service, merchantId, path: `/api/merchants/${merchantId}/bulk-actions` };
}

const anywhere = '/api/merchants/mer_1/bulk-actions';
const body = { action: 'stop', reason: 'these cards are gone' };

describe('POST /api/merchants/{id}/bulk-actions', () => {
  it('notes what is meant, and has it done in the background', async () => {
    const { ask, path, requested, merchantId } = await withPayments();
    const { status, json } = await ask('POST', path, body);
    expect([status, json]).toEqual([
      202,
      {
        id: expect.stringMatching(/^blk_/),
        ...body,
        state: 'running',
        created_to: '2026-03-01T09:30:00.000Z',
        matched: 2,
        done: 0,
        not_done: [],
        requested_at: '2026-03-01T09:30:00.000Z',
      },
    ]);
    expect(requested).toEqual([{ name: 'bulk', input: { merchantId, bulkId: json.id } }]);
    expect((await ask('GET', `${path}/${json.id}`)).json).toEqual(json);
    expect((await ask('GET', path)).json).toEqual({ items: [json] });
  });

  it('says why not, the most frequent reason first, and how many moved meanwhile', async () => {
    const { ask, path, db } = await withPayments();
    const { json } = await ask('POST', path, body);
    await db.pool.query(
      `update bulk_actions set state = 'done', ended_at = requested_at, matched = 9, done = 3,
         refused = '{"An attempt is in progress": 1, "All tries are used": 2}'`,
    );
    expect((await ask('GET', `${path}/${json.id}`)).json).toMatchObject({
      done: 3,
      not_done: [
        { because: 'All tries are used', count: 2 },
        { because: 'An attempt is in progress', count: 1 },
      ],
      moved: 3,
    });
  });

  it('keeps what was to hold them', async () => {
    const { ask, path } = await withPayments();
    const { json } = await ask('POST', path, { ...body, held_by: 'none' });
    expect(json).toMatchObject({ held_by: 'none', matched: 2 });
    expect((await ask('GET', `${path}/${json.id}`)).json).toEqual(json);
  });

  it('refuses what is no action, no reason or a state that has ended', async () => {
    const asked = { action: 'charge', status: 'recovered' };
    expect(fieldsOf(await operatorKit().ask('POST', anywhere, asked))).toEqual([
      'reason: Field required',
      "action: Input should be 'stop', 'retry' or 'set_aside'",
      "status: Input should be 'scheduled' or 'attempting'",
    ]);
  });

  it.each(['', ' ', 'two\nlines', 'x'.repeat(501)])('refuses %j as a reason', async (reason) => {
    const asked = { action: 'stop', reason };
    expect(fieldsOf(await operatorKit().ask('POST', anywhere, asked))).toEqual([
      'reason: Input should be 1 to 500 characters without line breaks',
    ]);
  });

  it('answers 404 for no merchant, and for no bulk action', async () => {
    const { ask } = await operatorService();
    expect((await ask('POST', anywhere, body)).status).toBe(404);
    expect((await ask('GET', anywhere)).status).toBe(404);
    expect((await ask('GET', `${anywhere}/count`)).status).toBe(404);
    expect((await ask('GET', `${anywhere}/blk_1`)).status).toBe(404);
  });
});

describe('GET /api/merchants/{id}/bulk-actions/count', () => {
  it.each([
    ['', 2],
    ['?status=scheduled', 2],
    ['?status=attempting', 0],
    ['?waiting_for=attempt', 2],
    ['?waiting_for=customer', 0],
    ['?held_by=any', 1],
    ['?held_by=set_aside', 1],
    ['?held_by=incident', 0],
    ['?held_by=none', 1],
    ['?created_from=2026-03-01T00:30:00Z', 1],
    ['?created_to=2026-03-01T00:30:00Z', 1],
  ])('says how many are meant: %s', async (query, count) => {
    const { ask, path, db } = await withPayments();
    await db.pool.query(
      `update payments set set_aside_at = $1, set_aside_reason = 'down', next_attempt_at = null
       where invoice_id = 'in_2'`,
      [minute(60)],
    );
    const reply = await ask('GET', `${path}/count${query}`);
    expect([reply.status, reply.json]).toEqual([200, { count }]);
  });
});
