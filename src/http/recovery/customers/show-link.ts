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

/** GET /recover/customer_links/{token} */
export const showLink = defineEndpoint({
  method: 'GET',
  path: '/recover/customer_links/{token}',
  scope: 'read',
  docs: {
    id: 'showCustomerLink',
    tag: 'Customers',
    summary: 'Look up which payment a customer came for',
    description:
      'Your page is opened with a token in its address. Your server learns here which payment or card it names, ' +
      'and whether there is still something to mend.',
  },
  schema: { path: linkPath },
  answers: {
    200: {
      description: 'The payment that the link names, or the card.',
      schema: linkedPaymentShape,
      example: linkedPaymentExample,
    },
    ...linkRefusals,
  },
  async answer({ path }, { api, caller }: RecoveryContext) {
    const { merchantId } = caller;
    const found = await api.showCustomerLink({ merchantId, token: path.token });
    if (found.kind !== 'payment' && found.kind !== 'card') return linkRefusal(found);
    return jsonAnswer(200, linkJson(found));
  },
});
