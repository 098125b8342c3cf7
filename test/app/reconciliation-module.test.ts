import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReconciliationApi } from '../../src/app/reconciliation-module.ts';
import type { EngineDeps } from '../../src/recovery/engine/deps.ts';
import type { ReportReading } from '../../src/recovery/psp-ports.ts';
import type { Database } from '../../src/store/database.ts';
import { openReportDatabase } from '../store/reports/report-database.ts';
import { minute, seedMerchant } from '../store/reports/seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
});
afterAll(() => db.close());

const reading: ReportReading = { kind: 'read', charges: [], from: minute(0), to: minute(5) };
const asked = { merchantId: 'mer_a', psp: 'adyen', report: 'what Adyen wrote' } as const;
/** Each id is another one. */
function counted() {
  let count = 0;
  return {
    bytes(size: number) {
      count += 1;
      return new Uint8Array(size).fill(count);
    },
  };
}

it('refuses a report of an account that is being compared, and takes it once that has ended', async () => {
  await seedMerchant(db, 'mer_a');
  const done: string[] = [];
  const api = createReconciliationApi(
    { db, random: counted(), clock: { now: () => minute(10) } },
    {
      engine: { findGateway: async () => ({ readReport: () => reading }) } as unknown as EngineDeps,
      jobs: { requestReconciliation: async () => void done.push('asked for') },
      actions: { noteAction: async () => void done.push('noted') },
    },
  );
  const [first] = await api.beginReconciliations(asked);
  expect(first).toMatchObject({ source: 'report', state: 'running' });
  await expect(api.beginReconciliations(asked)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('this report was not taken. Give it again once that has'),
  });
  expect(done).toEqual(['noted', 'asked for']);
  await db.pool.query(`update reconciliations set state = 'done', ended_at = updated_at`);
  const [second] = await api.beginReconciliations(asked);
  expect(second?.runId).not.toBe(first?.runId);
});
