import { Type } from 'typebox';
import { matchStates } from '../../../disputes/dispute-ports.ts';
import type { AnalyticsView } from '../../../disputes/show-analytics.ts';
import { analyticsFields, analyticsStates, idFields } from '../../../domain/analytics/analytics.ts';
import { evidenceGaps } from '../../../domain/analytics/evidence.ts';
import type { Maturity } from '../../../domain/disputes/ce3/priors-mature-at.ts';
import { type MatchReason, matchReasons } from '../../../domain/disputes/matching/match-score.ts';
import { disputeStateName } from '../../../domain/disputes/normalise/dispute-state.ts';
import { psps } from '../../../domain/psps.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { notFound } from '../answers.ts';
import type { DisputesContext } from '../caller.ts';
import { detailDocs } from '../detail-docs.ts';
import { analyticsIdExample } from './accept-analytics.ts';

const matchFields = {
  score: Type.Integer({ description: '1 to 100; from 50 on it holds by itself.' }),
  reasons: Type.Array(enumField(matchReasons, 'What both have in common.')),
  is_inherited: Type.Boolean({ description: 'Whether the checkout is of an earlier charge.' }),
};

const viewSchema = Type.Object({
  id: Type.String(),
  state: enumField(
    analyticsStates,
    'active; archived: kept for late disputes alone; erased with its customer.',
  ),
  psp: enumField(psps, 'As it was submitted.'),
  captured_at: timeField('When it came.'),
  fields: Type.Array(enumField(analyticsFields, 'A field that is kept.')),
  ip_is_public: Type.Boolean({
    description: 'Whether the address can be a customer’s on the internet.',
  }),
  identifiers: Type.Array(enumField(idFields, 'An id that it has.')),
  missing_for_evidence: Type.Array(
    enumField(evidenceGaps, 'What it lacks; payment_id is charge_id or transaction_id.'),
  ),
  mature_at: timeField('From then on its payment can speak for a later, disputed one.'),
  priors: Type.Object(
    {
      state: enumField(
        ['matures', 'too_few'],
        'too_few: two charges of the card with this IP and e-mail address are needed.',
      ),
      charges: Type.Optional(Type.Integer({ description: 'Of too_few: how many there are.' })),
      mature_at: Type.Optional(timeField('From then on two of them are old enough; may be past.')),
      mature_until: Type.Optional(timeField('A charge that is disputed before then has them.')),
    },
    {
      description:
        'When two charges can speak for a later, disputed one by Visa CE3.0. Outside Stripe the e-mail address counts only as the login.',
    },
  ),
  legal_hold: Type.Boolean({ description: 'Whether a dispute keeps it from being erased.' }),
  payments: Type.Array(
    Type.Object(
      {
        invoice_id: Type.String(),
        psp_transaction_id: Type.String(),
        charged_at: timeField('When it was charged.'),
        ...matchFields,
      },
      { title: 'PaymentMatch' },
    ),
    {
      description:
        'Charges that succeeded, reported or made by Recoup, and have an id in common with it, the surest first.',
    },
  ),
  matches: Type.Array(
    Type.Object(
      {
        dispute_id: Type.String(),
        state: Type.String({ description: 'Stage and status in one word.' }),
        match_state: enumField(matchStates, 'Whether an analytics record belongs to the dispute.'),
        is_the_match: Type.Boolean({ description: 'Whether it is this one that does.' }),
        ...matchFields,
      },
      { title: 'DisputeMatch' },
    ),
    { description: 'The disputes that it has something in common with, the newest first.' },
  ),
});

/** GET /v1/analytics/{id}: what was kept of an analytics record, never what it says. */
export const showAnalytics = defineEndpoint({
  method: 'GET',
  path: '/v1/analytics/{id}',
  scope: 'read',
  docs: {
    id: 'showAnalytics',
    tag: 'Analytics',
    summary: 'Show what was kept',
    description:
      'The names of the fields that are kept, what it lacks to be evidence, and the payments and disputes that it belongs to, with the reasons.',
  },
  schema: { path: Type.Object({ id: Type.String({ description: 'As it was answered.' }) }) },
  answers: {
    200: {
      description: 'The analytics record.',
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
        priors: {
          state: 'matures',
          mature_at: '2026-09-29T00:00:00.000Z',
          mature_until: '2027-05-01T00:00:00.000Z',
        },
        legal_hold: false,
        payments: [
          {
            invoice_id: 'in_1001',
            psp_transaction_id: 'ch_1001',
            charged_at: '2026-06-01T00:00:10.000Z',
            score: 100,
            reasons: ['charge'],
            is_inherited: false,
          },
        ],
        matches: [
          {
            dispute_id: 'dis_4c1vbz7p0x9k2m5n8q3r6t0w',
            state: 'needs_response',
            match_state: 'matched',
            is_the_match: true,
            score: 100,
            reasons: ['charge'],
            is_inherited: false,
          },
        ],
      },
    },
    404: detailDocs('You have submitted none by this id.', 'Not Found'),
  },
  async answer({ path }, { api, merchantId }: DisputesContext) {
    const view = await api.show({ merchantId, analyticsId: path.id });
    return view === undefined ? notFound : jsonAnswer(200, viewJson(view));
  },
});

function matchJson(match: {
  readonly score: number;
  readonly reasons: readonly MatchReason[];
  readonly isInherited: boolean;
}) {
  return { score: match.score, reasons: [...match.reasons], is_inherited: match.isInherited };
}

function priorsJson(maturity: Maturity) {
  if (maturity.kind === 'too_few') return { state: maturity.kind, charges: maturity.have };
  return {
    state: maturity.kind,
    mature_at: maturity.at.toISOString(),
    mature_until: maturity.until.toISOString(),
  };
}

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
    priors: priorsJson(view.priors),
    legal_hold: view.isHeld,
    payments: view.matches.payments.map((payment) => ({
      invoice_id: payment.invoiceId,
      psp_transaction_id: payment.pspTransactionId,
      charged_at: payment.chargedAt.toISOString(),
      ...matchJson(payment),
    })),
    matches: view.matches.disputes.map((dispute) => ({
      dispute_id: dispute.disputeId,
      state: disputeStateName(dispute.state),
      match_state: dispute.matchState,
      is_the_match: dispute.isTheMatch,
      ...matchJson(dispute),
    })),
  };
}
