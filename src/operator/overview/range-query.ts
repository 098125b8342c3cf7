import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { timeField } from '../../http/fields.ts';
import { refuseFaults } from '../invalid-request.ts';
import { merchantIdField } from '../shapes.ts';

/** Whose figures, and of which time: an end that is left out is open. */
export const rangeQuery = Type.Object(
  {
    merchant_id: Type.Optional(merchantIdField),
    from: Type.Optional(timeField('Of this time or later.')),
    to: Type.Optional(timeField('Of before this time.')),
  },
  { additionalProperties: false },
);
export type RangeQuery = Type.Static<typeof rangeQuery>;

/** @throws InvalidRequest for a range that ends before it begins */
export function rangeOf(query: Omit<RangeQuery, 'merchant_id'>) {
  const from = query.from === undefined ? undefined : new Date(query.from);
  const to = query.to === undefined ? undefined : new Date(query.to);
  const isTurned = from !== undefined && to !== undefined && to.getTime() <= from.getTime();
  refuseFaults(isTurned ? [{ at: 'to', text: 'Must be later than from' }] : []);
  return present({ from, to });
}
