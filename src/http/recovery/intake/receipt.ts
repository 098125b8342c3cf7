import { Type } from 'typebox';
import { formatRequestId, numberOf, type RequestId } from '../../../domain/request-id.ts';
import type { DescribedAnswer } from '../../endpoint/define-endpoint.ts';
import type { Answer } from '../../server/answer.ts';

const message = 'Request submitted for processing';

/** 200: the request is committed. Built as text, since its members never need an escape. */
export function receiptAnswer(requestId: RequestId): Answer {
  return {
    status: 200,
    body: `{"message":"${message}","request_id":"${formatRequestId(requestId)}"}`,
  };
}

export const requestIdExample = formatRequestId({
  uuid: '6f1c2c1e-3b1d-4a53-9d0f-0d7b7f3f6a11',
  number: numberOf('6f1c2c1e-3b1d-4a53-9d0f-0d7b7f3f6a11'),
  partition: 7,
});

const receiptSchema = Type.Object(
  {
    message: Type.String({ default: message }),
    request_id: Type.String({
      description: 'A UUID, a number of 56 digits and a 12-digit partition, with colons between.',
    }),
  },
  { title: 'Receipt' },
);

export const receiptDocs: Readonly<Record<number, DescribedAnswer>> = {
  200: {
    description: 'The request is stored durably and will be processed.',
    schema: receiptSchema,
    example: { message, request_id: requestIdExample },
  },
};
