import { expect, it } from 'vitest';
import { fieldsOf, operatorKit } from '../../kits/operator-server.ts';
import { operatorService } from '../../kits/operator-service.ts';
import { seedAttempt, seedPayment } from '../../store/reports/seed.ts';

it('settles it by what a person saw', async () => {
  const { ask, db, merchant } = await operatorService();
  const key = { merchantId: await merchant(), invoiceId: 'in_1' };
  await seedPayment(db, { ...key, state: 'attempting' });
  await seedAttempt(db, { ...key, number: 1, state: 'unknown' });
  const path = `/api/merchants/${key.merchantId}/unknown-charges/att_in_1_1/settle`;
  const body = { result: 'succeeded', psp_transaction_id: '8515', reason: 'seen by K. Ito' };
  expect((await ask('POST', path, body)).json).toEqual({ status: 'recovered' });
  const payment = `/api/merchants/${key.merchantId}/payments/in_1`;
  expect((await ask('GET', payment)).json.attempts[0].transactions).toMatchObject([
    { status: 'succeeded', psp_transaction_id: '8515' },
  ]);
  const audit = await db.pool.query(`select detail from audit_log where action = 'charge.settled'`);
  expect(audit.rows).toEqual([
    { detail: { idempotency_key: 'att_in_1_1', result: 'succeeded', reason: 'seen by K. Ito' } },
  ]);
});

const nowhere = '/api/merchants/mer_1/unknown-charges/att_2-1/settle';

it.each([
  [{ result: 'succeeded', reason: 'seen' }, 'psp_transaction_id: Field required for succeeded'],
  [{ result: 'declined' }, 'reason: Field required'],
])('refuses %j', async (body, fault) => {
  expect(fieldsOf(await operatorKit().ask('POST', nowhere, body))).toEqual([fault]);
});

it('knows no charge of another key', async () => {
  const { ask } = await operatorService();
  const reply = await ask('POST', nowhere, { result: 'not_made', reason: 'not there' });
  expect(reply.status).toBe(404);
});
