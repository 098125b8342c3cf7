import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { timeField } from '../../http/fields.ts';
import type {
  ControlDifference,
  InvariantCheck,
  InvariantsReport,
  InvariantView,
} from '../../recovery/accounting/accounting-ports.ts';
import { countField } from '../shapes.ts';

const checkExample = {
  id: 'chk_4c1vbz7p0x9k2m5n8q3r6t0w',
  state: 'done',
  rows_read: 18_204,
  breaches: 0,
  started_at: '2026-06-02T00:00:00.000Z',
  updated_at: '2026-06-02T00:00:04.000Z',
  ended_at: '2026-06-02T00:00:04.000Z',
};

const itemShape = Type.Object(
  {
    name: Type.String({ examples: ['one_success_per_invoice'] }),
    promise: Type.String({ examples: ['No invoice is charged successfully twice.'] }),
    breaches: Type.Integer({ minimum: 0, examples: [0] }),
  },
  { title: 'Invariant' },
);

const sumShape = (description: string) =>
  Type.Object(
    { count: Type.Integer(), amount_minor: Type.Integer() },
    { title: 'ControlSum', description },
  );

const differenceShape = Type.Object(
  {
    merchant_id: Type.String(),
    day: Type.String({ description: 'The UTC day, `YYYY-MM-DD`.' }),
    psp: Type.Optional(Type.String({ description: 'Absent where the events of a day differ.' })),
    connection_version: Type.Optional(Type.Integer()),
    currency: Type.Optional(Type.String()),
    charged: sumShape('Successes at the PSP, as the charges here say.'),
    recovered: sumShape('Recovered payments.'),
    announced: sumShape('Successes in the bodies of events.'),
    events: Type.Object({
      created: Type.Integer(),
      delivered: Type.Integer(),
      pending: Type.Integer(),
      given_up: Type.Integer(),
    }),
    found_at: timeField('When it was noticed.'),
  },
  { title: 'ControlDifference' },
);

export const checkShape = Type.Object(
  {
    id: Type.String(),
    state: Type.Union([Type.Literal('running'), Type.Literal('done')]),
    rows_read: countField('Rows that it has read.'),
    breaches: countField('What it has found so far.'),
    started_at: timeField('When it began.'),
    updated_at: timeField('Its last page.'),
    ended_at: Type.Optional(timeField('When it had read everything.')),
  },
  {
    title: 'InvariantCheck',
    description: 'A check of everything that is stored.',
    examples: [checkExample],
  },
);

export const invariantsShape = Type.Object(
  {
    holds: Type.Boolean({ description: 'Whether nothing is breached.', examples: [true] }),
    items: Type.Array(itemShape, {
      description: 'Those of the control totals as of now, the others as of `last_check`.',
    }),
    counted_through: Type.Optional(timeField('What changed before this is in the control totals.')),
    differences: Type.Array(differenceShape, {
      description: 'What does not agree, the newest days first; 100 at most.',
    }),
    last_check: Type.Optional(checkShape),
    running_check: Type.Optional(checkShape),
  },
  {
    description: 'Every promise with its breaches.',
    examples: [
      {
        holds: true,
        items: [
          {
            name: 'one_success_per_invoice',
            promise: 'No invoice is charged successfully twice.',
            breaches: 0,
          },
        ],
        counted_through: '2026-06-02T08:15:00.000Z',
        differences: [],
        last_check: checkExample,
      },
    ],
  },
);

const breachesOf = (items: readonly InvariantView[]) =>
  items.reduce((sum, item) => sum + item.breaches, 0);

export function checkJson(check: InvariantCheck): Type.Static<typeof checkShape> {
  return present({
    id: check.checkId,
    state: check.state,
    rows_read: check.rowsRead,
    breaches: breachesOf(check.items),
    started_at: check.startedAt.toISOString(),
    updated_at: check.updatedAt.toISOString(),
    ended_at: check.endedAt?.toISOString(),
  });
}

export function invariantsJson(report: InvariantsReport): Type.Static<typeof invariantsShape> {
  const { items, control, lastCheck, runningCheck } = report;
  return present({
    holds: items.every((item) => item.breaches === 0),
    items: [...items],
    counted_through: control.countedThrough?.toISOString(),
    differences: control.differences.map(differenceJson),
    last_check: lastCheck && checkJson(lastCheck),
    running_check: runningCheck && checkJson(runningCheck),
  });
}

function differenceJson(difference: ControlDifference): Type.Static<typeof differenceShape> {
  const sum = (name: 'charged' | 'recovered' | 'announced') => ({
    count: difference[name].count,
    amount_minor: difference[name].amountMinor,
  });
  return present({
    merchant_id: difference.merchantId,
    day: difference.day,
    psp: difference.psp,
    connection_version: difference.connectionVersion,
    currency: difference.currency,
    charged: sum('charged'),
    recovered: sum('recovered'),
    announced: sum('announced'),
    events: {
      created: difference.eventsCreated,
      delivered: difference.eventsDelivered,
      pending: difference.eventsPending,
      given_up: difference.eventsExhausted,
    },
    found_at: difference.foundAt.toISOString(),
  });
}
