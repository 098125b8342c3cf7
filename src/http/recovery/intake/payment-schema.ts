import { Type } from 'typebox';
import { limits } from '../../../domain/limits.ts';
import { billingPeriods, fundingSources } from '../../../domain/payment-event.ts';
import type { PspFacts } from '../../../domain/psps/psp-facts.ts';
import { pspFacts, psps } from '../../../domain/psps.ts';
import {
  enumField,
  idField,
  objectField,
  shapedField,
  textField,
  timeField,
} from '../../fields.ts';
import { oneOfText } from '../../schema-fault.ts';

/** Longest name of a card scheme or of a reporting group. */
const nameLength = 64;
const country = '^[A-Za-z]{2}$';
const countryText = 'a country code of two letters, such as US';

const customer = Type.Object({
  id: idField("The customer's id in your subscription platform."),
  psp_id: Type.Optional(idField("The customer's id at the PSP.")),
  created_at: Type.Optional(timeField('When the customer was created.')),
  postal_code: Type.Optional(textField("The customer's postal code.")),
  email: Type.Optional(
    textField(
      'Where the customer is written to, if your operator switched messages on for you: kept sealed then, and dropped otherwise.',
    ),
  ),
  language: Type.Optional(
    textField('The language of these messages, such as en or pt-BR. Default: yours.', nameLength),
  ),
  time_zone: Type.Optional(
    textField(
      "The customer's zone (IANA), such as Europe/Berlin, for quiet hours. Default: yours.",
      nameLength,
    ),
  ),
});

const subscription = Type.Object({
  id: idField("The subscription's id in your system."),
  start_date: timeField('When the subscription began.'),
  end_date: Type.Optional(timeField('When it ends or ended.')),
  discounted_or_free_period: Type.Optional(
    Type.Boolean({ description: 'Whether a discount or a free period ended with this payment.' }),
  ),
  product_id: Type.Optional(idField('What is subscribed to.')),
  billing: Type.Optional(
    Type.Object({
      period: Type.Optional(enumField(billingPeriods, 'The unit of the billing cycle.')),
      frequency: Type.Optional(Type.Integer({ description: 'Units per cycle.', minimum: 1 })),
    }),
  ),
});

const invoice = Type.Object({
  id: idField("The invoice's id in your system; its recovery goes by this id."),
  created_at: timeField('When the invoice was created.'),
});

const outcome = Type.Object({
  raw_response_message: textField('What the issuer answered, as it came.', limits.messageLength),
  psp_response_message: Type.Optional(textField("The PSP's words.", limits.messageLength)),
  processor_response_code: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'number'],
      maxLength: limits.idLength,
      description: "The processor's response code.",
    }),
  ),
  network_status: Type.Optional(textField("The network's status.")),
  response_type: Type.Optional(
    enumField(['soft_decline', 'hard_decline'], 'How the PSP classes the decline.'),
  ),
});

const transaction = Type.Object({
  id: idField("The transaction's id in your system."),
  psp_transaction_id: idField("The transaction's id at the PSP."),
  psp: enumField(psps, 'The PSP that processed the transaction.'),
  acquirer_country: shapedField("The acquirer's country.", country, countryText),
  amount: Type.Number({ description: 'The amount in major units, such as 12.23.' }),
  currency: shapedField(
    'The currency (ISO 4217).',
    '^[A-Z]{3}$',
    'a currency code of three capital letters, such as USD',
  ),
  funding_source: Type.Enum([...fundingSources, ...fundingSources.map(upperCase)], {
    type: 'string',
    description: 'How the card is funded, in lower or upper case.',
    'x-fault': oneOfText(fundingSources),
  }),
  payment_method_id: idField("The PSP's id of the payment method."),
  psp_transaction_created_at: timeField('When the PSP made the transaction.'),
  scheme: Type.String({
    description: 'The card scheme, such as visa or mastercard.',
    minLength: 1,
    maxLength: nameLength,
  }),
  success: Type.Boolean({ description: 'Whether the charge succeeded.' }),
  outcome,
  network_transaction_id: Type.Optional(
    idField(`The transaction id of the card network. ${requiredWhere('network_transaction_id')}`),
  ),
  mid: Type.Optional(idField(`The merchant id at the acquirer. ${requiredWhere('mid')}`)),
  reporting_group: Type.Optional(textField('Your own reporting group.', nameLength)),
  billing_postal_code: Type.Optional(textField('The postal code of the billing address.')),
  auth: Type.Optional(textField('The authorisation code.')),
  bin: Type.Optional(
    shapedField("The card's first digits.", '^[0-9]{6,8}$', 'six to eight digits'),
  ),
  card_fingerprint: Type.Optional(
    idField('What the PSP names the card by, the same for each method id that stands for it.'),
  ),
  expiration_month: Type.Optional(
    shapedField(
      "The card's last month, with expiration_year. With subscription.billing.period too, customer_action_required tells of a card that ends before the next renewal.",
      '^(0?[1-9]|1[0-2])$',
      'a month from 01 to 12',
    ),
  ),
  expiration_year: Type.Optional(
    shapedField("The year of the card's last month.", '^(20)?\\d{2}$', 'a year such as 2027'),
  ),
  captured: Type.Optional(Type.Boolean({ description: 'Whether the amount was captured.' })),
  issuer_country: Type.Optional(shapedField("The issuer's country.", country, countryText)),
  refunded: Type.Optional(Type.Boolean({ description: 'Whether the amount was refunded.' })),
  enhanced_data: Type.Optional(
    Type.Object({
      level_2: Type.Optional(objectField('Level 2 data.')),
      level_3: Type.Optional(objectField('Level 3 data.')),
    }),
  ),
});

/** The body of POST /recover/payments: one billing attempt, failed or successful. */
export const paymentSchema = Type.Object(
  {
    customer,
    subscription,
    invoice,
    transactions: Type.Array(transaction, {
      description: 'One item for each payment method that was tried, in that order.',
      minItems: 1,
      maxItems: limits.transactionsPerPayment,
    }),
    custom: Type.Optional(
      objectField('Your own fields. They come back in the retry-status call and in webhooks.'),
    ),
  },
  { description: 'One billing attempt of one invoice.' },
);

function requiredWhere(field: PspFacts['wantedOfCharges'][number]): string {
  const wanting = psps.filter((psp) => pspFacts[psp].wantedOfCharges.includes(field));
  return `Required where psp is ${wanting.join(' or ')}.`;
}

function upperCase(word: string): string {
  return word.toUpperCase();
}
