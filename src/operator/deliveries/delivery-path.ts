import { Type } from 'typebox';
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
