import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { chooseMediaType } from '../../http/server/choose-media-type.ts';
import { monthlyRows, monthlyStatement } from '../../recovery/accounting/monthly-statement.ts';
import { statementDocument } from '../../recovery/accounting/statement-document.ts';
import { readStatementsSince } from '../../store/statements/read-month.ts';
import { csvLine } from '../exports/csv-text.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';

const sum = Type.Object(
  { count: Type.Integer(), amount_minor: Type.Integer() },
  { title: 'MonthlySum', description: 'In the minor unit of the currency.' },
);

const account = Type.Object(
  {
    psp: Type.String(),
    connection_version: Type.Integer({ description: 'Which account there; 0: not known.' }),
    currency: Type.String({ description: 'Empty for incidents that have no amount.' }),
    attempts: sum,
    declined: sum,
    successes: sum,
    recovered: sum,
    announced: sum,
    refunds: sum,
    incidents: sum,
  },
  { title: 'MonthlyAccount' },
);

const example = {
  month: '2026-03',
  days: 31,
  as_of: { day: '2026-04-02', hash: '5f'.repeat(32) },
  accounts: [
    {
      psp: 'stripe',
      connection_version: 1,
      currency: 'USD',
      attempts: { count: 40, amount_minor: 168_000 },
      declined: { count: 28, amount_minor: 117_600 },
      successes: { count: 12, amount_minor: 50_400 },
      recovered: { count: 12, amount_minor: 50_400 },
      announced: { count: 12, amount_minor: 50_400 },
      refunds: { count: 0, amount_minor: 0 },
      incidents: { count: 0, amount_minor: 0 },
    },
  ],
  events: { created: 40, delivered: 39, pending: 1, given_up: 0 },
  agrees: true,
};

const shape = Type.Object(
  {
    month: Type.String(),
    days: Type.Integer({ description: 'Days of the month that are stated.' }),
    as_of: Type.Object(
      { day: Type.String(), hash: Type.String() },
      { description: 'The last daily statement whose corrections are in the figures.' },
    ),
    accounts: Type.Array(account, { description: 'One for each account and currency.' }),
    events: Type.Object(
      {
        created: Type.Integer(),
        delivered: Type.Integer(),
        pending: Type.Integer(),
        given_up: Type.Integer(),
      },
      { title: 'MonthlyEvents' },
    ),
    agrees: Type.Boolean({
      description:
        'Of each account successes, recovered and announced are equal, and events created are the other three together.',
    }),
  },
  { title: 'MonthlyStatement', description: 'What the month came to.', examples: [example] },
);

const mediaTypes = {
  json: 'application/json',
  csv: 'text/csv',
  pdf: 'application/pdf',
} as const;
type MediaType = (typeof mediaTypes)[keyof typeof mediaTypes];

const notAcceptable = 'A statement comes as application/json, text/csv or application/pdf.';

/** GET /api/merchants/{id}/monthly-statements/{month} */
export const showMonthlyStatement = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/monthly-statements/{month}',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'showMonthlyStatement',
    tag: 'Merchants',
    summary: "Show a merchant's month",
    description:
      "The sum of the month's daily statements and of what later ones corrected of its days. JSON, or with " +
      '`Accept: text/csv` a file with a figure in each row, or with `Accept: application/pdf` a document for people.',
  },
  schema: {
    path: Type.Object({
      id: merchantIdField,
      month: Type.String({
        pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$',
        description: 'A month in UTC.',
        examples: ['2026-03'],
        'x-fault': 'Input should be a month, such as 2026-03',
      }),
    }),
    query: Type.Object(
      {
        format: Type.Optional(
          enumField(['json', 'csv', 'pdf'], 'In place of an Accept header, for links.'),
        ),
      },
      { additionalProperties: false },
    ),
  },
  answers: { 200: shape, ...refusals(400, 404, 406) },
  async answer({ path, query, exchange }, deps: Pick<OperatorDeps, 'db' | 'drawStatement'>) {
    const { db } = deps;
    const { accept } = exchange.request.headers;
    const type = query.format
      ? mediaTypes[query.format]
      : chooseMediaType<MediaType>(accept, Object.values(mediaTypes));
    if (type === undefined) throw new AppError('not_acceptable', notAcceptable);
    const { merchantId, name } = await findMerchant(db, path.id);
    const { month } = path;
    const found = monthlyStatement(month, await readStatementsSince(db, { merchantId, month }));
    if (found === undefined) {
      throw new AppError('not_found', 'The merchant has no statement for any day of this month.');
    }
    switch (type) {
      case 'application/json':
        return { ...contentAnswer(found), headers: { vary: 'Accept' } };
      case 'text/csv':
        return {
          status: 200,
          body: monthlyRows(found).map(csvLine).join(''),
          headers: fileHeaders('text/csv; charset=utf-8', `${merchantId}-${month}.csv`),
        };
      case 'application/pdf': {
        const document = statementDocument({
          merchant: { id: merchantId, name },
          statement: found,
        });
        return {
          status: 200,
          body: '',
          bytes: await deps.drawStatement(document),
          headers: fileHeaders(type, `${merchantId}-${month}.pdf`),
        };
      }
    }
  },
});

function fileHeaders(type: string, name: string): Readonly<Record<string, string>> {
  return {
    vary: 'Accept',
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
  };
}
