import { Type } from 'typebox';
import { alertKindNames } from '../../domain/alerts/alert-kinds.ts';
import { declineCategories } from '../../domain/declines/decline.ts';
import { decimalNumber } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import { enumField, timeField } from '../../http/fields.ts';
import type { Alert } from '../../recovery/alerts/alert.ts';
import type { Cohort, CurrencyOverview, Overview, Sum } from '../../recovery/reports/overview.ts';
import type { Verdict } from '../../recovery/uplift.ts';
import { verdictJson, verdictShape } from '../uplift/verdict-shape.ts';
import { overviewExample } from './overview-example.ts';

const sumFields = {
  payments: Type.Integer(),
  amount: Type.Number({ description: 'In major units of the currency.' }),
};
const sumShape = (description: string) => Type.Object(sumFields, { title: 'Sum', description });

const cohortFields = {
  ...sumFields,
  attempts: Type.Integer({ description: 'Tries that reached the PSP, or may have.' }),
  open: sumShape('Still under recovery.'),
  recovered: sumShape(
    'The amount charged so far: less than what failed if the merchant lowered the amount.',
  ),
  stopped: sumShape('Stopped.'),
  exhausted: sumShape('Ended without success.'),
};
const cohortShape = (description: string) =>
  Type.Object(cohortFields, { title: 'Cohort', description });

const currencyShape = Type.Object(
  {
    currency: Type.String(),
    recovered: sumShape('Money recovered within the period, whenever its payment failed.'),
    recovered_before: Type.Optional(sumShape('The same for the preceding period of equal length.')),
    at_risk: sumShape('All payments open now, however old.'),
    cohort: cohortShape('The payments reported within the period.'),
    verdict: Type.Optional(verdictShape),
    funnel: Type.Array(
      Type.Object({
        category: enumField(declineCategories, 'What the first decline meant.'),
        ...cohortFields,
      }),
      { description: 'The cohort, by class of first decline.' },
    ),
    series: Type.Array(
      Type.Object(
        {
          at: timeField('When the hour or the UTC day begins.'),
          ...sumFields,
        },
        { title: 'RecoveredPoint' },
      ),
      { description: 'Recovered money over time, without empty steps.' },
    ),
  },
  { title: 'CurrencyOverview' },
);

const alertShape = Type.Object(
  {
    kind: enumField(
      alertKindNames,
      'What it is. `work_held_back`: a process takes no work, since its clock cannot be trusted. ' +
        '`model_drifted`: fixed schedules are used until a better model is active. `incidents`: what contradicts ' +
        'the record. `endpoint_paused`: it is sent nothing until it is resumed. `set_aside`: failed jobs that are not run again until somebody retries them.',
    ),
    count: Type.Integer({
      description:
        'How many charges, deliveries, cards, disputes, breaches, or merchants of a model.',
    }),
    at: timeField(
      'Since when; of disputes the next deadline, of cards when they were counted, of a model when ' +
        'it was made active.',
    ),
    need_person: Type.Optional(
      Type.Integer({ description: 'Charges that only a person can resolve.' }),
    ),
    merchant_id: Type.Optional(Type.String()),
    merchant_name: Type.Optional(Type.String()),
    network: Type.Optional(Type.String()),
    spent: Type.Optional(Type.Integer({ description: 'Cards that have used all of the limit.' })),
    model_id: Type.Optional(Type.String()),
    process_id: Type.Optional(
      Type.String({ description: 'Its host, process id and a random part.' }),
    ),
    invariant: Type.Optional(Type.String({ description: 'The promise that does not hold.' })),
    channel_id: Type.Optional(Type.String()),
    channel_name: Type.Optional(Type.String()),
    message: Type.Optional(
      Type.String({
        description:
          'What a model predicted and what happened, why a process takes no work, what is promised, ' +
          'who paused an endpoint (operator or failures), or what a channel answered.',
      }),
    ),
  },
  { title: 'Alert', description: 'Something that a person should look at.' },
);

