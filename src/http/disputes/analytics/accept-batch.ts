import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { bodyMissing, type ValidationItem } from '../../../domain/analytics/validation-item.ts';
import { limits } from '../../../domain/limits.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { hasBody } from '../../endpoint/exchange.ts';
import { detailAnswer } from '../answers.ts';
import type { DisputesContext } from '../caller.ts';
import { detailDocs } from '../detail-docs.ts';
import { ndjson } from '../require-json.ts';
import {
  itemExample,
  itemJson,
  itemSchema,
  validationAnswer,
  validationDocs,
} from '../validation-answer.ts';
import { analyticsExample, analyticsIdExample, analyticsSchema } from './accept-analytics.ts';
import { inOrder } from './in-order.ts';
import { readJson, tooLong } from './read-analytics-record.ts';
import { type Line, readLines } from './read-lines.ts';

/** Rows that one batch has on the way to the database: two of its transactions' worth. */
const maxWindow = 1024;

const tooBlank = `A batch may have at most ${limits.batchRows} empty lines.`;
const tooLarge = `A batch may have at most ${limits.batchBytes} bytes.`;

/** POST /v1/analytics/batch: many analytics records, a line each, answered line by line. */
export const acceptBatch = defineEndpoint({
  method: 'POST',
  path: '/v1/analytics/batch',
  scope: 'intake',
  docs: {
    id: 'createAnalyticsBatch',
    tag: 'Analytics',
    summary: 'Submit many analytics records',
    description: `A line of JSON for each analytics record (NDJSON), at most ${limits.batchRows} rows and ${limits.batchBytes} bytes. Each is answered with a line, in order and while the rest is read: its id once it is durable, or what is wrong with it. After a broken connection, or a last line whose detail is a text, send the same body again with from_row: the rows before are passed over.`,
  },
  documented: {
    query: Type.Object({
      from_row: Type.Optional(
        Type.Integer({ minimum: 1, default: 1, description: 'The first line that is ingested.' }),
      ),
    }),
    body: analyticsSchema,
  },
  body: { mediaType: ndjson, examples: { example: analyticsExample } },
  answers: {
    200: {
      description: 'A line for each row.',
      mediaType: ndjson,
      schema: Type.Object({
        row: Type.Integer({ minimum: 1, description: 'The line of the body, from 1.' }),
        id: Type.Optional(Type.String()),
        detail: Type.Optional(
          Type.Union([Type.Array(itemSchema), Type.String()], {
            description: 'What is wrong with the row; a text where the batch ends here.',
          }),
        ),
      }),
      example: { row: 1, id: analyticsIdExample },
    },
    413: detailDocs('The body is too large.', tooLarge),
    422: { ...validationDocs, example: { detail: [{ ...itemExample, loc: ['body'] }] } },
  },
  async answer({ exchange }, context: DisputesContext) {
    const { query, raw: body } = exchange.request;
    const fromRow = fromRowOf((query as { readonly from_row?: unknown }).from_row);
    if (typeof fromRow !== 'number') return validationAnswer([fromRow]);
    if (!hasBody(exchange)) return validationAnswer([bodyMissing]);
    if (Number(body.headers['content-length']) > limits.batchBytes) {
      return detailAnswer(413, tooLarge);
    }
    // Buffered without bound but its own: a client that reads nothing before it has sent everything
    // would else wait for us as we for it.
    const stream = Readable.from(answerLines(context, body, fromRow), {
      highWaterMark: limits.batchRows,
    });
    return { status: 200, body: '', stream, headers: { 'content-type': ndjson } };
  },
});

function fromRowOf(value: unknown): number | ValidationItem {
  if (value === undefined) return 1;
  const loc = ['query', 'from_row'];
  if (typeof value !== 'string' || !/^-?[0-9]{1,9}$/.test(value)) {
    const msg = 'Input should be a valid integer, unable to parse string as an integer';
    return { loc, msg, type: 'int_parsing' };
  }
  if (Number(value) >= 1) return Number(value);
  return { loc, msg: 'Input should be greater than or equal to 1', type: 'greater_than_equal' };
}

interface RowAnswer {
  readonly text: string;
  /** Nothing after it is ingested. */
  readonly isLast: boolean;
}

async function* answerLines(
  context: DisputesContext,
  body: IncomingMessage,
  fromRow: number,
): AsyncGenerator<string> {
  const answers = inOrder(linesFrom(body, fromRow), {
    maxWindow,
    work: (line) => answerRow(context, line, fromRow),
    isLast: (answer) => answer.isLast,
  });
  for await (const { text } of answers) yield text;
}

async function* linesFrom(body: IncomingMessage, fromRow: number): AsyncGenerator<Line> {
  const bounds = {
    lineBytes: limits.requestBodyBytes,
    bodyBytes: limits.batchBytes,
    blankLines: limits.batchRows,
  };
  for await (const line of readLines(body, bounds)) {
    if (line.row < fromRow && line.isTooBlank === undefined) continue;
    yield line;
    // One beyond the limit is still given, to be refused.
    if (line.row >= fromRow + limits.batchRows) return;
  }
}

async function answerRow(
  context: DisputesContext,
  line: Line,
  fromRow: number,
): Promise<RowAnswer> {
  const { row, bytes } = line;
  if (line.isBeyond === true) return rowAnswer({ row, detail: tooLarge });
  if (line.isTooBlank === true) return rowAnswer({ row, detail: tooBlank });
  if (row >= fromRow + limits.batchRows) {
    return rowAnswer({ row, detail: `A batch may have at most ${limits.batchRows} rows.` });
  }
  if (bytes === undefined) return invalid(row, [tooLong(limits.requestBodyBytes)]);
  const reading = readJson(bytes);
  if (reading.kind === 'invalid') return invalid(row, reading.detail);
  try {
    const outcome = await context.api.accept({
      merchantId: context.merchantId,
      body: reading.body,
    });
    if (outcome.kind === 'invalid') return invalid(row, outcome.detail);
    return rowAnswer({ row, id: outcome.analyticsId });
  } catch (error) {
    return rowAnswer({ row, detail: context.reportFailure(error) });
  }
}

function invalid(row: number, detail: readonly ValidationItem[]): RowAnswer {
  return rowAnswer({ row, detail: detail.map(itemJson) });
}

function rowAnswer(answer: {
  readonly row: number;
  readonly id?: string;
  readonly detail?: string | readonly object[];
}): RowAnswer {
  return { text: `${JSON.stringify(answer)}\n`, isLast: typeof answer.detail === 'string' };
}
