import type { PlayedSeed } from '../run/prove-planted.ts';

const small = { days: 3, payments: 4 } as const;
const large = { days: 6, payments: 12 } as const;

/** Each bug that a seed is known to show, in the smallest of these worlds that did. */
export const knownSeeds: Readonly<Record<string, PlayedSeed>> = {
  'lost-answer-is-a-decline': { ...small, seed: 1 },
  'record-holds-nothing': { ...small, seed: 14 },
  'another-key-each-time': { ...small, seed: 1 },
  'restored-under-new-keys': { ...small, seed: 7 },
  'a-cent-more': { ...small, seed: 1 },
  impatient: { ...small, seed: 1 },
  'success-taken-for-decline': { ...small, seed: 2 },
  'decline-taken-for-success': { ...small, seed: 1 },
  'looked-up-decline-is-success': { ...small, seed: 1 },
  'sent-however-late': { ...small, seed: 1 },
  'beside-the-invoice': { ...small, seed: 3 },
  'an-old-yes': { ...small, seed: 1 },
  'methods-not-heard': { ...small, seed: 13 },
  'no-answer-is-yes': { ...small, seed: 6 },
  'stopped-before-it-is': { ...small, seed: 1 },
  'stop-not-seen': { ...small, seed: 1 },
  'a-new-name-each-send': { ...small, seed: 1 },
  'a-new-body-each-send': { ...small, seed: 1 },
  'an-old-secret': { ...small, seed: 1 },
  'acknowledged-before-kept': { ...small, seed: 8 },
  'lost-charge-not-asked': { ...small, seed: 1 },
  'requests-not-applied': { ...small, seed: 1 },
  'deliveries-not-sent': { ...small, seed: 1 },
  'late-answer-dropped': { ...small, seed: 28 },
  'looked-up-success-is-nothing': { ...small, seed: 13 },
  'debts-not-joined': { ...small, seed: 16 },
  'lost-answer-is-not-made': { ...small, seed: 17 },
  'paid-already-is-not-made': { ...small, seed: 3 },
  'nothing-since-then': { ...large, seed: 15 },
  'no-is-yes': { ...large, seed: 6 },
  'amount-not-heard': { ...small, seed: 20 },
  'any-status-acknowledges': { ...small, seed: 1 },
  'own-clock': { ...small, seed: 9 },
  'asked-where-connected-now': { ...large, seed: 14 },
};
