import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { eventTypes } from '../../domain/states.ts';
import { enumField, timeField } from '../../http/fields.ts';
import {
  type AskedReplay,
  type Replay,
  replayStatuses,
} from '../../recovery/replays/replay-ports.ts';
import { endpointIdField, furtherEndpoint } from '../deliveries/delivery-path.ts';
import { countField } from '../shapes.ts';

/** Which deliveries are meant; the same in a query and in a body. */
export const scopeFields = {
  status: Type.Optional(
    enumField(
      replayStatuses,
      'Only those in this state; any: delivered ones too. Default: exhausted.',
    ),
  ),
  type: Type.Optional(enumField(eventTypes, 'Only events of this type.')),
  endpoint_id: Type.Optional(endpointIdField),
  from: timeField('Of events created at this time or later; those in the archive are passed over.'),
  until: Type.Optional(timeField('And before this one. Default: now.')),
};

const scope = Type.Object(scopeFields);

export function readScope(merchantId: string, asked: Type.Static<typeof scope>): AskedReplay {
  const { status = 'exhausted', type, from, until } = asked;
  const endpointId = furtherEndpoint(asked.endpoint_id);
  return {
    merchantId,
    status,
    from: new Date(from),
    ...present({ type, endpointId, until: until === undefined ? undefined : new Date(until) }),
  };
}

export const replayExample = {
  id: 'rpl_3v5kq0m2w8x1c7n4t6r9b2h1',
  state: 'done',
  status: 'exhausted',
  from: '2026-03-01T00:00:00.000Z',
  until: '2026-03-09T09:30:00.000Z',
  matched: 12,
  queued: 12,
  waiting: 0,
  delivered: 11,
  failing: 1,
  exhausted: 0,
  superseded: 0,
  requested_at: '2026-03-09T09:30:00.000Z',
  ended_at: '2026-03-09T09:30:01.000Z',
} as const;

export const replayShape = Type.Object(
  {
    id: Type.String(),
    state: enumField(['running', 'done'], 'done: all that it asks for is queued.'),
    status: enumField(replayStatuses, 'The state that was asked for.'),
    type: Type.Optional(enumField(eventTypes, 'The type that was asked for; absent: any.')),
    endpoint_id: Type.Optional(
      Type.String({ description: 'The further endpoint that was meant.' }),
    ),
    from: timeField('Of events created at this time or later.'),
    until: timeField('And before this one.'),
    matched: countField('Deliveries that it meant when it was asked for.'),
    queued: countField('Of them queued again so far: the sum of the five that follow.'),
    waiting: countField('Not sent yet.'),
    delivered: countField('Accepted.'),
    failing: countField('Sent, not accepted, and sent again every 12 hours for 7 days.'),
    exhausted: countField('Given up once more, or set aside.'),
    superseded: countField('Taken over by a later replay, which counts them.'),
    requested_at: timeField('When it was requested.'),
    ended_at: Type.Optional(timeField('When the last of them was queued.')),
  },
  {
    title: 'Replay',
    description: 'Deliveries that are sent again together, and what became of them.',
    examples: [replayExample],
  },
);

export function replayJson(replay: Replay): Type.Static<typeof replayShape> {
  return present({
    id: replay.replayId,
    state: replay.state,
    status: replay.status,
    type: replay.type,
    endpoint_id: replay.endpointId,
    from: replay.from.toISOString(),
    until: replay.until.toISOString(),
    matched: replay.matched,
    queued: replay.queued,
    waiting: replay.waiting,
    delivered: replay.delivered,
    failing: replay.failing,
    exhausted: replay.exhausted,
    superseded: replay.superseded,
    requested_at: replay.requestedAt.toISOString(),
    ended_at: replay.endedAt?.toISOString(),
  });
}
