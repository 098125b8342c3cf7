import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { cohortParts } from '../../recovery/reports/cohorts.ts';
import { readCohorts } from '../../store/reports/overview/read-cohorts.ts';
import { whoseHere } from '../merchants/whose-here.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { rangeOf, rangeQuery } from './range-query.ts';

const query = Type.Object(
  {
    ...rangeQuery.properties,
    by: Type.Optional(
      enumField(
        cohortParts,
        'What the payments of a curve have in common: the month in which they failed, how they are planned, or what the first decline meant. Month, unless told otherwise.',
      ),
    ),
  },
  { additionalProperties: false },
);

const daysShape = Type.Array(
  Type.Object(
    {
      day: Type.Integer({ description: 'Whole days since the failure.' }),
      payments: Type.Integer({ description: 'Payments for which that day is over.' }),
      recovered: Type.Integer({
        description: 'How many of them a retry had recovered by its end.',
      }),
    },
    { title: 'CohortDay' },
  ),
  { description: 'From day 0 on, as long as the day is over for 10 payments.' },
);

const cohortsShape = Type.Object(
  {
    as_of: Type.Optional(timeField('Every change before this time is counted.')),
    curves: Type.Array(
      Type.Object(
        { part: Type.String(), payments: Type.Integer(), days: daysShape },
        { title: 'CohortCurve' },
      ),
    ),
  },
  {
    title: 'Cohorts',
    description: 'Recovered payments by the day since their failure.',
    examples: [
      {
        as_of: '2026-03-08T09:30:00.000Z',
        curves: [
          {
            part: '2026-02',
            payments: 120,
            days: [
              { day: 0, payments: 120, recovered: 0 },
              { day: 1, payments: 118, recovered: 14 },
            ],
          },
        ],
      },
    ],
  },
);

/** GET /api/cohorts */
export const showCohorts = defineEndpoint({
  method: 'GET',
  path: '/api/cohorts',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'showCohorts',
    tag: 'Overview',
    summary: 'Show how much was recovered by each day since the failure',
    description: 'A day counts the payments alone for which it is over.',
  },
  schema: { query },
  answers: { 200: cohortsShape, ...refusals(400) },
  async answer(
    { query: { by = 'month', ...range } },
    context: Pick<OperatorContext, 'reports' | 'refreshSums' | 'now' | 'caller'>,
  ) {
    context.refreshSums();
    const time = { ...rangeOf(range), now: context.now() };
    const asked = { ...(await whoseHere(context.reports, context, range)), ...time, by };
    const { curves, asOf } = await readCohorts(context.reports, asked);
    return contentAnswer(
      present({
        as_of: asOf?.toISOString(),
        curves: curves.map(({ part, payments, days }) => ({
          part,
          payments,
          days: days.map((day) => ({ ...day })),
        })),
      }),
    );
  },
});
