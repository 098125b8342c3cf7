import { expect, it } from 'vitest';
import { withAnswer } from '../../../src/domain/disputes/dispute-look-up.ts';
import type { DisputeFacts } from '../../../src/domain/disputes/reported-dispute.ts';

const openedAt = new Date('2026-03-01T12:00:00Z');
const known: DisputeFacts = {
  pspDisputeId: 'dp_1',
  openedAt,
  paymentIds: ['ch_1'],
  reason: 'fraudulent',
  reasonCode: '10.4',
};

it('what the PSP signed stays, and what was missing is its record’s', () => {
  const read = { reason: 'other', cardLast4: '4242' };
  expect(withAnswer(known, read, [])).toEqual({
    ...known,
    cardLast4: '4242',
    unsignedFields: [],
  });
});

it('what nobody signed is the record’s, and is marked no more', () => {
  const unsigned: DisputeFacts = { ...known, unsignedFields: ['reason', 'reasonCode', 'status'] };
  expect(withAnswer(unsigned, { reason: 'other' }, ['status'])).toEqual({
    ...known,
    reason: 'other',
    unsignedFields: ['reasonCode'],
  });
});

it('a field that is signed stays, though another one is not', () => {
  const unsigned: DisputeFacts = { ...known, unsignedFields: ['reason'] };
  expect(withAnswer(unsigned, { reasonCode: '13.1' }, [])).toEqual({
    ...known,
    unsignedFields: ['reason'],
  });
  expect(withAnswer(unsigned, { reason: 'other' }, [])).toMatchObject({ reason: 'other' });
});

it('what the record leaves open takes nothing away', () => {
  const read = { reason: undefined, cardLast4: undefined } as object;
  const answered = withAnswer({ ...known, unsignedFields: ['status'] }, read, []);
  expect(answered).toMatchObject({ reason: 'fraudulent', unsignedFields: ['status'] });
  expect(answered).not.toHaveProperty('cardLast4');
});

it('the names of the payment are those of both, each once, the known ones first', () => {
  const { paymentIds } = withAnswer(known, { paymentIds: ['pi_1', 'ch_1', 'py_1'] }, []);
  expect(paymentIds).toEqual(['ch_1', 'pi_1', 'py_1']);
  expect(withAnswer(known, {}, []).paymentIds).toEqual(['ch_1']);
});
