import { Type } from 'typebox';
import { limits } from '../../../domain/limits.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { timeField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { detailAnswer, notFound } from '../answers.ts';
import type { DisputesContext } from '../caller.ts';
import { detailDocs } from '../detail-docs.ts';

const held = 'Disputes hold evidence about this customer; nothing was erased.';

/** DELETE /v1/customers/{customer_id}: erases a person. */
export const eraseCustomer = defineEndpoint({
  method: 'DELETE',
  path: '/v1/customers/{customer_id}',
  scope: 'act',
  docs: {
    id: 'eraseCustomer',
    tag: 'Customers',
    summary: 'Erase a customer',
    description:
      'Destroys the key that opens the analytics records of the customer, the indexes that find them and the ids in them; analytics records without a customer id that carry their e-mail address are theirs too, and so are rebuttals and attachments of their disputes that have ended. A repetition answers the same.',
  },
  schema: {
    path: Type.Object({ customer_id: Type.String({ description: 'As it was submitted.' }) }),
  },
  answers: {
    200: {
      description: 'The customer is erased.',
      schema: Type.Object({
        customer_id: Type.String(),
        erased_at: timeField('When the key was destroyed.'),
        records: Type.Integer({ description: 'Analytics records that can be read no more.' }),
        proof: Type.String({
          description:
            'SHA-256 in hexadecimal of what was destroyed; the audit log holds what it is of.',
        }),
      }),
      example: {
        customer_id: 'cus_1001',
        erased_at: '2026-06-01T00:00:00.000Z',
        records: 2,
        proof: '5f1d7c6e0b0a4e0c8f3f8a6d1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e',
      },
    },
    404: detailDocs('No analytics record ever named this customer.', 'Not Found'),
    409: detailDocs('An open dispute needs evidence about them.', held),
  },
  async answer({ path }, { api, merchantId }: DisputesContext) {
    const { customer_id: customerId } = path;
    // No analytics record can have named such a customer.
    if ([...customerId].length > limits.idLength) return notFound;
    const outcome = await api.eraseCustomer({ merchantId, customerId });
    switch (outcome.kind) {
      case 'unknown_customer':
        return notFound;
      case 'held':
        return detailAnswer(409, held);
      case 'erased':
        return jsonAnswer(200, {
          customer_id: customerId,
          erased_at: outcome.erasure.erasedAt.toISOString(),
          records: outcome.erasure.records,
          proof: outcome.erasure.proof,
        });
    }
  },
});
