import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import { createWhatIfStore, listWhatIfs } from '../../../src/store/learned/what-if-store.ts';
import { whatIfResult } from '../../kits/what-ifs.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedMerchant } from '../reports/seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  await seedMerchant(db, 'mer_a');
});
afterAll(() => db.close());

const terms = {
  merchantId: 'mer_a',
  policy: 'fixed',
  windowDays: 14,
  maxAttempts: 4,
  fixedDays: [1, 3],
} as const;

it('asked for while it is under way is the same one; afterwards it begins anew and keeps its result', async () => {
  const store = createWhatIfStore(db);
  const first = await store.request({ ...terms, whatIfId: 'wif_1', at: minute(1) });
  expect(first).toEqual({
    ...terms,
    whatIfId: 'wif_1',
    state: 'queued',
    charges: 0,
    message: '',
    requestedAt: minute(1),
    updatedAt: minute(1),
  });
  const note = { whatIfId: 'wif_1', charges: 500, message: '' };
  await store.note({ ...note, state: 'reading', at: minute(2) });
  const again = await store.request({ ...terms, whatIfId: 'wif_2', at: minute(3) });
  expect(again).toMatchObject({ whatIfId: 'wif_1', state: 'reading', requestedAt: minute(1) });

  await store.note({ ...note, state: 'done', result: whatIfResult, at: minute(4) });
  const asked = { ...terms, fixedDays: [2], whatIfId: 'wif_3', at: minute(5) };
  expect(await store.request(asked)).toMatchObject({
    whatIfId: 'wif_1',
    state: 'queued',
    charges: 0,
    fixedDays: [2],
    requestedAt: minute(5),
    result: whatIfResult,
    completedAt: minute(4),
  });
});

it('lists a merchant’s, the one that was asked for last first, and knows one by its id', async () => {
  const store = createWhatIfStore(db);
  await store.request({ ...terms, maxAttempts: 8, whatIfId: 'wif_4', at: minute(9) });
  await store.note({
    whatIfId: 'wif_4',
    state: 'failed',
    charges: 3,
    message: 'no',
    at: minute(10),
  });
  expect((await listWhatIfs(db, 'mer_a')).map(({ whatIfId }) => whatIfId)).toEqual([
    'wif_4',
    'wif_1',
  ]);
  expect(await store.find('wif_4')).toMatchObject({ state: 'failed', message: 'no' });
  expect(await store.find('wif_none')).toBeUndefined();
  expect(await listWhatIfs(db, 'mer_b')).toEqual([]);
});
