import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { primaryEndpointId } from '../../domain/webhooks/webhook-endpoint.ts';
import { merchantIdField, ourIdField } from '../shapes.ts';

/** Which deliveries are meant; `primary` is the same as leaving it out. */
export const endpointIdField = ourIdField(
  "A further endpoint's. Default: primary, the merchant's own webhook address.",
);

export const endpointQuery = Type.Object(
  { endpoint_id: Type.Optional(endpointIdField) },
  { additionalProperties: false },
);

/** A further endpoint; undefined for the merchant's own webhook address. */
export function furtherEndpoint(endpointId: string | undefined): string | undefined {
  return endpointId === primaryEndpointId ? undefined : endpointId;
}

/** Names one delivery of a merchant, by its event. */
export const deliveryPath = Type.Object({
  id: merchantIdField,
  event_id: ourIdField("The event's id."),
});

/** For an event that the merchant does not have, or that a further endpoint was never to get. */
export function noSuchDelivery(endpointId: string | undefined): AppError {
  if (endpointId === undefined) {
    return new AppError('not_found', 'The merchant has no event with this id.');
  }
  return new AppError('not_found', 'This endpoint has no event with this id.', {
    action: 'Check the id, or leave endpoint_id out for the event at the webhook address.',
  });
}
