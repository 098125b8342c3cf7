import { expect, it, onTestFinished } from 'vitest';
import { addMs, hourMs, minuteMs } from '../../../../src/domain/clock.ts';
import { readPlanned } from '../../../../src/store/reports/overview/read-planned.ts';
import { openReportDatabase } from '../report-database.ts';
import { minute, seedMerchant } from '../seed.ts';

it('what is planned for this hour and the 23 after it is counted, as many hours as are shown', async () => {
  const db = await openReportDatabase();
  onTestFinished(() => db.close());
  await seedMerchant(db, 'mer_a');
  const begin = minute(600);
  for (const hours of [-1, 0, 23, 24]) {
    await db.pool.query(`insert into planned_rollups values ('mer_a', $1, 'later', 2)`, [
      addMs(begin, hours * hourMs),
    ]);
  }
  for (const now of [begin, addMs(begin, 59 * minuteMs)]) {
    expect(await readPlanned(db, { now })).toEqual([
      { at: begin, category: 'later', attempts: 2 },
      { at: addMs(begin, 23 * hourMs), category: 'later', attempts: 2 },
    ]);
  }
});
