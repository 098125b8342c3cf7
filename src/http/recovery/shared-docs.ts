import { Type } from 'typebox';
import { fieldRequired } from '../../domain/json/fault.ts';
import type { DescribedAnswer } from '../endpoint/define-endpoint.ts';
import type { Answer } from '../server/answer.ts';
import {
  forbidden,
  invalidRequest,
  keyAnswers,
  pathNotFound,
  serverError,
  serviceBusy,
  tooManyRequests,
  transportAnswers,
  unsupportedMediaType,
} from './answers.ts';

const refusal = Type.Object({ message: Type.String(), errors: Type.String() });

const invalid = Type.Object({
  message: Type.String({ default: 'Invalid request body' }),
  errors: Type.Array(Type.Record(Type.String(), Type.String()), {
    description:
      'Every fault, each an object that maps a location to a text. A location is a dotted path ' +
      'such as transactions.0.amount, the name of a header or of a query parameter, or body.',
  }),
});

/** The docs of an answer that is the same for every endpoint, with the answer itself as example. */
function shared(answer: Answer, description: string, schema = refusal): DescribedAnswer {
  return { description, schema, example: JSON.parse(answer.body) as object };
}

const always: Readonly<Record<number, DescribedAnswer>> = {
  403: shared(
    forbidden,
    'The API key is missing, unknown, expired or revoked, or it lacks the scope, which `errors` names.',
  ),
  404: {
    description: 'No such method and path; answered with or without a key.',
    schema: Type.Object({ message: Type.String() }),
    example: JSON.parse(pathNotFound.body) as object,
  },
  408: shared(transportAnswers.tooSlow, 'The request did not arrive within 20 seconds.'),
  421: shared(transportAnswers.wrongHost, 'The Host header names an address that is not served.'),
  429: shared(tooManyRequests(42), 'Too many requests in this minute, or too many at once.'),
  503: shared(
    serviceBusy,
    'More is under way than the service can take, or its database takes no writes. Sending the ' +
      'request again is safe with a key.',
  ),
  431: shared(
    transportAnswers.headersTooLarge,
    'The request line and the headers are longer than 16 KiB together.',
  ),
  500: shared(
    serverError,
    'A failure on our side; with `Retry-After` where it ends by itself. Sending the request again is safe with a key.',
  ),
};

const invalidAnswer: DescribedAnswer = {
  description: 'The request failed validation.',
  schema: invalid,
  example: JSON.parse(
    invalidRequest([{ at: 'payment_method_id', text: fieldRequired }]).body,
  ) as object,
};

/** Answers of every GET; one that takes anything may also be refused with 400. */
export function getAnswers(takesInput: boolean): Readonly<Record<number, DescribedAnswer>> {
  return takesInput ? { 400: invalidAnswer, ...always } : always;
}

/** Answers of every POST. */
export const postAnswers: Readonly<Record<number, DescribedAnswer>> = {
  400: invalidAnswer,
  ...always,
  409: shared(keyAnswers.inFlight, 'A request with this Idempotency-Key is still being processed.'),
  415: shared(unsupportedMediaType, 'The Content-Type is missing or not application/json.'),
  422: shared(keyAnswers.mismatch, 'The Idempotency-Key was used for another request.'),
};
