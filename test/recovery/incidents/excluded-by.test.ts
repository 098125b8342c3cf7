import { expect, it } from 'vitest';
import { type DecidedIncident, excludedBy } from '../../../src/recovery/incidents/excluded-by.ts';

const incident = (state: DecidedIncident['state'], isLeft = false) => ({
  incidentId: `inc_${state}`,
  state,
  isLeft,
});
const other = {
  open: incident('open'),
  left: { ...incident('open', true), incidentId: 'inc_left' },
  refunding: incident('refunding'),
  refunded: incident('refunded'),
  dismissed: incident('dismissed', true),
};

it.each([
  ['refund', [], undefined],
  ['refund', ['open', 'refunded'], undefined],
  ['refund', ['left'], { incidentId: 'inc_left', why: 'kept' }],
  ['refund', ['dismissed'], { incidentId: 'inc_dismissed', why: 'kept' }],
  ['refund', ['dismissed', 'refunding'], { incidentId: 'inc_refunding', why: 'refunding' }],
  ['dismiss', ['open', 'left', 'dismissed'], undefined],
  ['dismiss', ['refunded'], { incidentId: 'inc_refunded', why: 'refunded' }],
  ['dismiss', ['refunded', 'refunding'], { incidentId: 'inc_refunding', why: 'refunding' }],
] as const)('to %s one beside %j is excluded by %j', (decision, names, excluded) => {
  const others = names.map((name) => other[name]);
  expect(excludedBy(decision, { own: incident('open'), others })).toEqual(excluded);
});

it('a dismissal that has begun is ended beside whatever came since', () => {
  const others = [other.refunding, other.refunded];
  expect(excludedBy('dismiss', { own: incident('open', true), others })).toBeUndefined();
  expect(excludedBy('refund', { own: incident('open', true), others })).toMatchObject({
    why: 'refunding',
  });
});
