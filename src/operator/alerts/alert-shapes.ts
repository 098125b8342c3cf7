import { Type } from 'typebox';
import { alertKindNames, alertKinds, alertSeverities } from '../../domain/alerts/alert-kinds.ts';
import { minuteMs } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { enumField, timeField } from '../../http/fields.ts';
import {
  type AlertChannel,
  type AlertRoute,
  type AlertSilence,
  type AlertState,
  channelKinds,
} from '../../recovery/alerts/alert-ports.ts';
import { isSilenced } from '../../recovery/alerts/decide-alerts.ts';
import { merchantIdField, messageField, ourIdField } from '../shapes.ts';

export const alertKindField = enumField(alertKindNames, 'docs/runbooks.md explains each.');
export const severityField = enumField(
  alertSeverities,
  '`page` should wake somebody: money or requests are at stake now. `ticket` can wait until office hours.',
);

export const firingExample = {
  key: 'incidents/mer_3v5kq0m2w8x1c7n4t6r9b2h1',
  kind: 'incidents',
  severity: 'ticket',
  count: 1,
  title: 'Acme: 1 incident',
  detail: 'the processor’s record differs from ours; the invoices are frozen',
  action: 'Look the charge up at the processor, then refund or dismiss the incident.',
  first_seen_at: '2026-03-01T09:30:00.000Z',
  merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
  merchant_name: 'Acme',
  is_silenced: false,
};

export const firingShape = Type.Object(
  {
    key: Type.String({ description: 'The same for as long as it lasts.' }),
    kind: alertKindField,
    severity: severityField,
    count: Type.Integer(),
    title: Type.String(),
    detail: Type.String(),
    action: Type.String({ description: 'What to do about it.' }),
    first_seen_at: timeField('When it was first seen, in real time.'),
    merchant_id: Type.Optional(merchantIdField),
    merchant_name: Type.Optional(Type.String()),
    is_silenced: Type.Boolean(),
  },
  {
    title: 'FiringAlert',
    description: 'What a person should look at now.',
    examples: [firingExample],
  },
);

export function firingJson(
  state: AlertState,
  { silences, at }: { readonly silences: readonly AlertSilence[]; readonly at: Date },
): Type.Static<typeof firingShape> {
  const { key, kind, count, title, detail, firstSeenAt, merchantId, merchantName } = state;
  const { severity, action } = alertKinds[kind];
  return present({
    key,
    kind,
    severity,
    count,
    title,
    detail,
    action,
    first_seen_at: firstSeenAt.toISOString(),
    merchant_id: merchantId,
    merchant_name: merchantName,
    is_silenced: isSilenced(silences, state, at),
  });
}

export const silenceExample = {
  id: 'als_6m1c8n4t6r0b2k5h2j7q0x9w',
  kind: 'endpoint_failing',
  reason: 'they move servers tonight',
  created_by: 'op_6m1c8n4t6r0b2k5h2j7q0x9w',
  created_at: '2026-03-01T09:30:00.000Z',
  ends_at: '2026-03-01T13:30:00.000Z',
};

export const silenceShape = Type.Object(
  {
    id: Type.String(),
    kind: Type.Optional(alertKindField),
    merchant_id: Type.Optional(merchantIdField),
    reason: messageField('Why.', 500),
    created_by: Type.String(),
    created_at: timeField('Since when.'),
    ends_at: timeField('Until when.'),
  },
  {
    title: 'AlertSilence',
    description: 'Such alerts are not sent to anybody until it ends.',
    examples: [silenceExample],
  },
);

export function silenceJson(silence: AlertSilence): Type.Static<typeof silenceShape> {
  return present({
    id: silence.silenceId,
    kind: silence.kind,
    merchant_id: silence.merchantId,
    reason: silence.reason,
    created_by: silence.createdBy,
    created_at: silence.createdAt.toISOString(),
    ends_at: silence.endsAt.toISOString(),
  });
}

export const routeExample = {
  id: 'alr_6m1c8n4t6r0b2k5h2j7q0x9w',
  channel_id: 'alc_6m1c8n4t6r0b2k5h2j7q0x9w',
  severities: ['page'],
  repeat_minutes: 60,
  tells_resolved: true,
};

export const routeShape = Type.Object(
  {
    id: Type.String(),
    channel_id: Type.String(),
    severities: Type.Optional(Type.Array(severityField)),
    kinds: Type.Optional(Type.Array(alertKindField)),
    merchants: Type.Optional(Type.Array(merchantIdField)),
    repeat_minutes: Type.Integer({ description: 'Sent again this long after it was last sent.' }),
    tells_resolved: Type.Boolean({ description: 'Whether a message is sent when the alert ends.' }),
  },
  {
    title: 'AlertRoute',
    description: 'Which alerts go to a channel: absent means all.',
    examples: [routeExample],
  },
);

export function routeJson(route: AlertRoute): Type.Static<typeof routeShape> {
  return present({
    id: route.routeId,
    channel_id: route.channelId,
    severities: route.severities && [...route.severities],
    kinds: route.kinds && [...route.kinds],
    merchants: route.merchants && [...route.merchants],
    repeat_minutes: Math.round(route.repeatMs / minuteMs),
    tells_resolved: route.tellsResolved,
  });
}

export const channelExample = {
  id: 'alc_6m1c8n4t6r0b2k5h2j7q0x9w',
  name: 'On call',
  kind: 'email',
  hint: '1 recipient',
  is_paused: false,
  last_sent_at: '2026-03-01T09:31:00.000Z',
};

export const channelShape = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind: enumField(channelKinds, 'How it is sent.'),
    hint: Type.String({ description: 'The part of its address that may be shown.' }),
    is_paused: Type.Boolean(),
    last_sent_at: Type.Optional(timeField('When a message was last accepted.')),
    failing_since: Type.Optional(timeField('Since when no message has been accepted.')),
    last_error: Type.Optional(Type.String()),
  },
  {
    title: 'AlertChannel',
    description: 'Where alerts are sent. Its address is never shown.',
    examples: [channelExample],
  },
);

export function channelJson(channel: AlertChannel): Type.Static<typeof channelShape> {
  return present({
    id: channel.channelId,
    name: channel.name,
    kind: channel.kind,
    hint: channel.hint,
    is_paused: channel.isPaused,
    last_sent_at: channel.lastSentAt?.toISOString(),
    failing_since: channel.failingSince?.toISOString(),
    last_error: channel.lastError,
  });
}

export const alertPath = Type.Object({ id: ourIdField('Its id.') });

/** @throws AppError not_found */
export function there<View>(view: View | undefined, what: string): View {
  if (view === undefined) throw new AppError('not_found', `There is no ${what} with this id.`);
  return view;
}
