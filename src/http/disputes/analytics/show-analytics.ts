import { Type } from 'typebox';
import type { AnalyticsView } from '../../../disputes/show-analytics.ts';
import { analyticsFields, analyticsStates, idFields } from '../../../domain/analytics/analytics.ts';
import { evidenceGaps } from '../../../domain/analytics/evidence.ts';
import { psps } from '../../../domain/psps.ts';
import { timeField, wordField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { notFound } from '../answers.ts';
import { detailDocs } from '../detail-docs.ts';
import type { WholeEndpoint } from '../endpoint.ts';
import { analyticsIdExample } from './accept-analytics.ts';

const viewSchema = Type.Object({
  id: Type.String(),
  state: wordField(
    analyticsStates,
    'active; archived: kept for late disputes alone; erased with its customer.',
  ),
  psp: wordField(psps, 'As it was submitted.'),
  captured_at: timeField('When it came.'),
  fields: Type.Array(wordField(analyticsFields, 'A field that is kept.')),
  ip_is_public: Type.Boolean({
    description: 'Whether the address can be a customer’s on the internet.',
  }),
  identifiers: Type.Array(wordField(idFields, 'An id that it has.')),
  missing_for_evidence: Type.Array(
    wordField(evidenceGaps, 'What it lacks; payment_id is charge_id or transaction_id.'),
  ),
  mature_at: timeField('From then on its payment can speak for a later, disputed one.'),
  legal_hold: Type.Boolean({ description: 'Whether a dispute keeps it from being erased.' }),
  matches: Type.Array(Type.Object({}), { description: 'The disputes that it matches.' }),
});

/** GET /v1/analytics/{id}: what was kept of a capture, never what it says. */
export const showAnalytics: WholeEndpoint = {
  kind: 'whole',
  method: 'GET',
  paths: ['/v1/analytics/{id}'],
  operation: {
    operationId: 'showAnalytics',
    tag: 'Analytics',
    summary: 'Show what was kept',
    description: 'The names of the fields that are kept, and what it lacks to be evidence.',
    path: Type.Object({ id: Type.String({ description: 'As it was answered.' }) }),
    answers: {
      200: {
        description: 'The capture.',
        schema: viewSchema,
        example: {
          id: analyticsIdExample,
          state: 'active',
          psp: 'stripe',
          captured_at: '2026-06-01T00:00:00.000Z',
          fields: ['customer_email', 'ipv4_address', 'psp', 'user_agent', 'charge_id'],
          ip_is_public: true,
          identifiers: ['charge_id'],
          missing_for_evidence: ['customer_id'],
          mature_at: '2026-09-29T00:00:00.000Z',
          legal_hold: false,
          matches: [],
        },
      },
      404: detailDocs('You have submitted none by this id.', 'Not Found'),
    },
  },
  async answer({ api, merchantId, path }) {
    const analyticsId = path.id ?? '';
    // PostgreSQL keeps no NUL character: no capture has one in its id.
    const view = analyticsId.includes('\0')
      ? undefined
      : await api.show({ merchantId, analyticsId });
    return view === undefined ? notFound : jsonAnswer(200, viewJson(view));
  },
};

function viewJson(view: AnalyticsView): Type.Static<typeof viewSchema> {
  return {
    id: view.analyticsId,
    state: view.state,
    psp: view.psp,
    captured_at: view.capturedAt.toISOString(),
    fields: [...view.fields],
    ip_is_public: view.hasPublicIp,
    identifiers: [...view.ids],
    missing_for_evidence: [...view.missingForEvidence],
    mature_at: view.matureAt.toISOString(),
    legal_hold: view.isHeld,
    matches: [],
  };
}
