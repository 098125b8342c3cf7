import type { PlayedSeed } from '../run/prove-planted.ts';

const smallest = { days: 2, payments: 3 } as const;
const small = { days: 3, payments: 4 } as const;
const large = { days: 6, payments: 12 } as const;

/** Each bug that a seed is known to show, in the smallest of these worlds that did. */
export const knownSeeds: Readonly<Record<string, PlayedSeed>> = {
  'lost-answer-is-a-decline': { ...small, seed: 1 },
  'record-holds-nothing': { ...smallest, seed: 2377 },
  'another-key-each-time': { ...small, seed: 1 },
  'restored-under-new-keys': { ...small, seed: 34 },
  'a-cent-more': { ...small, seed: 1 },
  impatient: { ...small, seed: 1 },
  'success-taken-for-decline': { ...small, seed: 2 },
  'decline-taken-for-success': { ...small, seed: 1 },
  'looked-up-decline-is-success': { ...small, seed: 1 },
  'sent-however-late': { ...small, seed: 1 },
  'beside-the-invoice': { ...small, seed: 3 },
  'an-old-yes': { ...small, seed: 1 },
  'methods-not-heard': { ...small, seed: 13 },
  'no-answer-is-yes': { ...small, seed: 1 },
  'stopped-before-it-is': { ...small, seed: 1 },
  'stop-not-seen': { ...small, seed: 4 },
  'a-new-name-each-send': { ...small, seed: 1 },
  'a-new-body-each-send': { ...small, seed: 1 },
  'an-old-secret': { ...small, seed: 1 },
  'acknowledged-before-kept': { ...smallest, seed: 361 },
  'lost-charge-not-asked': { ...small, seed: 1 },
  'requests-not-applied': { ...small, seed: 1 },
  'deliveries-not-sent': { ...small, seed: 1 },
  'late-answer-dropped': { ...small, seed: 5 },
  'looked-up-success-is-nothing': { ...small, seed: 56 },
  'debts-not-joined': { ...small, seed: 16 },
  'lost-answer-is-not-made': { ...small, seed: 64 },
  'paid-already-is-not-made': { ...small, seed: 3 },
  'nothing-since-then': { ...large, seed: 24 },
  'no-is-yes': { ...small, seed: 2688 },
  'amount-not-heard': { ...small, seed: 20 },
  'any-status-acknowledges': { ...small, seed: 11 },
  'own-clock': { ...small, seed: 7 },
  'asked-where-connected-now': { ...large, seed: 11 },
  'packed-on-its-way': { ...small, seed: 58 },
  'forgotten-when-put-back': { ...smallest, seed: 34 },
  'not-put-back': { ...smallest, seed: 34 },
};
