import { expect, it } from 'vitest';
import type {
  EvidenceRecords,
  KnownCharge,
} from '../../../src/disputes/evidence/evidence-ports.ts';
import { makeTimeline } from '../../../src/disputes/evidence/make-timeline.ts';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { daysBeforeCharge } from '../../kits/dispute-cases.ts';
import {
  earlierCharge,
  evidenceRecords,
  knownCharge,
  withoutSubscription,
} from './evidence-records.ts';

const timeline = (changes: Partial<EvidenceRecords>) =>
  makeTimeline(evidenceRecords(changes), undefined).map(({ kind, reference }) => [kind, reference]);

const begunWith = (charge: KnownCharge) => ({
  ...charge,
  subscriptionBegunAt: addMs(charge.processedAt, -dayMs),
});

it('the charges of a subscription stand there once, the first one as what began it', () => {
  const renewals = [begunWith(earlierCharge()), knownCharge()];
  expect(timeline({ renewals })).toEqual([
    ['checkout', 'ch_1'],
    ['renewal', 'ch_disputed'],
  ]);
});

it('the first charge that is known of an older subscription did not begin it', () => {
  const subscriptionBegunAt = daysBeforeCharge(900);
  const known = [earlierCharge({ subscriptionBegunAt }), knownCharge({ subscriptionBegunAt })];
  for (const renewals of [known, [earlierCharge(), knownCharge()]]) {
    const events = makeTimeline(evidenceRecords({ renewals }), undefined);
    expect(events.map(({ kind, words }) => [kind, words])).toEqual([
      ['renewal', 'Charged'],
      ['renewal', 'Charged'],
    ]);
  }
});

it('a disputed charge that is not among those of its subscription stands there too', () => {
  expect(timeline({ renewals: [begunWith(earlierCharge())] })).toEqual([
    ['checkout', 'ch_1'],
    ['renewal', 'ch_disputed'],
  ]);
});

it('charges of another subscription, or of none, are left out', () => {
  const other = earlierCharge({ subscriptionId: 'sub_2' });
  expect(timeline({ renewals: [other] })).toEqual([['renewal', 'ch_disputed']]);
  const charge = withoutSubscription(knownCharge());
  expect(timeline({ charge, renewals: [withoutSubscription(earlierCharge())] })).toEqual([
    ['renewal', 'ch_disputed'],
  ]);
});

it('a retry says so, and of its tries those that did not succeed', () => {
  const at = daysBeforeCharge(1);
  const { money } = knownCharge();
  const tries = [
    { at, state: 'declined', money, pspTransactionId: 'ch_try' },
    { at, state: 'unknown', money },
    { at, state: 'succeeded', money, pspTransactionId: 'ch_disputed' },
  ];
  const records = evidenceRecords({ charge: knownCharge({ isRetry: true }), tries });
  expect(makeTimeline(records, undefined).map(({ words }) => words)).toEqual([
    'Charged again, after a yes of the merchant',
    'Tried again, and declined',
    'Tried again; its end is not known',
  ]);
});

it('a checkout stands there with its time, where that is known', () => {
  const capturedAt = daysBeforeCharge(300);
  const checkout = { analyticsId: 'an_1', isInherited: true, isOtherMandate: false };
  const first = (found: typeof checkout & { capturedAt?: Date }) =>
    makeTimeline(evidenceRecords(), found)[0];
  expect(first({ ...checkout, capturedAt })).toMatchObject({ at: capturedAt, kind: 'checkout' });
  expect(first(checkout)).toMatchObject({ kind: 'renewal' });
});