export const overviewShape = Type.Object(
  {
    as_of: Type.Optional(
      timeField(
        'Every change before this time is counted. Absent until everything has been counted once.',
      ),
    ),
    series_step: enumField(['hour', 'day'], 'The length of a step of the series.'),
    currencies: Type.Array(currencyShape, { description: 'The one with the most payments first.' }),
    planned: Type.Array(
      Type.Object(
        {
          at: timeField('When the hour begins.'),
          category: enumField(declineCategories, 'What the first decline meant.'),
          attempts: Type.Integer(),
        },
        { title: 'PlannedAttempts' },
      ),
      { description: 'Attempts that are planned for this hour and the 23 after it.' },
    ),
    network_pressure: Type.Object(
      {
        as_of: Type.Optional(timeField('When they were counted.')),
        networks: Type.Array(
          Type.Object({
            network: Type.String(),
            near: Type.Integer({ description: 'Cards that have used half or more.' }),
            spent: Type.Integer({ description: 'Those of them that have used all.' }),
          }),
        ),
      },
      {
        title: 'NetworkPressure',
        description:
          'Cards near what their network allows in 30 days, as `GET /api/cards-near-limit` lists ' +
          'them; counted every ten minutes at most.',
      },
    ),
    alerts: Type.Array(alertShape),
  },
  {
    title: 'Overview',
    description:
      'Sums that are kept beside the payments, and brought up to date when they are read.',
    examples: [overviewExample],
  },
);

/** `verdicts`: of the uplift report, each of a currency; `asOf`: of these and the overview. */
export function overviewJson(
  overview: Overview,
  {
    verdicts,
    asOf,
  }: { readonly verdicts: ReadonlyMap<string, Verdict>; readonly asOf: Date | undefined },
): Type.Static<typeof overviewShape> {
  return present({
    as_of: asOf?.toISOString(),
    series_step: overview.seriesStep,
    currencies: overview.currencies.map((of) => currencyJson(of, verdicts.get(of.currency))),
    planned: overview.planned.map(({ at, category, attempts }) => ({
      at: at.toISOString(),
      category,
      attempts,
    })),
    network_pressure: present({
      as_of: overview.networkPressure.asOf?.toISOString(),
      networks: overview.networkPressure.networks.map(({ network, near, spent }) => ({
        network,
        near,
        spent,
      })),
    }),
    alerts: overview.alerts.map(alertJson),
  });
}

function currencyJson(
  of: CurrencyOverview,
  verdict: Verdict | undefined,
): Type.Static<typeof currencyShape> {
  const { currency } = of;
  return present({
    currency,
    recovered: sumJson(of.recovered, currency),
    recovered_before: of.recoveredBefore && sumJson(of.recoveredBefore, currency),
    at_risk: sumJson(of.atRisk, currency),
    cohort: cohortJson(of.cohort, currency),
    verdict: verdict && verdictJson(verdict, currency),
    funnel: of.funnel.map((cohort) => ({
      category: cohort.category,
      ...cohortJson(cohort, currency),
    })),
    series: of.series.map((point) => ({
      at: point.at.toISOString(),
      ...sumJson(point, currency),
    })),
  });
}

function sumJson({ payments, amountMinor }: Sum, currency: string) {
  return { payments, amount: decimalNumber({ amountMinor, currency }) };
}

function cohortJson(cohort: Cohort, currency: string) {
  const { open, recovered, stopped, exhausted } = cohort.outcomes;
  return {
    ...sumJson(cohort, currency),
    attempts: cohort.attempts,
    open: sumJson(open, currency),
    recovered: sumJson(recovered, currency),
    stopped: sumJson(stopped, currency),
    exhausted: sumJson(exhausted, currency),
  };
}

function alertJson(alert: Alert): Type.Static<typeof alertShape> {
  const { kind, count, at, merchantId: merchant_id, merchantName: merchant_name } = alert;
  return {
    kind,
    count,
    at: at.toISOString(),
    ...present({ merchant_id, merchant_name }),
    ...subjectJson(alert),
  };
}

/** What it is about, beside the merchant. */
function subjectJson(alert: Alert): Partial<Type.Static<typeof alertShape>> {
  switch (alert.kind) {
    case 'work_held_back':
    case 'database_refuses':
    case 'disk_low':
      return { process_id: alert.processId, message: alert.message };
    case 'unknown_outcomes':
      return { need_person: alert.needPerson };
    case 'endpoint_paused':
    case 'messages_failing':
      return { message: alert.message };
    case 'network_limits':
      return { network: alert.network };
    case 'cards_near_limit':
      return { spent: alert.spent, network: alert.network };
    case 'model_drifted':
      return { model_id: alert.modelId, message: alert.message };
    case 'invariant_broken':
      return { invariant: alert.invariant, message: alert.message };
    case 'channel_failing': {
      const { channelId: channel_id, channelName: channel_name, message } = alert;
      return { channel_id, channel_name, message };
    }
    case 'endpoint_failing':
    case 'webhooks_given_up':
    case 'disputes_due':
    case 'incidents':
    case 'set_aside':
      return {};
  }
}
