import { describe, expect, it } from 'vitest';
import { operatorEndpoints } from '../../../src/operator/endpoints.ts';
import { disputedAt, disputeOf } from '../../kits/dispute-cases.ts';
import type { Method } from '../../kits/operator-server.ts';
import { operatorService } from '../../kits/operator-service.ts';
import { moveBegan, moveEnded, putMove } from '../../kits/put-move.ts';

describe('a merchant on its way to another cell', () => {
  it.each([
    ['draining', { state: 'moving', to_cell: 'cell_2', since: moveBegan }],
    ['fenced', { state: 'moving', to_cell: 'cell_2', since: moveBegan }],
    ['moved', { state: 'moved', to_cell: 'cell_2', since: moveEnded }],
    // It came back.
    ['cleared', undefined],
  ] as const)('that is %s is shown as that, by itself and in the list', async (state, move) => {
    const { ask, db, merchant } = await operatorService();
    const other = await merchant();
    const id = await merchant();
    await putMove(db, id, state);
    expect((await ask('GET', `/api/merchants/${id}`)).json.move).toEqual(move);
    const { items } = (await ask('GET', '/api/merchants')).json;
    const moves = items.map((item: { id: string; move?: object }) => [item.id, item.move]);
    expect(Object.fromEntries(moves)).toEqual({ [id]: move, [other]: undefined });
  });

  it('is changed while it has not left', async () => {
    const { ask, db, merchant } = await operatorService();
    const id = await merchant();
    await putMove(db, id, 'draining');
    expect((await ask('PATCH', `/api/merchants/${id}`, { name: 'Acme 2' })).status).toBe(200);
  });
});

describe('a merchant that has moved to another cell', () => {
  it('is read, and changed by no endpoint: each says where it is', async () => {
    const { ask, db, merchant } = await operatorService();
    const id = await merchant();
    await putMove(db, id, 'moved');
    const answered: string[] = [];
    const expected: string[] = [];
    for (const { method, path, needs } of operatorEndpoints) {
      if (method === 'GET' || needs?.reach !== 'path') continue;
      const ofMerchant = path.replace('{id}', id).replaceAll(/\{\w+\}/g, 'any');
      const { status, json } = await ask(method as Method, ofMerchant);
      answered.push(`${method} ${path} ${status} ${json?.error?.code}: ${json?.error?.message}`);
      expected.push(
        `${method} ${path} 409 merchant_moved: It has moved to cell_2. Send the request there; run a move from there with that cell's settings.`,
      );
    }
    expect(answered.length).toBeGreaterThan(20);
    expect(answered).toEqual(expected);
    expect((await ask('GET', `/api/merchants/${id}/credentials`)).status).toBe(200);
  });

  it('is changed by no endpoint that learns whose it is from its body or from what it reads', async () => {
    const { ask, db, merchant, ingestDispute, clock } = await operatorService();
    clock.at = disputedAt;
    const id = await merchant();
    const dispute = disputeOf({ pspDisputeId: 'dp_1' });
    await ingestDispute({ merchantId: id, psp: 'sandbox', dispute, occurredAt: disputedAt });
    const [shown] = (await ask('GET', '/api/disputes')).json.items;
    const ofDispute = `/api/disputes/${shown.id}`;
    const note = (await ask('POST', `${ofDispute}/notes`, { text: 'Seen.' })).json.id;
    await db.pool.query(
      `insert into incidents (merchant_id, incident_id, kind, subject, psp, charge, detail, opened_at)
       values ($1, 'inc_1', 'missing_here', 's', 'sandbox', 'ch_1', 'd', $2)`,
      [id, disputedAt],
    );
    await putMove(db, id, 'moved');
    const because = { reason: 'seen' };
    const terms = { policy: 'even', window_days: 14, max_attempts: 4 };
    const asked: readonly (readonly [Method, string, object?])[] = [
      ['POST', `${ofDispute}/submit`],
      ['POST', `${ofDispute}/accept`],
      ['POST', `${ofDispute}/assign`, { assigned_to: 'none' }],
      ['POST', `${ofDispute}/notes`, { text: 'Seen again.' }],
      ['DELETE', `${ofDispute}/notes/${note}`],
      ['POST', '/api/incidents/inc_1/refund', because],
      ['POST', '/api/incidents/inc_1/dismiss', because],
      ['POST', '/api/set-aside/retry', { kind: 'payment', merchant_id: id, id: 'in_1' }],
      ['POST', '/api/what-ifs', { merchant_id: id, ...terms }],
    ];
    for (const [method, path, body] of asked) {
      const { status, json } = await ask(method, path, body);
      expect([path, status, json?.error?.code]).toEqual([path, 409, 'merchant_moved']);
    }
    expect((await ask('GET', ofDispute)).json.notes).toHaveLength(1);
  });

  it('leaves the changes of others alone', async () => {
    const { ask, db, merchant } = await operatorService();
    await putMove(db, await merchant(), 'moved');
    const id = await merchant();
    expect((await ask('PATCH', `/api/merchants/${id}`, { name: 'Acme 2' })).status).toBe(200);
    expect((await ask('PATCH', '/api/merchants/mer_none', { name: 'Acme 2' })).status).toBe(404);
  });
});
