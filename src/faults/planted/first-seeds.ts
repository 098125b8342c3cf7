/** The world that planted bugs are looked for in: small, so that all of them are tried often. */
export const plantedWorld = { days: 6, payments: 12 } as const;

/** Each bug that this world is known to show, with the first seed that does. */
export const firstSeeds: Readonly<Record<string, number>> = {
  'lost-answer-is-not-made': 1,
  'lost-answer-is-a-decline': 1,
  'record-holds-nothing': 1,
  'another-key-each-time': 1,
  'beside-the-invoice': 3,
  'a-cent-more': 1,
  impatient: 1,
  'success-taken-for-decline': 1,
  'decline-taken-for-success': 1,
  'looked-up-decline-is-success': 1,
  'looked-up-success-is-nothing': 1,
  'paid-already-is-not-made': 5,
  'nothing-since-then': 15,
  'an-old-yes': 1,
  'no-is-yes': 6,
  'no-answer-is-yes': 1,
  'amount-not-heard': 6,
  'methods-not-heard': 6,
  'any-status-acknowledges': 1,
  'a-new-name-each-send': 1,
  'a-new-body-each-send': 1,
  'an-old-secret': 1,
  'acknowledged-before-kept': 1,
  'own-clock': 9,
  'asked-where-connected-now': 1,
};
