import { Type } from 'typebox';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { detailAnswer, notFound } from '../answers.ts';
import type { DisputesContext } from '../caller.ts';
import { detailDocs } from '../detail-docs.ts';
import { validationDocs } from '../validation-answer.ts';
import { disputeFields } from './dispute-shape.ts';
import { submissionExample, submissionShape, submitAnswer } from './submission-shape.ts';

export const submitBody = Type.Object({
  stage_only: Type.Optional(
    Type.Boolean({
      description: 'Lays the evidence at the PSP, and sends nothing on. Default: false.',
    }),
  ),
});

/** POST /v1/disputes/{id}/submit */
export const submitDispute = defineEndpoint({
  method: 'POST',
  path: '/v1/disputes/{id}/submit',
  scope: 'act',
  docs: {
    id: 'submitDispute',
    tag: 'Disputes',
    summary: 'Answer a dispute at its PSP',
    description:
      "The evidence is staged at the PSP, then sent on: once for each stage of the dispute. A repetition answers the same submission. Where the PSP's answer is lost, its record says what became of it, and nothing is sent blindly.",
  },
  schema: { path: Type.Object({ id: disputeFields.id }), body: submitBody },
  body: {
    isOptional: true,
    mediaType: 'application/json',
    examples: { example: { stage_only: true } },
  },
  answers: {
    200: {
      description: 'It is staged, or submitted.',
      schema: submissionShape,
      example: submissionExample,
    },
    202: {
      description:
        "It is on its way, or the PSP's answer was lost: its record resolves that; look again later.",
      schema: submissionShape,
      example: {
        ...submissionExample,
        state: 'unknown',
        reason: 'no answer within 10000 ms',
        submitted_at: undefined,
      },
    },
    404: detailDocs('There is none with this id.', 'Not Found'),
    409: detailDocs(
      'It awaits no answer, its deadline is past, the PSP takes none through an API, or it asks for files that are not there.',
      "Worldpay has no API for answers to disputes. Give it the evidence's PDF by hand.",
    ),
    422: validationDocs,
    502: detailDocs(
      'The PSP did not take it; it may be tried again.',
      'The PSP did not take it: Stripe answered HTTP 400 invalid_request_error',
    ),
  },
  async answer({ path, body }, { answers, merchantId }: DisputesContext) {
    const { id: disputeId } = path;
    const stageOnly = body.stage_only === true;
    const answer = submitAnswer(
      await answers.submit({ merchantId, disputeId, stageOnly, actor: 'merchant' }),
    );
    if (answer.status === 404) return notFound;
    return 'message' in answer
      ? detailAnswer(answer.status, answer.message)
      : jsonAnswer(answer.status, answer.submission);
  },
});
