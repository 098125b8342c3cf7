import { Type } from 'typebox';
import { merchantIdField, ourIdField } from '../shapes.ts';

/** Names one delivery of a merchant, by its event. */
export const deliveryPath = Type.Object({
  id: merchantIdField,
  event_id: ourIdField("The event's id."),
});
