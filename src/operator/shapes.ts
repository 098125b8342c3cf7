import { type TSchema, Type } from 'typebox';
import { limits } from '../domain/limits.ts';
import { shapedField } from '../http/fields.ts';
import type { Page } from '../recovery/api.ts';

/** Parts that several routes' schemas share. */

/** Ids are ours, so nothing longer than we make can name anything. */
const ourIdLength = 64;

export function ourIdField(description: string) {
  return Type.String({ description, minLength: 1, maxLength: ourIdLength, 'x-id': true });
}

export const merchantIdField = ourIdField("The merchant's id, as its creation answered it.");

export const merchantPath = Type.Object({ id: merchantIdField });

/** Text of a few lines at most that a person wrote and others will read. */
export function messageField(description: string, maxLength: number) {
  const pattern = `^(?=.*\\S)[^\\x00-\\x1f\\x7f]{1,${maxLength}}$`;
  return shapedField(description, pattern, `1 to ${maxLength} characters without line breaks`);
}

export const pageQuery = {
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Reads on: the next_cursor of the page before.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.maxPageSize, default: limits.pageDefault }),
  ),
};

/** The page's part of a query, as the use cases take it. */
export function pageOf(query: { readonly cursor?: string; readonly limit?: number }): {
  readonly cursor?: string;
  readonly limit: number;
} {
  const { cursor, limit = limits.pageDefault } = query;
  return cursor === undefined ? { limit } : { cursor, limit };
}

export function pageShape<Item extends TSchema>(item: Item, description: string) {
  return Type.Object(
    {
      items: Type.Array(item),
      next_cursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
    },
    { description },
  );
}

/** A page of a use case as the API shows it. */
export function pageJson<Item, Json>(
  page: Page<Item>,
  itemJson: (item: Item) => Json,
): { readonly items: readonly Json[]; readonly next_cursor?: string } {
  const items = page.items.map(itemJson);
  return page.nextCursor === undefined ? { items } : { items, next_cursor: page.nextCursor };
}

/** The shape of every refusal; the server knows it by its `$id`. */
export const refusalShape = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: 'A code of docs/errors.md.' }),
      message: Type.String({ description: 'What is wrong and what to do, in words.' }),
      fields: Type.Optional(
        Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
          description: 'Every field at fault, of an invalid request.',
        }),
      ),
    }),
  },
  {
    $id: 'Refusal',
    examples: [
      {
        error: {
          code: 'invalid_request',
          message: 'The request is not valid. Correct it and send it again.',
          fields: [{ field: 'webhook_url', message: 'Field required' }],
        },
      },
    ],
  },
);

const refusalMessage = {
  400: 'The request is not valid; every field at fault is named.',
  404: 'What you asked for does not exist.',
  406: 'It is not available in the format of the Accept header.',
  409: 'The request does not fit the current state.',
  413: 'The body is too large.',
  415: 'A body came that is not said to be JSON.',
  422: 'The PSP did not take it; nothing was changed there.',
} as const;

/** The refusals of a route behind the token, for its `response`: those given, and the common ones. */
export function refusals(
  ...statuses: readonly (keyof typeof refusalMessage)[]
): Readonly<Record<number, TSchema>> {
  const own = statuses.map((status) => [status, refusal(refusalMessage[status])]);
  return {
    ...Object.fromEntries(own),
    401: refusal('The operator token is missing or wrong.'),
    403: refusal('What the caller may do does not include it.'),
    408: refusal('The request did not arrive within 20 seconds.'),
    421: refusal('The Host header names an address that is not served.'),
    429: refusal('Too many requests in this minute, or too many at once; Retry-After says when.'),
    431: refusal('The request line and the headers are longer than 16 KiB together.'),
    500: refusal('An internal error occurred in Recoup.'),
    503: refusal('The database does not answer.'),
  };
}

function refusal(description: string): TSchema {
  return { $ref: 'Refusal#', description };
}

export function countField(description: string) {
  return Type.Integer({ minimum: 0, description });
}

/** A figure of a report, with its bounds where there are enough payers for them. */
export function figureShape(description: string) {
  return Type.Object(
    {
      value: Type.Number(),
      low: Type.Optional(
        Type.Number({ description: 'With `high`: the bounds of 95 % confidence.' }),
      ),
      high: Type.Optional(Type.Number()),
    },
    { title: 'Figure', description },
  );
}
