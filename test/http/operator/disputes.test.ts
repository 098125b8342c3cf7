import { expect, it } from 'vitest';
import type { ListDisputes } from '../../../src/disputes/dispute-ports.ts';
import { disputeOf } from '../../kits/dispute-cases.ts';
import { fieldsOf, noDisputes, operatorKit } from '../../kits/operator-server.ts';

const {
  kind: _,
  stage: __,
  status: ___,
  ...facts
} = disputeOf() as ReturnType<typeof disputeOf> & { stage: string; status: string };

const view = {
  merchantId: 'mer_1',
  disputeId: 'dis_1',
  psp: 'stripe' as const,
  pspDisputeId: 'dp_1',
  origin: 'psp' as const,
  state: { kind: 'dispute', stage: 'chargeback', status: 'needs_response' } as const,
  stateAt: facts.openedAt,
  stageBegunAt: facts.openedAt,
  facts,
  respondBy: { at: new Date('2026-06-15T09:00:00Z'), source: 'stripe: due_by', isPspsOwn: true },
  lookUp: { state: 'done' as const, tries: 0 },
  matchState: 'none' as const,
  blocksRetries: true,
};

it('lists disputes of every merchant with the days that are left', async () => {
  const asked: ListDisputes[] = [];
  const { ask } = operatorKit({
    disputes: {
      ...noDisputes,
      now: () => new Date('2026-06-10T00:00:00Z'),
      show: async () => undefined,
      merchantOf: async () => undefined,
      async list(input) {
        asked.push(input);
        return { items: [view], nextCursor: 'next' };
      },
    },
  });
  const query = 'status=needs_response&due_before=2026-07-01T00:00:00Z&cursor=c&limit=2';
  const reply = await ask('GET', `/api/disputes?${query}`);
  expect(reply).toMatchObject({
    status: 200,
    json: {
      items: [{ merchant_id: 'mer_1', id: 'dis_1', state: 'needs_response', days_left: 5 }],
      next_cursor: 'next',
    },
  });
  expect(asked).toEqual([
    {
      status: 'needs_response',
      dueBefore: new Date('2026-07-01T00:00:00Z'),
      cursor: 'c',
      limit: 2,
    },
  ]);
});

it('refuses a status that is none and a day for a time', async () => {
  const { ask } = operatorKit();
  const reply = await ask('GET', '/api/disputes?status=x&due_before=2026-07-01');
  expect(reply.status).toBe(400);
  expect(fieldsOf(reply)).toHaveLength(2);
});

it('lists by deadline those that await an answer, and none of another status', async () => {
  const asked: ListDisputes[] = [];
  const { ask } = operatorKit({
    disputes: {
      ...noDisputes,
      async list(input) {
        asked.push(input);
        return { items: [] };
      },
    },
  });
  expect((await ask('GET', '/api/disputes?order=deadline&limit=2')).status).toBe(200);
  expect(asked).toEqual([{ order: 'deadline', limit: 2 }]);
  const refused = await ask('GET', '/api/disputes?order=deadline&status=won');
  expect([refused.status, fieldsOf(refused)]).toEqual([
    400,
    ['status: Only disputes that need an answer have a deadline'],
  ]);
});
