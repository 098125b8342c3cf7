import { Type } from 'typebox';
import { compileSchema } from '../../check-schema.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { detailAnswer, notFound } from '../answers.ts';
import { detailDocs } from '../detail-docs.ts';
import type { WholeEndpoint } from '../endpoint.ts';
import { readJsonBody } from '../read-json-body.ts';
import { validationDocs } from '../validation-answer.ts';
import { disputeIdIn } from './dispute-id.ts';
import { disputeFields } from './dispute-shape.ts';
import { submissionExample, submissionShape, submitAnswer } from './submission-shape.ts';

export const submitBody = Type.Object({
  stage_only: Type.Optional(
    Type.Boolean({
      description: 'Lays the evidence at the PSP, and sends nothing on. Default: false.',
    }),
  ),
});
type Body = Type.Static<typeof submitBody>;

const check = compileSchema(submitBody);

/** POST /v1/disputes/{id}/submit */
export const submitDispute: WholeEndpoint = {
  kind: 'whole',
  method: 'POST',
  paths: ['/v1/disputes/{id}/submit'],
  operation: {
    operationId: 'submitDispute',
    tag: 'Disputes',
    summary: 'Answer a dispute at its PSP',
    description:
      "The evidence is staged at the PSP, then sent on: once for each stage of the dispute. A repetition answers the same submission. Where the PSP's answer is lost, its record says what became of it, and nothing is sent blindly.",
    path: Type.Object({ id: disputeFields.id }),
    body: { mediaType: 'application/json', schema: submitBody, example: { stage_only: true } },
    answers: {
      200: {
        description: 'It is staged, or submitted.',
        schema: submissionShape,
        example: submissionExample,
      },
      202: {
        description:
          "It is on its way, or the PSP's answer was lost: its record settles that; look again later.",
        schema: submissionShape,
        example: {
          ...submissionExample,
          state: 'unknown',
          reason: 'no answer within 10000 ms',
          submitted_at: undefined,
        },
      },
      404: detailDocs('There is none by this id.', 'Not Found'),
      409: detailDocs(
        'It awaits no answer, its deadline is past, or the PSP takes none through an API.',
        "Worldpay has no API for answers to disputes. Give it the evidence's PDF by hand.",
      ),
      422: validationDocs,
      502: detailDocs(
        'The PSP did not take it; it may be tried again.',
        'The PSP did not take it: Stripe answered HTTP 400 invalid_request_error',
      ),
    },
  },
  async answer({ answers, merchantId, path }, raw) {
    const disputeId = disputeIdIn(path);
    if (disputeId === undefined) return notFound;
    const read = readJsonBody<Body>(raw, check, {});
    if ('refusal' in read) return read.refusal;
    const stageOnly = read.body.stage_only === true;
    const answer = submitAnswer(
      await answers.submit({ merchantId, disputeId, stageOnly, actor: 'merchant' }),
    );
    if (answer.status === 404) return notFound;
    return 'words' in answer
      ? detailAnswer(answer.status, answer.words)
      : jsonAnswer(answer.status, answer.submission);
  },
};
