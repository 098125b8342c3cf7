import { Type } from 'typebox';
import { type Fault, fieldRequired } from '../../../domain/json/fault.ts';
import { limits } from '../../../domain/limits.ts';
import { updateReasons } from '../../../domain/payment-event.ts';
import { present } from '../../../domain/present.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { enumField, idField } from '../../fields.ts';
import type { RecoveryContext } from '../caller.ts';
import { receiptAnswer, receiptDocs } from './receipt.ts';

export const updateSchema = Type.Object(
  {
    customer_id: Type.Optional(
      customerIdField(
        "The customer's id in your subscription platform. May be left out, or empty, where " +
          'psp_customer_id is given.',
      ),
    ),
    psp_customer_id: Type.Optional(
      customerIdField(
        "The customer's id at the PSP. May be left out, or empty, where customer_id is given.",
      ),
    ),
    payment_method_id: idField("The PSP's id of the payment method."),
    reason: Type.Optional(
      enumField(updateReasons, 'What led to the update. Without one it counts as user_updated.'),
    ),
  },
  { description: 'One payment method that was added, removed or updated.' },
);

/**
 * POST /recover/payment_method_updates. One of the two customer ids has to be populated: customer_id is
 * the required one, and psp_customer_id alone stands in for it, since a customer is found by either.
 * Without both there is one fault, at customer_id. An empty one beside the other is as good as left
 * out: systems that write every column send it so, and the update names its customer all the same.
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
    const { customer_id, psp_customer_id, ...rest } = body;
    return receiptAnswer(
      await api.acceptPaymentMethodUpdate({
        merchantId: caller.merchantId,
        body: {
          ...rest,
          ...present({
            customer_id: customer_id || undefined,
            psp_customer_id: psp_customer_id || undefined,
          }),
        },
        uuid: receiptUuid,
      }),
    );
  },
});

/** An id of a customer, which may be empty beside the other one: `customerFaults` sees to that. */
function customerIdField(description: string) {
  return Type.String({ description, maxLength: limits.idLength, 'x-id': true });
}

/** One of the two customer ids has to be there, and not empty. */
export function customerFaults(value: unknown): readonly Fault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const ids = value as Readonly<Record<string, unknown>>;
  const given = ['customer_id', 'psp_customer_id'].filter((name) => ids[name] !== undefined);
  if (given.some((name) => ids[name] !== '')) return [];
  if (given.length === 0) return [{ at: 'customer_id', text: fieldRequired }];
  return given.map((at) => ({ at, text: 'String should have at least 1 character' }));
}
