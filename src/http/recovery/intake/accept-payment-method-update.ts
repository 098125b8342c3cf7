import { Type } from 'typebox';
import { type Fault, fieldRequired } from '../../../domain/json/fault.ts';
import { updateReasons } from '../../../domain/payment-event.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { enumField, idField } from '../../fields.ts';
import type { RecoveryContext } from '../caller.ts';
import { receiptAnswer, receiptDocs } from './receipt.ts';

export const updateSchema = Type.Object(
  {
    customer_id: Type.Optional(
      idField(
        "The customer's id in your subscription platform. May be left out where psp_customer_id " +
          'is given.',
      ),
    ),
    psp_customer_id: Type.Optional(idField("The customer's id at the PSP.")),
    payment_method_id: idField("The PSP's id of the payment method."),
    reason: Type.Optional(
      enumField(updateReasons, 'What led to the update. Without one it counts as user_updated.'),
    ),
  },
  { description: 'One payment method that was added, removed or updated.' },
);

/**
 * POST /recover/payment_method_updates. One of the two customer ids has to be there: customer_id is
 * the required one, and psp_customer_id alone stands in for it, since a customer is found by either.
 * Without both there is one fault, at customer_id.
 */
export const acceptPaymentMethodUpdate = defineEndpoint({
  method: 'POST',
  path: '/recover/payment_method_updates',
  scope: 'intake',
  docs: {
    id: 'acceptPaymentMethodUpdate',
    tag: 'Intake',
    summary: 'Report a payment method update',
    description:
      'Send every payment method that a customer or a network added, removed or updated. An added ' +
      'or updated one pulls the next retry of that customer forward; a removed one is not tried ' +
      'again. At least one of customer_id and psp_customer_id has to be given.',
  },
  schema: { body: updateSchema },
  documented: {
    body: {
      ...updateSchema,
      anyOf: [{ required: ['customer_id'] }, { required: ['psp_customer_id'] }],
    },
  },
  body: {
    rules: customerFaults,
    examples: {
      added: {
        customer_id: 'cus_1001',
        payment_method_id: 'pm_sandbox_success',
        reason: 'user_added',
      },
      known_at_the_psp_only: {
        psp_customer_id: 'cus_NffrFeUfNV2Hib',
        payment_method_id: 'pm_1MqLiJLkdIwHu7ix',
        reason: 'network_updated',
      },
    },
  },
  answers: receiptDocs,
  async answer({ body }, { api, caller, receiptUuid }: RecoveryContext) {
    return receiptAnswer(
      await api.acceptPaymentMethodUpdate({
        merchantId: caller.merchantId,
        body,
        uuid: receiptUuid,
      }),
    );
  },
});

/** One of the two customer ids has to be there. */
export function customerFaults(value: unknown): readonly Fault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const isNamed = 'customer_id' in value || 'psp_customer_id' in value;
  return isNamed ? [] : [{ at: 'customer_id', text: fieldRequired }];
}
