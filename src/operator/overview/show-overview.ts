import { Type } from 'typebox';
import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import type { AlertKind } from '../../domain/alerts/alert-kinds.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { measureUplift } from '../../recovery/admin/measure-uplift.ts';
import { joinMerchants } from '../../recovery/alerts/alert.ts';
import { heldBackAlerts } from '../../recovery/alerts/alerts-of.ts';
import type { Verdict } from '../../recovery/uplift.ts';
import { listProcessClocks } from '../../store/clock/process-clocks.ts';
import type { Queryable } from '../../store/database.ts';
import { readOverview } from '../../store/reports/overview/read-overview.ts';
import { readAsOf } from '../../store/reports/overview/read-progress.ts';
import { sumCompared } from '../../store/reports/uplift.ts';
import { whoseHere } from '../merchants/whose-here.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { overviewJson, overviewShape } from './overview-shape.ts';
import { rangeOf, rangeQuery } from './range-query.ts';

const query = Type.Object(
  {
    ...rangeQuery.properties,
    without: Type.Optional(
      enumField(
        ['verdict'],
        'Leaves the verdict out, as of a time that another one is compared with.',
      ),
    ),
  },
  { additionalProperties: false },
);

/** GET /api/overview */
export const showOverview = defineEndpoint({
  method: 'GET',
  path: '/api/overview',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'showOverview',
    tag: 'Overview',
    summary: 'Show what was recovered and what needs a person',
    description:
      'By currency: recovered money over time, money at risk now, what became of the payments that came in, attempts of the next 24 hours, and alerts; and the verdict of the uplift report on the payments that failed within the time.',
  },
  schema: { query },
  answers: { 200: overviewShape, ...refusals(400) },
  async answer(
    { query },
    context: Pick<OperatorContext, 'reports' | 'machine' | 'now' | 'refreshSums' | 'caller'>,
  ) {
    const { reports: db, machine, now } = context;
    context.refreshSums();
    const time = rangeOf(query);
    const range = { ...(await whoseHere(db, context, query)), ...time };
    const [overview, verdict, clocks] = await Promise.all([
      readOverview(db, { ...range, now: now() }),
      query.without === 'verdict' ? undefined : readVerdicts(db, range),
      listProcessClocks(db, machine.now()),
    ]);
    const all = [...heldBackAlerts(clocks), ...joinMerchants(overview.alerts)];
    const isPortal = context.caller.portal !== undefined;
    const alerts = isPortal ? all.filter(({ kind }) => ofMerchants.includes(kind)) : all;
    const { verdicts, asOf } = verdict ?? { verdicts: new Map(), asOf: overview.asOf };
    const counted = wholeAsOf(overview.asOf, asOf);
    return contentAnswer(overviewJson({ ...overview, alerts }, { verdicts, asOf: counted }));
  },
});

/** What a merchant's own people can do something about; the others are for who runs the service. */
const ofMerchants: readonly AlertKind[] = [
  'endpoint_failing',
  'endpoint_paused',
  'webhooks_given_up',
  'disputes_due',
];

/** As the uplift report has them, of payments that failed within the time. */
async function readVerdicts(
  db: Queryable,
  { from, to, ...of }: OfMerchants & ReturnType<typeof rangeOf>,
): Promise<{ readonly verdicts: ReadonlyMap<string, Verdict>; readonly asOf: Date | undefined }> {
  const asOf = await readAsOf(db, 'uplift');
  if (asOf === undefined) return { verdicts: new Map(), asOf };
  const asked = { ...of, ...present({ since: from, until: to }) };
  const { parts } = measureUplift(await sumCompared(db, asked));
  const verdicts = parts.flatMap(({ currency, verdict }) =>
    verdict === undefined ? [] : [[currency, verdict] as const],
  );
  return { verdicts: new Map(verdicts), asOf };
}

/** Both have counted everything that changed before. */
function wholeAsOf(overview: Date | undefined, uplift: Date | undefined): Date | undefined {
  if (overview === undefined || uplift === undefined) return undefined;
  return overview < uplift ? overview : uplift;
}
