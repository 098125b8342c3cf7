import { Type } from 'typebox';
import { merchantIdField, ourIdField } from '../shapes.ts';

/** A dispute by its merchant: what changes something names both. */
export const merchantDisputePath = Type.Object({
  id: merchantIdField,
  dispute_id: ourIdField("The dispute's id."),
});
