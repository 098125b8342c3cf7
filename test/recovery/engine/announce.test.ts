import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { paymentStates } from '../../../src/domain/states.ts';
import { endOfDunning, retryResult } from '../../../src/recovery/engine/announce.ts';
import type { OpenTransaction } from '../../../src/recovery/engine-ports.ts';
import { worldStart } from '../../kits/billing-events.ts';
import { random } from '../../kits/engine.ts';
import { merchant, paymentContext } from './payment-context.ts';

const at = addMs(worldStart, dayMs);

function transaction(change: Partial<OpenTransaction> = {}): OpenTransaction {
  return {
    ordinal: 1,
    state: 'succeeded',
    idempotencyKey: 'att_1-1',
    paymentMethodId: 'pm_1',
    amountMinor: 1223,
    currency: 'USD',
    pspTransactionId: 'ch_9',
    networkTransactionId: 'net_9',
    sentAt: at,
    connectionVersion: 1,
    ...change,
  };
}

function bodyOf(
  transactions: readonly OpenTransaction[],
  payment = paymentContext(),
): Record<string, unknown> {
  const event = retryResult({ random }, { payment, attemptId: 'att_1', transactions, at });
  return JSON.parse(event.body) as Record<string, unknown>;
}

describe('a retry result', () => {
  it('has the fields of the interface, flat, and no other', () => {
    const custom = { plan: 'gold', list: [1, null] };
    expect(bodyOf([transaction()], paymentContext({ custom }))).toEqual({
      timestamp: at.toISOString(),
      service_id: 'att_1',
      customer_id: 'cus_1',
      subscription_id: 'sub_1',
      invoice_id: 'in_1',
      transaction_id: 'txn_1',
      original_psp_transaction_id: 'ch_1',
      psp_transactions: [
        {
          psp_transaction_id: 'ch_9',
          network_transaction_id: 'net_9',
          merchant_payment_method_id: 'pm_1',
          success: true,
        },
      ],
      original_amount: 12.23,
      amount_collected: 12.23,
      currency: 'USD',
      success: true,
      custom,
    });
  });

  it('leaves out what is not known', () => {
    const { pspTransactionId: _, networkTransactionId: __, ...bare } = transaction();
    const { subscriptionId: ___, ...payment } = paymentContext();
    const body = bodyOf([{ ...bare, state: 'declined' }], payment);
    expect(body).not.toHaveProperty('subscription_id');
    expect(body).not.toHaveProperty('custom');
    expect(body.psp_transactions).toEqual([{ merchant_payment_method_id: 'pm_1', success: false }]);
  });

  it('names the charges that reached the PSP, in order, and is a success with one of them', () => {
    const body = bodyOf([
      transaction({ state: 'not_made' }),
      transaction({ state: 'declined', paymentMethodId: 'pm_2' }),
      transaction({ paymentMethodId: 'pm_3' }),
    ]);
    expect(body).toMatchObject({
      success: true,
      psp_transactions: [
        { merchant_payment_method_id: 'pm_2', success: false },
        { merchant_payment_method_id: 'pm_3', success: true },
      ],
    });
    expect(bodyOf([transaction({ state: 'declined' })]).success).toBe(false);
  });

  it('tells the amount that was tried, in the units of its currency', () => {
    const lower = bodyOf([transaction({ state: 'declined', amountMinor: 500 })]);
    expect(lower).toMatchObject({ original_amount: 12.23, amount_collected: 5 });
    const yen = paymentContext({ currency: 'JPY' });
    expect(bodyOf([transaction({ currency: 'JPY' })], yen)).toMatchObject({
      original_amount: 1223,
      amount_collected: 1223,
    });
  });
});

describe('the end of dunning', () => {
  it.each(paymentStates)('in state %s is told when the state is final', (state) => {
    const events = endOfDunning({ random }, { payment: paymentContext(), merchant, state, at });
    const isFinal = ['recovered', 'stopped', 'exhausted'].includes(state);
    expect(events.map((event) => JSON.parse(event.body) as unknown)).toEqual(
      isFinal
        ? [{ timestamp: at.toISOString(), invoice_id: 'in_1', recovered: state === 'recovered' }]
        : [],
    );
  });

  it('is told to nobody who did not ask for it', () => {
    const silent = { ...merchant, endOfDunning: false };
    const input = { payment: paymentContext(), merchant: silent, state: 'stopped', at } as const;
    expect(endOfDunning({ random }, input)).toEqual([]);
  });
});
