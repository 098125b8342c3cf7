/** One header in the docs, as the OpenAPI generator takes it. */
interface HeaderDocs {
  readonly type: 'string' | 'integer';
  readonly description: string;
}

const requestId: HeaderDocs = {
  type: 'string',
  description: "The request's id: your own, if you sent a Request-Id, or a fresh UUID.",
};

/** Headers that a request may carry. */
export function requestHeaderDocs(method: string): object {
  const own = {
    'Request-Id': {
      type: 'string',
      description: 'Your id of this request, given back. Letters, digits, dot, _, - and :.',
      maxLength: 128,
    },
  };
  if (method === 'GET') return { type: 'object', properties: own };
  const key = {
    type: 'string',
    description:
      'Makes a repetition harmless for 24 hours: the same request under the same key is answered ' +
      'as the first one was. 1 to 255 visible ASCII characters, bare or in double quotes. What was ' +
      'carried out, not found or refused by the present state is repeated; after a 400, 415, 429 ' +
      'or 500 the same key may be sent with another body.',
    examples: ['"8e03978e-40d5-43e8-bc93-6894a57f9324"'],
  };
  return { type: 'object', properties: { 'Idempotency-Key': key, ...own } };
}

/** Headers that an answer of a method and a status carries. */
export function answerHeaderDocs(
  method: string,
  status: number,
): Readonly<Record<string, HeaderDocs>> {
  if ([403, 408, 421, 431].includes(status)) return { 'Request-Id': requestId };
  return {
    'Request-Id': requestId,
    'RateLimit-Policy': { type: 'string', description: 'Requests (q) in a window of w seconds.' },
    RateLimit: {
      type: 'string',
      description: 'Requests left (r), seconds to the next window (t).',
    },
    ...((status === 409 || status === 429 || status === 503) && {
      'Retry-After': { type: 'integer', description: 'Seconds to wait. Not on every 409.' },
    }),
    ...(method !== 'GET' &&
      status === 200 && {
        'Idempotent-Replayed': { type: 'string', description: 'true on a repeated answer.' },
      }),
  };
}
