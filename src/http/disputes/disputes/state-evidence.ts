import { Type } from 'typebox';
import { sentMessage } from '../../../disputes/added/is-sent.ts';
import type { StatedDetails } from '../../../disputes/evidence/stated-details.ts';
import { present } from '../../../domain/present.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { enumField, idField, shapedField, textField, timeField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { detailAnswer, notFound } from '../answers.ts';
import type { DisputesContext } from '../caller.ts';
import { detailDocs } from '../detail-docs.ts';
import { validationDocs } from '../validation-answer.ts';
import { disputeFields } from './dispute-shape.ts';
import { rebuttalFaults, rebuttalField } from './rebuttal-shape.ts';

const descriptionLength = 5_000;
/** A statement has room for 22 to 25 characters. */
const descriptorLength = 40;
const maxCharges = 100;

const descriptor = Type.Optional(textField('What the statement says.', descriptorLength));
const productDescription = Type.Optional(textField('What was sold.', descriptionLength));

const statedShape = Type.Object({
  rebuttal: Type.Optional(rebuttalField),
  product_description: Type.Optional(
    textField(
      'What was sold: of the disputed charge, and of all charges of its subscription.',
      descriptionLength,
    ),
  ),
  merchandise_or_services: Type.Optional(
    enumField(['merchandise', 'services'], 'Stripe and Checkout.com ask for it.'),
  ),
  provided_at: Type.Optional(timeField('When the customer was given it.')),
  descriptor: Type.Optional(textField('What statements say, of all charges.', descriptorLength)),
  email_is_login: Type.Optional(
    Type.Boolean({ description: 'Whether customers sign in with the captured e-mail address.' }),
  ),
  charges: Type.Optional(
    Type.Array(
      Type.Object({
        charge_id: idField("The PSP's id of the charge."),
        arn: Type.Optional(
          shapedField('Its acquirer reference number.', '^\\d{23}$', 'an ARN of 23 digits'),
        ),
        descriptor,
        product_description: productDescription,
      }),
      { maxItems: maxCharges, description: 'What holds for single charges.' },
    ),
  ),
});
type Stated = Type.Static<typeof statedShape>;

const example = {
  product_description: 'Acme Pro, one month',
  merchandise_or_services: 'services',
  provided_at: '2026-06-01T12:00:00Z',
  charges: [{ charge_id: 'ch_0990', arn: '74537604221222100000001' }],
  rebuttal: 'The customer signed in on 3 June and used the service until the charge.',
};

/** POST /v1/disputes/{id}/evidence */
export const stateEvidence = defineEndpoint({
  method: 'POST',
  path: '/v1/disputes/{id}/evidence',
  scope: 'act',
  docs: {
    id: 'stateEvidence',
    tag: 'Evidence',
    summary: "Add to a dispute's evidence",
    description:
      'What only you know of its charges. It replaces what you stated before, but for the rebuttal, which stays as it is where none is given. Name no person outside of the rebuttal, which is sealed: what identifies customers belongs in analytics records.',
  },
  schema: { path: Type.Object({ id: disputeFields.id }), body: statedShape },
  body: {
    mediaType: 'application/json',
    examples: { example },
    rules: (value) => rebuttalFaults(value, 'rebuttal'),
  },
  answers: {
    200: {
      description: 'It is kept.',
      schema: Type.Object({ id: disputeFields.id }),
      example: { id: 'dis_4c1vbz7p0x9k2m5n8q3r6t0w' },
    },
    404: detailDocs('There is none with this id.', 'Not Found'),
    409: detailDocs('The rebuttal was sent on with the evidence; nothing was kept.', sentMessage),
    422: validationDocs,
  },
  async answer({ path, body }, { answers, merchantId }: DisputesContext) {
    const { id: disputeId } = path;
    if (body.rebuttal !== undefined) {
      const text = body.rebuttal;
      const writing = { merchantId, disputeId, text, actor: 'merchant' };
      const { kind } = await answers.writeRebuttal(writing);
      if (kind === 'not_found') return notFound;
      if (kind === 'sent') return detailAnswer(409, sentMessage);
    }
    const isKept = await answers.state({ merchantId, disputeId, details: detailsOf(body) });
    return isKept ? jsonAnswer(200, { id: disputeId }) : notFound;
  },
});

function detailsOf(told: Stated): StatedDetails {
  const charges = told.charges?.map(
    ({ charge_id, arn, descriptor: text, product_description: sold }) =>
      [charge_id, present({ arn, descriptor: text, productDescription: sold })] as const,
  );
  return present({
    productDescription: told.product_description,
    merchandiseOrServices: told.merchandise_or_services,
    providedAt: told.provided_at,
    descriptor: told.descriptor,
    emailIsLogin: told.email_is_login,
    charges: charges && Object.fromEntries(charges),
  });
}
