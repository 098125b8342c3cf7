import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { readRetryMap } from '../../store/reports/overview/read-retry-map.ts';
import { whoseHere } from '../merchants/whose-here.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { rangeOf, rangeQuery } from './range-query.ts';

const triesFields = {
  tries: Type.Integer({ description: 'Charges whose outcome is known.' }),
  successes: Type.Integer({ description: 'How many of them succeeded.' }),
};

const bucketsShape = (description: string) =>
  Type.Array(Type.Object({ bucket: Type.String(), ...triesFields }, { title: 'RetryBucket' }), {
    description,
  });

const mapShape = Type.Object(
  {
    as_of: Type.Optional(timeField('Every charge whose outcome was known before is counted.')),
    hours: Type.Array(
      Type.Object({ at: timeField('When the hour begins, in UTC.'), ...triesFields }),
      { description: 'By the hour in which they were sent; empty hours are left out.' },
    ),
    days_since_failure: bucketsShape('By whole days since the payment failed.'),
    decline_codes: bucketsShape("By the code of the payment's first decline; the most frequent."),
    bins: bucketsShape("By the card's first six digits; the most frequent."),
  },
  {
    title: 'RetryMap',
    description: 'Success of charges by when and why, each with its n.',
    examples: [
      {
        as_of: '2026-03-08T09:30:00.000Z',
        hours: [{ at: '2026-03-06T16:00:00.000Z', tries: 12, successes: 5 }],
        days_since_failure: [{ bucket: '3', tries: 9, successes: 4 }],
        decline_codes: [{ bucket: 'insufficient_funds', tries: 31, successes: 11 }],
        bins: [{ bucket: '424242', tries: 17, successes: 8 }],
      },
    ],
  },
);

/** GET /api/retry-map */
export const showRetryMap = defineEndpoint({
  method: 'GET',
  path: '/api/retry-map',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'showRetryMap',
    tag: 'Overview',
    summary: 'Show when and for which cards retries succeed',
    description:
      'By the hour, of the hours that begin within the time and the one in which it begins; all else of the whole UTC days on which a part of the time lies.',
  },
  schema: { query: rangeQuery },
  answers: { 200: mapShape, ...refusals(400) },
  async answer({ query }, context: Pick<OperatorContext, 'reports' | 'refreshSums' | 'caller'>) {
    context.refreshSums();
    const range = rangeOf(query);
    const asked = { ...(await whoseHere(context.reports, context, query)), ...range };
    const map = await readRetryMap(context.reports, asked);
    return contentAnswer(
      present({
        as_of: map.asOf?.toISOString(),
        hours: map.hours.map(({ at, tries, successes }) => ({
          at: at.toISOString(),
          tries,
          successes,
        })),
        days_since_failure: map.daysSinceFailure.slice(),
        decline_codes: map.declineCodes.slice(),
        bins: map.bins.slice(),
      }),
    );
  },
});
