import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { eventTypes } from '../../domain/states.ts';
import { defaultPauseAfterDays } from '../../domain/webhooks/webhook-endpoint.ts';
import { enumField } from '../../http/fields.ts';
import type { EndpointChange, NewEndpoint } from '../../recovery/endpoints/endpoint-ports.ts';
import { authBody, urlField } from '../merchants/merchant-body.ts';
import { pauseAfterDays, pauseAfterDaysField } from './endpoint-shape.ts';

const fields = {
  url: urlField('Where its events are sent.'),
  event_types: Type.Array(enumField(eventTypes, 'A type that it takes.'), {
    minItems: 1,
    maxItems: eventTypes.length,
    uniqueItems: true,
    description: 'Events of types that the merchant does not ask for are not recorded at all.',
  }),
  auth: Type.Optional(authBody),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      maxProperties: 20,
      description:
        'Headers that its calls carry besides, by their names. Their values are kept as secrets. None that Recoup or HTTP sets.',
    }),
  ),
  quick_sends: Type.Optional(
    Type.Boolean({
      description:
        'Whether what it does not accept is sent again after 5 s, 1 min, 10 min and 1 h too, before the 12 hours. Default: false.',
    }),
  ),
  pause_after_days: Type.Optional(pauseAfterDaysField(defaultPauseAfterDays)),
};

export const newEndpointBody = Type.Object(fields, {
  description: 'The endpoint to create.',
  additionalProperties: false,
  examples: [
    {
      url: 'https://alerts.acme.example/recoup',
      event_types: ['incident'],
      headers: { 'x-team': 'payments' },
      quick_sends: true,
    },
  ],
});

export const endpointChangeBody = Type.Object(
  {
    ...fields,
    url: Type.Optional(fields.url),
    event_types: Type.Optional(fields.event_types),
  },
  {
    description: 'What to change. auth and headers are replaced as a whole; the rest stays.',
    additionalProperties: false,
    examples: [{ event_types: ['incident', 'end_of_dunning'] }],
  },
);

export function newEndpoint(
  merchantId: string,
  body: Type.Static<typeof newEndpointBody>,
): NewEndpoint {
  return {
    merchantId,
    url: body.url,
    eventTypes: body.event_types,
    auth: body.auth ?? { type: 'none' },
    headers: body.headers ?? {},
    quickSends: body.quick_sends ?? false,
    pauseAfterDays: pauseAfterDays(body.pause_after_days ?? defaultPauseAfterDays),
  };
}

export function endpointChange(body: Type.Static<typeof endpointChangeBody>): EndpointChange {
  const { pause_after_days: days } = body;
  return present({
    url: body.url,
    eventTypes: body.event_types,
    auth: body.auth,
    headers: body.headers,
    quickSends: body.quick_sends,
    pauseAfterDays: days === undefined ? undefined : pauseAfterDays(days),
  });
}
