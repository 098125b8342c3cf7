import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { eventTypes } from '../../domain/states.ts';
import { pausedBys } from '../../domain/webhooks/endpoint-pause.ts';
import {
  maxPauseAfterDays,
  primaryEndpointId,
  type WebhookEndpoint,
} from '../../domain/webhooks/webhook-endpoint.ts';
import { enumField, timeField } from '../../http/fields.ts';
import type { MerchantView } from '../../recovery/operator-api.ts';
import { authTypeField } from '../merchants/merchant-shape.ts';
import { merchantIdField, ourIdField } from '../shapes.ts';

export const endpointPath = Type.Object({
  id: merchantIdField,
  endpoint_id: ourIdField("The endpoint's id."),
});

export const anyEndpointPath = Type.Object({
  id: merchantIdField,
  endpoint_id: ourIdField("The endpoint's id; primary: the merchant's own webhook address."),
});

const endpointFields = {
  id: Type.String({ description: "primary: the merchant's own webhook address." }),
  url: Type.String(),
  event_types: Type.Array(enumField(eventTypes, 'A type that it takes.')),
  quick_sends: Type.Boolean({
    description: 'Whether what it does not accept is sent again within the first hour, too.',
  }),
  auth: Type.Object({ type: authTypeField }, { title: 'EndpointAuth' }),
  header_names: Type.Array(Type.String(), {
    description: 'Headers that its calls carry besides; their values are secrets.',
  }),
  pause_after_days: Type.Optional(
    Type.Integer({ description: 'Days of nothing but failures after which it is paused.' }),
  ),
  paused_at: Type.Optional(timeField('Since when it is sent nothing.')),
  paused_by: Type.Optional(
    enumField(pausedBys, 'failures: by Recoup, after days of nothing but failures.'),
  ),
  created_at: timeField('When it was created.'),
};

export const endpointExample = {
  id: 'ept_3v5kq0m2w8x1c7n4t6r9b2h1',
  url: 'https://alerts.acme.example/recoup',
  event_types: ['incident', 'end_of_dunning'],
  quick_sends: true,
  auth: { type: 'api_key' },
  header_names: ['x-team'],
  pause_after_days: 5,
  created_at: '2026-03-01T09:30:00.000Z',
};

export const endpointShape = Type.Object(endpointFields, {
  title: 'WebhookEndpoint',
  description: 'An address that events of the merchant are sent to, without its secrets.',
  examples: [endpointExample],
});

export const signedEndpointShape = Type.Object(
  {
    ...endpointFields,
    signing_secret: Type.String({ description: 'Signs what it is sent; never shown again.' }),
  },
  {
    title: 'SignedWebhookEndpoint',
    description: 'The endpoint with a signing secret of its own.',
    examples: [{ ...endpointExample, signing_secret: 'whsec_…' }],
  },
);

type EndpointJson = Type.Static<typeof endpointShape>;

export function endpointJson(endpoint: WebhookEndpoint): EndpointJson {
  return present({
    id: endpoint.endpointId,
    url: endpoint.url,
    event_types: [...endpoint.eventTypes],
    quick_sends: endpoint.quickSends,
    auth: { type: endpoint.authType },
    header_names: [...endpoint.headerNames],
    pause_after_days: endpoint.pauseAfterDays,
    paused_at: endpoint.pause?.at.toISOString(),
    paused_by: endpoint.pause?.by,
    created_at: endpoint.createdAt.toISOString(),
  });
}

/** The merchant's own webhook address, as the first of its endpoints: it takes every event. */
export function primaryEndpointJson(merchant: MerchantView): EndpointJson {
  return present({
    id: primaryEndpointId,
    url: merchant.webhookUrl,
    event_types: [...eventTypes],
    quick_sends: merchant.webhookQuickSends ?? false,
    auth: { type: merchant.authType },
    header_names: [],
    pause_after_days: merchant.webhookPauseAfterDays,
    paused_at: merchant.webhookPause?.at.toISOString(),
    paused_by: merchant.webhookPause?.by,
    created_at: merchant.createdAt.toISOString(),
  });
}

/** What there is of an endpoint of a path. @throws AppError not_found for nothing */
export function foundEndpoint<View>(view: View | undefined): View {
  if (view === undefined) {
    throw new AppError('not_found', 'The merchant has no endpoint with this id.');
  }
  return view;
}

/** Of up to so many answers that accepted. */
export const answerTimesShape = (description: string) =>
  Type.Object(
    { median: Type.Integer(), p95: Type.Integer() },
    { title: 'AnswerTimes', description },
  );

export const pauseAfterDaysField = (byDefault: number) =>
  Type.Integer({
    minimum: 0,
    maximum: maxPauseAfterDays,
    description: `Days of nothing but failures after which it is paused; 0: never. Default: ${byDefault}.`,
  });

/** As it is kept: none for never. */
export function pauseAfterDays(given: number): number | null {
  return given === 0 ? null : given;
}
