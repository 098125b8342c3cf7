import { afterAll, beforeAll, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import { warnOfDeadlines } from '../../../src/jobs/background/warn-of-deadlines.ts';
import { warnDueDisputes } from '../../../src/store/disputes/warn-due-disputes.ts';
import { type AnalyticsWorld, openAnalyticsWorld } from '../../kits/analytics-world.ts';

let world: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
});
afterAll(() => world.close());

async function report(psp_dispute_id: string, respondBy: Date, changes: object = {}) {
  const opened_at = new Date(world.clock.now().getTime()).toISOString();
  const { status } = await world.call('POST', '/v1/disputes', {
    ...{ psp: 'stripe', psp_dispute_id, kind: 'dispute', stage: 'chargeback' },
    ...{ status: 'needs_response', occurred_at: opened_at, opened_at },
    respond_by: respondBy.toISOString(),
    ...changes,
  });
  expect(status).toBe(200);
}

it('warns of each deadline once at 7, 3 and 1 days, and of none that is past or answered', async () => {
  const begin = world.clock.now();
  await report('dp_10', addMs(begin, 10 * dayMs));
  await report('dp_2', addMs(begin, 2 * dayMs));
  await report('dp_past', addMs(begin, -hourMs));
  await report('dp_answered', addMs(begin, 2 * dayMs), { status: 'under_review' });
  const counted: string[] = [];
  const lines: object[] = [];
  const job = warnOfDeadlines({
    takeDue: (input) => warnDueDisputes(world.db, input),
    countWarning: (psp, days) => void counted.push(`${psp} ${days}`),
    log: { warn: (fields) => void lines.push(fields) },
  });
  const runAt = (at: Date) => job.run({ at, signal: new AbortController().signal, progress() {} });
  for (let hours = 0; hours <= 11 * 24; hours += 6) await runAt(addMs(begin, hours * hourMs));
  expect(counted).toEqual(['stripe 3', 'stripe 1', 'stripe 7', 'stripe 3', 'stripe 1']);
  expect(lines[0]).toMatchObject({
    merchantId: world.first.merchantId,
    respondBy: addMs(begin, 2 * dayMs).toISOString(),
    daysLeft: 3,
  });

  // Another deadline is warned of anew.
  world.clock.passMs(1_000);
  await report('dp_2', addMs(begin, 6 * dayMs));
  await runAt(begin);
  expect(counted.slice(5)).toEqual(['stripe 7']);
});
