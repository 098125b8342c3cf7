import { Type } from 'typebox';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import { holdFilters, waits } from '../../domain/states.ts';
import { enumField, timeField } from '../../http/fields.ts';
import {
  type AskedBulk,
  type Bulk,
  type BulkAction,
  bulkActions,
  openStates,
} from '../../recovery/bulk/bulk-ports.ts';
import { heldByFilter } from '../payments/held-by-filter.ts';
import { countField, messageField } from '../shapes.ts';

/** Which payments are meant: the filters of the list of payments; the same in a query and in a body. */
export const bulkScopeFields = {
  status: Type.Optional(enumField(openStates, 'Only those in this state. Default: both.')),
  waiting_for: Type.Optional(
    enumField(
      waits,
      'Only scheduled ones that wait for their next attempt, or for their customer.',
    ),
  ),
  held_by: Type.Optional(heldByFilter),
  created_from: Type.Optional(timeField('Only those whose recovery began then or later.')),
  created_to: Type.Optional(timeField('And before this one. Default: now.')),
};

export const bulkActionField = Type.Unsafe<BulkAction>({
  ...enumField(bulkActions, 'What is done to each.'),
  title: 'BulkAction',
});

export const bulkReasonField = messageField(
  'Why, in words; kept with each payment.',
  limits.messageLength,
);

const scope = Type.Object(bulkScopeFields);

export function readBulkScope(
  merchantId: string,
  asked: Type.Static<typeof scope>,
): Omit<AskedBulk, 'action' | 'reason'> {
  return {
    merchantId,
    ...present({
      status: asked.status,
      waitingFor: asked.waiting_for,
      heldBy: asked.held_by,
      from: instant(asked.created_from),
      until: instant(asked.created_to),
    }),
  };
}

function instant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

export const bulkShape = Type.Object(
  {
    id: Type.String(),
    action: bulkActionField,
    reason: Type.String({ description: 'As given in the request.' }),
    state: enumField(['running', 'done'], 'done: each payment was looked at.'),
    status: Type.Optional(enumField(openStates, 'The state that was asked for; absent: both.')),
    waiting_for: Type.Optional(enumField(waits, 'What they were waiting for; absent: either.')),
    held_by: Type.Optional(
      enumField(holdFilters, 'What was to hold them; absent: whatever does or nothing.'),
    ),
    created_from: Type.Optional(timeField('Recoveries that began then or later.')),
    created_to: timeField('And before this one.'),
    matched: countField('Payments that matched when it was requested.'),
    done: countField('Payments that it was done to.'),
    not_done: Type.Array(
      Type.Object({
        because: Type.String({ description: 'Why it was not done.' }),
        count: countField('How many those are.'),
      }),
      { description: 'Why it was not done to the others, most frequent reason first.' },
    ),
    moved: Type.Optional(
      countField(
        'Payments that matched when it was requested but no longer did when it reached them. Given once it is done.',
      ),
    ),
    requested_at: timeField('When it was requested.'),
    ended_at: Type.Optional(timeField('When it reached the last one.')),
  },
  {
    title: 'Bulk',
    description: 'An action on many payments, and its result.',
    examples: [
      {
        id: 'blk_3v5kq0m2w8x1c7n4t6r9b2h1',
        action: 'retry',
        reason: 'The processor was down this morning',
        state: 'done',
        status: 'scheduled',
        created_from: '2026-03-01T00:00:00.000Z',
        created_to: '2026-03-09T09:30:00.000Z',
        matched: 14,
        done: 12,
        not_done: [{ because: 'No payment method may be tried this soon', count: 1 }],
        moved: 1,
        requested_at: '2026-03-09T09:30:00.000Z',
        ended_at: '2026-03-09T09:30:01.000Z',
      },
    ],
  },
);

export function bulkJson(bulk: Bulk): Type.Static<typeof bulkShape> {
  const notDone = Object.entries(bulk.refused)
    .map(([because, count]) => ({ because, count }))
    .sort((one, other) => other.count - one.count);
  const looked = notDone.reduce((sum, { count }) => sum + count, bulk.done);
  return present({
    id: bulk.bulkId,
    action: bulk.action,
    reason: bulk.reason,
    state: bulk.state,
    status: bulk.status,
    waiting_for: bulk.waitingFor,
    held_by: bulk.heldBy,
    created_from: bulk.from?.toISOString(),
    created_to: bulk.until.toISOString(),
    matched: bulk.matched,
    done: bulk.done,
    not_done: notDone,
    moved: bulk.state === 'done' ? Math.max(0, bulk.matched - looked) : undefined,
    requested_at: bulk.requestedAt.toISOString(),
    ended_at: bulk.endedAt?.toISOString(),
  });
}
