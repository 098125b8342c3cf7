import { Type } from 'typebox';
import type { Order } from '../../../disputes/look-up-order.ts';
import type { Fault } from '../../../domain/json/fault.ts';
import { decimalNumber, minorFromDecimal } from '../../../domain/money.ts';
import { present } from '../../../domain/present.ts';
import { psps } from '../../../domain/psps.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { enumField, shapedField, textField, timeField } from '../../fields.ts';
import { isRfc3339 } from '../../rfc3339.ts';
import { jsonAnswer } from '../../server/answer.ts';
import type { DisputesContext } from '../caller.ts';
import { validationDocs } from '../validation-answer.ts';

const descriptorLength = 25;
const dayShape = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$';
const dayText = 'a day such as 2026-06-01';

const orderQuestion = Type.Object({
  card_bin: shapedField("The card's first digits.", '^\\d{6,8}$', 'six to eight digits'),
  card_last4: Type.Optional(shapedField('Its last four.', '^\\d{4}$', 'four digits')),
  amount: Type.Number({ description: 'What was charged, as a decimal.' }),
  currency: shapedField('Its currency.', '^[A-Z]{3}$', 'three upper-case letters of ISO 4217'),
  transaction_date: shapedField(
    'The day of the charge; a day more or less is looked at.',
    dayShape,
    dayText,
  ),
  descriptor: Type.Optional(textField('What the statement says.', descriptorLength)),
});
type OrderQuestion = Type.Static<typeof orderQuestion>;

function ruleFaults(value: unknown): readonly Fault[] {
  const { amount, currency, transaction_date: day } = (value ?? {}) as Partial<OrderQuestion>;
  const isAmount = typeof amount === 'number' && typeof currency === 'string';
  const minor = isAmount ? minorFromDecimal(amount, currency) : { amountMinor: 0 };
  // What is no day by its form, the schema has said already.
  const isDay =
    typeof day !== 'string' || !new RegExp(dayShape).test(day) || isRfc3339(startOf(day));
  return [
    ...('fault' in minor ? [{ at: 'amount', text: 'Input is no amount of the currency' }] : []),
    ...(isDay ? [] : [{ at: 'transaction_date', text: `Input should be ${dayText}` }]),
  ];
}

function startOf(day: string): string {
  return `${day}T00:00:00Z`;
}

const orderShape = Type.Object({
  charge_id: Type.String(),
  psp: enumField(psps, 'Where the charge was made.'),
  amount: Type.Number(),
  currency: Type.String(),
  charged_at: timeField('When.'),
  invoice_id: Type.String(),
  subscription_id: Type.Optional(Type.String()),
  customer_id: Type.String(),
  product: Type.Optional(Type.String({ description: "The subscription's product." })),
  is_renewal: Type.Boolean({
    description: 'Whether an earlier charge of its subscription is known.',
  }),
  checkout: Type.Optional(
    Type.Object(
      {
        captured_at: Type.Optional(timeField('When the customer checked out.')),
        is_inherited: Type.Boolean({ description: 'Of an earlier charge.' }),
        customer_email: Type.String(),
        ipv4_address: Type.String(),
        user_agent: Type.Optional(Type.String()),
      },
      { description: 'In clear text; the audit log says that it was read.' },
    ),
  ),
});

const example = {
  card_bin: '424242',
  card_last4: '4242',
  amount: 49,
  currency: 'EUR',
  transaction_date: '2026-06-01',
  descriptor: 'ACME* PRO',
};

/** What Recoup does not hold, and so compares with nothing. */
const notCompared = ['card_last4', 'descriptor'] as const;

/** POST /v1/orders/lookup */
export const lookUpOrder = defineEndpoint({
  method: 'POST',
  path: '/v1/orders/lookup',
  scope: 'read',
  docs: {
    id: 'lookUpOrder',
    tag: 'Disputes',
    summary: 'Look up the order behind a charge',
    description:
      "For networks' order look-ups before a dispute is filed. Amount, day and the card's first digits have to name one charge alone: of several none is returned.",
  },
  schema: { body: orderQuestion },
  body: { rules: ruleFaults, mediaType: 'application/json', examples: { example } },
  answers: {
    200: {
      description: 'What was found.',
      schema: Type.Object({
        result: enumField(['found', 'none', 'ambiguous'], 'Whether one charge fits.'),
        not_compared: Type.Array(enumField(notCompared, 'Recoup does not hold it.')),
        order: Type.Optional(orderShape),
      }),
      example: { result: 'none', not_compared: ['card_last4', 'descriptor'] },
    },
    422: validationDocs,
  },
  async answer({ body }, { answers, merchantId }: DisputesContext) {
    const { card_bin: cardBin, amount, currency, transaction_date: day } = body;
    const minor = minorFromDecimal(amount, currency);
    const found = await answers.lookUpOrder({
      merchantId,
      cardBin,
      money: { amountMinor: 'fault' in minor ? 0 : minor.amountMinor, currency },
      chargedOn: new Date(startOf(day)),
      reader: { actor: 'merchant', reason: 'order look-up' },
    });
    return jsonAnswer(200, {
      result: found.kind,
      not_compared: notCompared.filter((field) => body[field] !== undefined),
      ...(found.kind === 'found' && { order: orderJson(found.order) }),
    });
  },
});

function orderJson({ charge, isRenewal, checkout }: Order): Type.Static<typeof orderShape> {
  return present({
    charge_id: charge.id,
    psp: charge.psp,
    amount: decimalNumber(charge.money),
    currency: charge.money.currency,
    charged_at: charge.processedAt.toISOString(),
    invoice_id: charge.invoiceId,
    subscription_id: charge.subscriptionId,
    customer_id: charge.customerId,
    product: charge.product,
    is_renewal: isRenewal,
    checkout:
      checkout &&
      present({
        captured_at: checkout.capturedAt?.toISOString(),
        is_inherited: checkout.isInherited,
        customer_email: checkout.data.customerEmail,
        ipv4_address: checkout.data.ipv4Address,
        user_agent: checkout.data.userAgent,
      }),
  });
}
