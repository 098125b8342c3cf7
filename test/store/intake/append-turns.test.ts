import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { NewRequest } from '../../../src/recovery/intake-ports.ts';
import type { Queryable } from '../../../src/store/database.ts';
import { appendRequests } from '../../../src/store/intake/append-requests.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';

const uuid = '00000000-0000-4000-8000-000000000001';
const money = { amountMinor: 100, currency: 'EUR' };
const failed: NewRequest = {
  merchantId: 'mer_1',
  uuid,
  kind: 'payment',
  body: failedEvent(),
  receivedAt: worldStart,
  failure: {
    receivedAt: worldStart,
    report: {
      merchantId: 'mer_1',
      channel: 'merchant',
      invoiceId: 'in_1',
      invoiceCreatedAt: worldStart,
      customerId: 'cus_1',
      subscriptionId: 'sub_1',
      isDaily: false,
      psp: 'sandbox',
      ...money,
      charges: [],
    },
    payment: {
      invoiceId: 'in_1',
      customerId: 'cus_1',
      subscriptionId: 'sub_1',
      transactionId: 'tx_1',
      originalPspTransactionId: 'ch_1',
      psp: 'sandbox',
      ...money,
      paymentMethodIds: ['pm_1'],
      firstDecline: { category: 'later', code: '51' },
      failedAt: worldStart,
      windowEndsAt: worldStart,
      maxAttempts: 3,
    },
  },
};

/** A database that fails to append with each of these codes, then takes it. */
function failing(codes: readonly string[]) {
  const sent: string[] = [];
  const db: Queryable = {
    async query<Row>({ name }: { readonly name: string }): Promise<Row[]> {
      sent.push(name);
      if (name === 'find_debt_names') return [];
      const code = codes[sent.filter((other) => other === name).length - 1];
      if (code !== undefined) {
        throw Object.assign(new pg.DatabaseError(`failed ${code}`, 1, 'error'), { code });
      }
      return [{ merchant_id: 'mer_1', uuid, sequence: '7' }] as Row[];
    },
  };
  return { db, appends: () => sent.filter((name) => name.startsWith('append_')), sent };
}

describe('a batch with a failed event', () => {
  it.each([
    ['another batch claimed a name meanwhile', 'RC001'],
    ['it was chosen to end a deadlock', '40P01'],
    ['it could not be serialised', '40001'],
  ])('is decided again on what is known then where %s', async (_what, code) => {
    const { db, sent } = failing([code, code]);
    expect(await appendRequests(db, [failed])).toEqual([7n]);
    const turn = ['find_debt_names', 'append_reports'];
    expect(sent).toEqual([...turn, ...turn, ...turn]);
  });

  it('is tried twenty times, and then fails', async () => {
    const within = failing(Array(19).fill('RC001'));
    expect(await appendRequests(within.db, [failed])).toEqual([7n]);
    const beyond = failing(Array(30).fill('RC001'));
    await expect(appendRequests(beyond.db, [failed])).rejects.toThrow('failed RC001');
    expect(beyond.appends()).toHaveLength(20);
  });

  it('fails at once where the database refuses it', async () => {
    const { db, appends } = failing(['23514']);
    await expect(appendRequests(db, [failed])).rejects.toThrow('failed 23514');
    expect(appends()).toHaveLength(1);
  });
});

it('a batch without one asks for no names, and is sent once', async () => {
  const { failure: _, ...plain } = failed;
  const { db, sent } = failing([]);
  expect(await appendRequests(db, [plain])).toEqual([7n]);
  expect(sent).toEqual(['append_requests']);
  const refused = failing(['RC001']);
  await expect(appendRequests(refused.db, [plain])).rejects.toThrow('failed RC001');
});
