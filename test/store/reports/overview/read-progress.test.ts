import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database, Queryable } from '../../../../src/store/database.ts';
import { readCohorts } from '../../../../src/store/reports/overview/read-cohorts.ts';
import { readNetworkPressure } from '../../../../src/store/reports/overview/read-network-pressure.ts';
import { readOverview } from '../../../../src/store/reports/overview/read-overview.ts';
import { readRetryMap } from '../../../../src/store/reports/overview/read-retry-map.ts';
import { countCardLimits } from '../../../../src/store/rollups/count-card-limits.ts';
import {
  rollUpCharges,
  rollUpPayments,
  rollUpUplift,
} from '../../../../src/store/rollups/roll-up.ts';
import { openReportDatabase } from '../report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from '../seed.ts';

let db: Database;
const at = minute(100);
const counting = { at, limit: 4 };

beforeAll(async () => {
  db = await openReportDatabase();
  await seedMerchant(db, 'mer_a');
  const key = { merchantId: 'mer_a', invoiceId: 'in_1' };
  await seedPayment(db, { ...key, state: 'recovered', attempt_count: 1 });
  await seedAttempt(db, { ...key, number: 1, state: 'succeeded' });
  // Enough for a curve.
  for (let n = 2; n <= 10; n += 1) {
    await seedPayment(db, { ...key, invoiceId: `in_${n}`, state: 'exhausted', attempt_count: 8 });
  }
  await db.pool.query(
    `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network,
       initiator, credential, payment_method_id, invoice_id, amount_minor, currency, outcome, at)
     select 'mer_a', 'charge_' || n, 'k:near', 'sandbox', 'reported', 'visa', 'mit', 'pan', 'pm_1', 'in_1',
       1000, 'EUR', 'declined', $1::timestamptz - n * interval '1 day'
     from generate_series(1, 12) n`,
    [at],
  );
});
afterAll(() => db.close());

/** All is counted at the moment at which somebody asks how far counting is, after what was asked until then. */
function countedWhenAsked(countSome: () => Promise<number>): Queryable {
  const asked: Promise<unknown>[] = [];
  return {
    async query<Row>(...[statement, values]: Parameters<Queryable['query']>) {
      if (statement.name === 'read_rollup_progress') {
        await Promise.all(asked);
        while ((await countSome()) > 0);
      }
      const answer = db.query<Row>(statement, values);
      asked.push(answer);
      return answer;
    },
  };
}

const reads = [
  {
    report: 'the overview',
    countSome: () => rollUpPayments(db, counting),
    read: (queryable: Queryable) => readOverview(queryable, { now: at }),
    figures: { currencies: [{ currency: 'EUR', recovered: { payments: 1 } }] },
  },
  {
    report: 'the retry map',
    countSome: () => rollUpCharges(db, counting),
    read: (queryable: Queryable) => readRetryMap(queryable, {}),
    figures: { daysSinceFailure: [{ tries: 1, successes: 1 }] },
  },
  {
    report: 'the cohorts',
    countSome: () => rollUpUplift(db, counting),
    read: (queryable: Queryable) => readCohorts(queryable, { by: 'month', now: minute(3 * 1_440) }),
    figures: { curves: [{ payments: 10 }] },
  },
  {
    report: 'the pressure of networks',
    countSome: () => countCardLimits(db, { at, oldestMs: 0 }).then(() => 0),
    read: (queryable: Queryable) => readNetworkPressure(queryable, {}),
    figures: { networks: [{ network: 'visa', near: 1 }] },
  },
];

test.each(reads)('$report holds all that was counted before the time it tells', async (of) => {
  const found = await of.read(countedWhenAsked(of.countSome));
  expect(found.asOf).toBeInstanceOf(Date);
  expect(found).toMatchObject(of.figures);
});
