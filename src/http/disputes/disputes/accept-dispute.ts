import { Type } from 'typebox';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { detailAnswer, notFound } from '../answers.ts';
import type { DisputesContext } from '../caller.ts';
import { detailDocs } from '../detail-docs.ts';
import { acceptAnswer, acceptanceExample, acceptanceShape } from './acceptance-shape.ts';
import { disputeFields } from './dispute-shape.ts';

/** POST /v1/disputes/{id}/accept */
export const acceptDispute = defineEndpoint({
  method: 'POST',
  path: '/v1/disputes/{id}/accept',
  scope: 'act',
  docs: {
    id: 'acceptDispute',
    tag: 'Disputes',
    summary: 'Accept a dispute at its PSP',
    description:
      "The dispute is not contested: what is disputed is given away, for good, and its status becomes `accepted`. Once for each stage of the dispute, and only where no evidence was submitted; a repetition answers the same acceptance. Where the PSP's answer is lost, its record says what became of it, and nothing is sent blindly.",
  },
  schema: { path: Type.Object({ id: disputeFields.id }) },
  answers: {
    200: { description: 'It is accepted.', schema: acceptanceShape, example: acceptanceExample },
    202: {
      description:
        "It is on its way, or the PSP's answer was lost: its record resolves that; look again later.",
      schema: acceptanceShape,
      example: { ...acceptanceExample, state: 'unknown', reason: 'no answer within 10000 ms' },
    },
    404: detailDocs('There is none with this id.', 'Not Found'),
    409: detailDocs(
      'It is not open, its stage has its answer, or the PSP lets nobody accept it through an API.',
      "Worldpay has no API to accept disputes. Accept it in the PSP's dashboard.",
    ),
    502: detailDocs(
      'The PSP did not take it; it may be tried again.',
      'It was not accepted: Stripe answered HTTP 400 invalid_request_error',
    ),
  },
  async answer({ path }, { answers, merchantId }: DisputesContext) {
    const input = { merchantId, disputeId: path.id, actor: 'merchant' };
    const answer = acceptAnswer(await answers.accept(input));
    if (answer.status === 404) return notFound;
    return 'message' in answer
      ? detailAnswer(answer.status, answer.message)
      : jsonAnswer(answer.status, answer.acceptance);
  },
});
