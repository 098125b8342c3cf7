import { Type } from 'typebox';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { jsonAnswer } from '../../server/answer.ts';
import type { RecoveryContext } from '../caller.ts';
import {
  linkedPaymentExample,
  linkedPaymentShape,
  linkJson,
  linkPath,
  linkRefusal,
  linkRefusals,
} from './link-parts.ts';

/** POST /recover/customer_links/{token}/visits */
export const noteVisit = defineEndpoint({
  method: 'POST',
  path: '/recover/customer_links/{token}/visits',
  scope: 'intake',
  docs: {
    id: 'noteCustomerVisit',
    tag: 'Customers',
    summary: 'Tell that a customer opened your page',
    description: "It stands in the payment's timeline. The payment, or the card, stays as it is.",
  },
  schema: {
    path: linkPath,
    body: Type.Object({}, { description: 'May be left out: there is nothing in it.' }),
  },
  body: { isOptional: true, examples: { visit: {} } },
  answers: {
    200: {
      description: 'It is kept. The payment that the link names, or the card.',
      schema: linkedPaymentShape,
      example: linkedPaymentExample,
    },
    ...linkRefusals,
  },
  async answer({ path }, { api, caller, receiptUuid }: RecoveryContext) {
    const { merchantId } = caller;
    const of = { merchantId, token: path.token, uuid: receiptUuid };
    const noted = await api.noteCustomerVisit(of);
    if (noted.kind !== 'payment' && noted.kind !== 'card') return linkRefusal(noted);
    return jsonAnswer(200, linkJson(noted));
  },
});
