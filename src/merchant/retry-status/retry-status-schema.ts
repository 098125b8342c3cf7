import { Ajv, type ValidateFunction } from 'ajv';
import { type Static, type TSchema, Type } from 'typebox';
import { guardCards } from '../../domain/cards/guard-cards.ts';
import { dropNulls, type Shape } from '../../domain/json/shape.ts';
import { limits } from '../../domain/limits.ts';
import type { JsonObject } from '../../domain/payment.ts';

/** The decision alone: read first, since a no needs nothing else to be valid. */
export const Decision = Type.Object({
  retry: Type.Boolean({ description: 'Whether the invoice may be charged now.' }),
  reason: Type.String({
    description: 'Why. With retry false it ends the recovery and is kept with the payment.',
  }),
});

const id = (description: string) =>
  Type.String({ minLength: 1, maxLength: limits.idLength, description, 'x-id': true });
const short = (description: string) => Type.String({ maxLength: limits.idLength, description });
const text = (description: string) => Type.String({ description });

const Token = Type.Object(
  {
    id: Type.Optional(id("The token's id at the PSP.")),
    expiration_month: Type.Optional(short("Two digits: the month in which the card's time ends.")),
    expiration_year: Type.Optional(
      short('Two digits: the year of that month. Four, such as 2029, are read too.'),
    ),
    card_validation_number: Type.Optional(
      short(
        "The card's verification number. 000 stands for the one in the token, at a PSP that keeps it there.",
      ),
    ),
  },
  {
    description: 'The token to charge with. Its card code is used for this charge and never kept.',
  },
);

const BillingAddress = Type.Object(
  {
    name: Type.Optional(text('Full name of the person.')),
    city: Type.Optional(text('The city.')),
    state: Type.Optional(text('Two characters, such as TX.')),
    zip: Type.Optional(text('Five digits, such as 73301.')),
    phone: Type.Optional(text('A telephone number.')),
  },
  { description: "The payment method's billing address." },
);

const Method = Type.Object({
  id: Type.Optional(id("The payment method's id at the PSP.")),
  network_transaction_id: Type.Optional(
    id("The network's id of the method's first successful transaction."),
  ),
  bin: Type.Optional(short("The card's first four to six digits, which identify its issuer.")),
  token: Type.Optional(Token),
  billing_address: Type.Optional(BillingAddress),
});

/** What a yes may say besides. Types are strict: no text for a number. An optional field that is null is not there. */
export const Consent = Type.Object({
  retry: Type.Literal(true),
  reason: Type.String(),
  amount: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      description:
        'What to charge, in major units; no more than is owed. Without it: what is owed.',
    }),
  ),
  metadata: Type.Optional(
    Type.Unsafe<JsonObject>({ type: 'object', description: 'Added to the charge at the PSP.' }),
  ),
  payment_methods: Type.Optional(
    Type.Array(Method, {
      description: `What may be charged, in this order; one attempt charges the first ${limits.methodsPerAttempt} of those that can be charged.`,
    }),
  ),
});

/** What is read of either beside the check. */
export const decisionShape = Decision as TSchema as Shape;
export const consentShape = Consent as TSchema as Shape;

export type DecisionBody = Static<typeof Decision>;
export type ConsentBody = Static<typeof Consent>;
export type MethodBody = Static<typeof Method>;

/** Compiled for the first answer: a start does not wait for it. */
const isDecision = checkOf<DecisionBody>(Decision);
const isConsent = checkOf<ConsentBody>(Consent);

function checkOf<Body>(schema: TSchema): () => ValidateFunction<Body> {
  let compiled: ValidateFunction<Body> | undefined;
  return () => {
    compiled ??= new Ajv({ strict: true, keywords: ['x-id'] }).compile<Body>(schema);
    return compiled;
  };
}

export type Reading<Body> =
  | { readonly kind: 'fits'; readonly body: Body }
  /** `fault` names the place and the rule, such as `/amount must be number`; never the value. */
  | { readonly kind: 'fault'; readonly fault: string };

/** Whether a JSON value is a retry-status answer at all. */
export function readDecision(value: unknown): Reading<DecisionBody> {
  return read(isDecision(), value);
}

/** The whole of an answer with `retry: true`; unknown fields are ignored. */
export function readConsent(value: unknown): Reading<ConsentBody> {
  dropNulls(consentShape, value);
  const reading = read(isConsent(), value);
  if (reading.kind === 'fault') return reading;
  const [card] = guardCards(consentShape, value);
  return card === undefined
    ? reading
    : { kind: 'fault', fault: `/${card.at.replaceAll('.', '/')} ${cardWords}` };
}

const cardWords = 'must be an id, not the number of a card';

function read<Body>(fits: ValidateFunction<Body>, value: unknown): Reading<Body> {
  if (fits(value)) return { kind: 'fits', body: value };
  const [error] = fits.errors ?? [];
  const place = error?.instancePath === '' ? 'the answer' : error?.instancePath;
  return { kind: 'fault', fault: `${place} ${error?.message}` };
}
