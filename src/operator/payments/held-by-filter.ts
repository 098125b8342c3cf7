import { Type } from 'typebox';
import { type HoldFilter, holdFilters } from '../../domain/states.ts';
import { enumField } from '../../http/fields.ts';

/** How lists of payments, and what is done to many of them, are narrowed by what holds a payment. */
export const heldByFilter = Type.Unsafe<HoldFilter>({
  ...enumField(
    holdFilters,
    'Only those that an open incident holds, or work that was set aside; `any`: either; `none`: only those that nothing holds.',
  ),
  title: 'HeldByFilter',
});
