import { Type } from 'typebox';
import type { ValidationItem } from '../../domain/analytics/validation-item.ts';
import type { DescribedAnswer } from '../endpoint/define-endpoint.ts';
import { type Answer, jsonAnswer } from '../server/answer.ts';

/** 422: everything wrong with the request. */
export function validationAnswer(detail: readonly ValidationItem[]): Answer {
  return jsonAnswer(422, { detail: detail.map(itemJson) });
}

/** An item as it stands in answers: these three members, in this order. */
export function itemJson({ loc, msg, type }: ValidationItem) {
  return { loc, msg, type };
}

export const itemSchema = Type.Object({
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
    description: 'Where: `body` and the field, or `body` alone.',
  }),
  msg: Type.String(),
  type: Type.String(),
});

export const itemExample = {
  loc: ['body', 'customer_email'],
  msg: 'Field required',
  type: 'missing',
};

export const validationDocs: DescribedAnswer = {
  description: 'The request is not valid. What was sent is not repeated.',
  schema: Type.Object({ detail: Type.Array(itemSchema) }),
  example: { detail: [itemExample] },
};
