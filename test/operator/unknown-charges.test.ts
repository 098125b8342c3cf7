import { expect, it } from 'vitest';
import type { UnknownChargeView } from '../../src/recovery/operator-api.ts';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';

const charge: UnknownChargeView = {
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  attemptId: 'att_1',
  psp: 'adyen',
  idempotencyKey: 'att_1-1',
  paymentMethodId: 'pm_1',
  amountMinor: 1_223,
  currency: 'EUR',
  sentAt: new Date('2026-03-02T12:00:00Z'),
  lookUps: 7,
  reason: 'the PSP may have forgotten its key',
};
const path = '/api/merchants/mer_1/unknown-charges/att_1-1/settle';

function kitWithCharge() {
  const kit = operatorKit();
  kit.api.unknownCharges = [charge];
  return kit;
}

it('settles it by what a person saw', async () => {
  const { ask, api } = kitWithCharge();
  const body = { result: 'succeeded', psp_transaction_id: '8515', reason: 'seen by K. Ito' };
  expect((await ask('POST', path, body)).json).toEqual({ status: 'recovered' });
  expect(api.calls.at(-1)?.input).toEqual({
    merchantId: 'mer_1',
    idempotencyKey: 'att_1-1',
    seen: { kind: 'succeeded', pspTransactionId: '8515' },
    reason: 'seen by K. Ito',
  });
});

it.each([
  [{ result: 'succeeded', reason: 'seen' }, 'psp_transaction_id: Field required for succeeded'],
  [{ result: 'declined' }, 'reason: Field required'],
])('refuses %j', async (body, fault) => {
  const { ask } = kitWithCharge();
  expect(fieldsOf(await ask('POST', path, body))).toEqual([fault]);
});

it('knows no charge of another key', async () => {
  const { ask } = kitWithCharge();
  const other = path.replace('att_1-1', 'att_2-1');
  const reply = await ask('POST', other, { result: 'not_made', reason: 'not there' });
  expect(reply.status).toBe(404);
});
