import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayMs } from '../../../src/domain/clock.ts';
import { keepAnalytics } from '../../../src/jobs/background/history/keep-analytics.ts';
import {
  archiveAnalytics,
  removeAnalytics,
} from '../../../src/store/disputes/analytics-retention.ts';
import {
  removeAdded,
  removeUnfinished,
} from '../../../src/store/disputes/evidence/added-retention.ts';
import {
  type AnalyticsWorld,
  analyticsRecord,
  openAnalyticsWorld,
} from '../../kits/analytics-world.ts';

let world: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
});
afterAll(() => world.close());

function keep(at: string) {
  const job = keepAnalytics({
    retention: { activeMonths: 13, keptMonths: 15 },
    archive: (before, limit) => archiveAnalytics(world.db, before, limit),
    remove: (before, limit) => removeAnalytics(world.db, before, limit),
    removeAdded: (before, limit) => removeAdded(world.db, before, limit),
    removeUnfinished: (before, limit) => removeUnfinished(world.db, before, limit),
  });
  expect(job.everyMs).toBe(dayMs);
  return job.run({ at: new Date(at), signal: new AbortController().signal, progress() {} });
}

const states = () => world.rows('select charge_id, state from analytics order by charge_id');
const subjects = () => world.rows('select from analytics_subjects');

it('analytics records are active for 13 months, archived for 15, then gone with their keys', async () => {
  // They came on 2026-03-01 at 12:00.
  await world.submit({ ...analyticsRecord, charge_id: 'ch_1', customer_id: 'cus_1' });
  const held = await world.submit({ ...analyticsRecord, charge_id: 'ch_2', customer_id: 'cus_2' });
  await world.rows('update analytics set legal_hold = true where analytics_id = $1', [held]);
  await world.submit({ ...analyticsRecord, charge_id: 'ch_3', customer_id: 'cus_3' });
  await world.call('DELETE', '/v1/customers/cus_3');
  const erased = { charge_id: null, state: 'erased' };
  const both = (state: string) => [
    { charge_id: 'ch_1', state },
    { charge_id: 'ch_2', state },
    erased,
  ];

  await keep('2027-04-01T12:00:00.000Z');
  expect(await states()).toEqual(both('active'));
  await keep('2027-04-01T12:00:00.001Z');
  expect(await states()).toEqual(both('archived'));
  await keep('2027-06-01T12:00:00.000Z');
  expect(await states()).toEqual(both('archived'));
  expect(await subjects()).toHaveLength(3);
  await keep('2027-06-01T12:00:00.001Z');
  expect(await states()).toEqual([{ charge_id: 'ch_2', state: 'archived' }]);
  expect(await subjects()).toHaveLength(1);
  await world.rows('update analytics set legal_hold = false');
  await keep('2027-06-02T00:00:00.000Z');
  expect([await states(), await subjects()]).toEqual([[], []]);
});

it('a person stays while one of their analytics records does', async () => {
  await world.submit({ ...analyticsRecord, charge_id: 'ch_old', customer_id: 'cus_stays' });
  world.clock.passMs(40 * dayMs);
  await world.submit({ ...analyticsRecord, charge_id: 'ch_young', customer_id: 'cus_stays' });
  await keep('2027-06-05T00:00:00.000Z');
  expect(await states()).toEqual([{ charge_id: 'ch_young', state: 'archived' }]);
  expect(await subjects()).toHaveLength(1);
});
