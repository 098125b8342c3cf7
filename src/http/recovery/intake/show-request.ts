import { Type } from 'typebox';
import { present } from '../../../domain/present.ts';
import { formatRequestId, parseRequestId } from '../../../domain/request-id.ts';
import { requestStates } from '../../../domain/states.ts';
import type { RequestView } from '../../../recovery/api.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { enumField, objectField, timeField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { notFound } from '../answers.ts';
import type { RecoveryContext } from '../caller.ts';
import { messageDocs } from '../message-docs.ts';
import { requestIdExample } from './receipt.ts';

const requestSchema = Type.Object({
  request_id: Type.String(),
  kind: enumField(['payment', 'payment_method_update'], 'What was submitted.'),
  status: enumField(requestStates, 'accepted: stored, and about to be applied.'),
  received_at: timeField('When it was stored.'),
  applied_at: Type.Optional(timeField('When it took effect.')),
  outcome: Type.Optional(
    objectField(
      'What it did. Of a payment: `recovery_started`, `joined` to the debt of `joined_invoice_id`, ' +
        '`recovery_ended` or `history_recorded`.',
    ),
  ),
});

/** GET /recover/requests/{request_id}: what became of a submitted request. */
export const showRequest = defineEndpoint({
  method: 'GET',
  path: '/recover/requests/{request_id}',
  scope: 'read',
  docs: {
    id: 'showRequest',
    tag: 'Intake',
    summary: 'Show a submitted request',
    description: 'What became of a request, by the request_id of its acknowledgement.',
  },
  schema: {
    path: Type.Object({ request_id: Type.String({ description: 'As it was acknowledged.' }) }),
  },
  answers: {
    200: {
      description: 'The request.',
      schema: requestSchema,
      example: {
        request_id: requestIdExample,
        kind: 'payment',
        status: 'applied',
        received_at: '2026-06-01T00:00:06.000Z',
        applied_at: '2026-06-01T00:00:06.050Z',
        outcome: { invoice_id: 'in_1001', result: 'recovery_started' },
      },
    },
    404: messageDocs('You have submitted no such request.', 'Request not found.'),
  },
  async answer({ path }, { api, caller }: RecoveryContext) {
    const requestId = parseRequestId(path.request_id ?? '');
    const request =
      requestId && (await api.findRequest({ merchantId: caller.merchantId, requestId }));
    return request === undefined ? notFound('Request') : jsonAnswer(200, requestJson(request));
  },
});

function requestJson(request: RequestView): Type.Static<typeof requestSchema> {
  return present({
    request_id: formatRequestId(request.requestId),
    kind: request.kind,
    status: request.status,
    received_at: request.receivedAt.toISOString(),
    applied_at: request.appliedAt?.toISOString(),
    outcome: request.outcome,
  });
}
