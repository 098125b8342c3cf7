import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { timeField } from '../../http/fields.ts';
import type { RestoreCheck } from '../../recovery/reconciliation/reconciliation-api.ts';
import type { Reconciliation } from '../../recovery/reconciliation/reconciliation-ports.ts';
import { countField } from '../shapes.ts';

const reconciliationExample = {
  id: 'rec_4c1vbz7p0x9k2m5n8q3r6t0w',
  merchant_id: 'mer_4c1vbz7p0x9k2m5n8q3r6t0w',
  psp: 'stripe',
  connection_version: 1,
  purpose: 'reconcile',
  source: 'api',
  state: 'done',
  phase: 'rest',
  since: '2026-05-31T22:00:00.000Z',
  until: '2026-06-01T23:45:00.000Z',
  pages: 4,
  listed: 312,
  settled: 1,
  findings: 0,
  started_at: '2026-06-02T00:00:00.000Z',
  updated_at: '2026-06-02T00:00:03.000Z',
  ended_at: '2026-06-02T00:00:03.000Z',
};

export const reconciliationShape = Type.Object(
  {
    id: Type.String(),
    merchant_id: Type.String(),
    psp: Type.String(),
    connection_version: Type.Integer(),
    purpose: Type.Union([Type.Literal('reconcile'), Type.Literal('restore')]),
    source: Type.Union([Type.Literal('api'), Type.Literal('report')]),
    state: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('no_list')], {
      description: 'no_list: the PSP has none; give a report of it.',
    }),
    phase: Type.String({
      description:
        'What is compared: theirs (the list), adopt (after a restore), ours, rest (what no debt accounts for).',
    }),
    since: timeField("The window, by the PSP's time."),
    until: timeField('Its end; later charges are left to the next run.'),
    pages: countField('Steps that it has done.'),
    listed: countField('Charges of the list that were compared.'),
    settled: countField('Charges that the list resolved or brought.'),
    findings: countField('What does not agree: GET /api/incidents has each.'),
    detail: Type.Optional(Type.String({ description: 'What it waits for, or why it ended.' })),
    started_at: timeField('When it began.'),
    updated_at: timeField('Its last step.'),
    ended_at: Type.Optional(timeField('When it ended.')),
  },
  {
    title: 'Reconciliation',
    description: "An account's charges beside the PSP's own list.",
    examples: [reconciliationExample],
  },
);

export function reconciliationJson(run: Reconciliation): Type.Static<typeof reconciliationShape> {
  return present({
    id: run.runId,
    merchant_id: run.merchantId,
    psp: run.psp,
    connection_version: run.connectionVersion,
    purpose: run.purpose,
    source: run.source,
    state: run.state,
    phase: run.phase,
    since: run.since.toISOString(),
    until: run.until.toISOString(),
    pages: run.pages,
    listed: run.listed,
    settled: run.settled,
    findings: run.findings,
    detail: run.detail,
    started_at: run.startedAt.toISOString(),
    updated_at: run.updatedAt.toISOString(),
    ended_at: run.endedAt?.toISOString(),
  });
}

export const restoreCheckShape = Type.Object(
  {
    restored_from: timeField('The time of the backup.'),
    state: Type.Union([Type.Literal('running'), Type.Literal('done')], {
      description: 'running: nothing is charged.',
    }),
    payments: countField('Open payments that are looked up before they are charged.'),
    started_at: timeField('When it began.'),
    ended_at: Type.Optional(timeField('When charging went on.')),
  },
  {
    title: 'RestoreCheck',
    description: 'What was charged after a restored backup.',
    examples: [
      {
        restored_from: '2026-06-01T03:00:00.000Z',
        state: 'done',
        payments: 50,
        started_at: '2026-06-01T09:30:00.000Z',
        ended_at: '2026-06-01T09:31:12.000Z',
      },
    ],
  },
);

export function restoreCheckJson(check: RestoreCheck): Type.Static<typeof restoreCheckShape> {
  return present({
    restored_from: check.restoredFrom.toISOString(),
    state: check.state,
    payments: check.payments,
    started_at: check.startedAt.toISOString(),
    ended_at: check.endedAt?.toISOString(),
  });
}
