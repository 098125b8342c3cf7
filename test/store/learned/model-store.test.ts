import { afterAll, beforeAll, expect, it } from 'vitest';
import { priorModel } from '../../../src/policy/learned/prior-model.ts';
import { allMerchants } from '../../../src/recovery/learned/model-ports.ts';
import type { Database } from '../../../src/store/database.ts';
import { createModelStore, listTrainings } from '../../../src/store/learned/model-store.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';
import { type OpenTransaction, openTransaction } from '../../kits/open-transaction.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from '../reports/seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
});
afterAll(() => db.close());

const model = { ...priorModel, version: 'mod_1' };
const key = { merchantId: allMerchants, modelId: 'mod_1' };

it('has one active model of a scope, and a way back to the one before', async () => {
  const store = createModelStore(db);
  await store.ensureShipped(priorModel, minute(1));
  await store.ensureShipped(priorModel, minute(2));
  await store.add({ ...key, model, metrics: { tries: 7 }, at: minute(3) });
  const statuses = async () =>
    Object.fromEntries((await store.list()).map((item) => [item.modelId, item.status]));
  expect(await statuses()).toEqual({ [priorModel.version]: 'active', mod_1: 'candidate' });
  expect(await store.activate({ ...key, by: 'training', at: minute(4) })).toBe(true);
  expect(await statuses()).toEqual({ [priorModel.version]: 'retired', mod_1: 'active' });
  const back = { merchantId: allMerchants, modelId: priorModel.version };
  expect(await store.activate({ ...back, by: 'operator', at: minute(5) })).toBe(true);
  expect(await statuses()).toEqual({ [priorModel.version]: 'active', mod_1: 'retired' });
  expect(
    await store.activate({ ...back, modelId: 'mod_none', by: 'operator', at: minute(6) }),
  ).toBe(false);
  const { rows } = await db.pool.query('select actor, action, detail from audit_log order by line');
  expect(rows).toEqual([
    { actor: 'training', action: 'model.activated', detail: { model_id: 'mod_1' } },
    { actor: 'operator', action: 'model.activated', detail: { model_id: priorModel.version } },
  ]);
});

it('follows a shipped model with that of the next release, and lets a trained one plan on', async () => {
  const store = createModelStore(db);
  const statusOf = async (modelId: string) =>
    (await store.list()).find((item) => item.modelId === modelId)?.status;
  await store.ensureShipped({ ...priorModel, version: 'prior-next' }, minute(6));
  expect(await statusOf(priorModel.version)).toBe('retired');
  expect(await statusOf('prior-next')).toBe('active');
  await store.activate({ ...key, by: 'training', at: minute(6) });
  await store.ensureShipped({ ...priorModel, version: 'prior-later' }, minute(6));
  expect(await statusOf('mod_1')).toBe('active');
  expect(await statusOf('prior-later')).toBe('candidate');
});

it('leaves a model that is made active while that of a release is kept', async () => {
  const store = createModelStore(db);
  const shipped = { merchantId: allMerchants, modelId: 'prior-next' };
  await store.activate({ ...shipped, by: 'operator', at: minute(6) });
  await using other = await openTransaction(db);
  await setStatus(other, shipped.modelId, 'retired');
  await setStatus(other, key.modelId, 'active');
  const kept = store.ensureShipped({ ...priorModel, version: 'prior-last' }, minute(6));
  await untilLockWaits(async (text) => (await db.pool.query(text)).rows);
  await other.commit();
  await kept;
  expect((await store.list()).filter(isActive)).toMatchObject([key]);
});

it('gives a model’s parameters once, and its distrust until it is made active anew', async () => {
  const store = createModelStore(db);
  await store.activate({ ...key, by: 'operator', at: minute(7) });
  expect((await store.readActive(new Map())).map((item) => item.model.version)).toEqual(['mod_1']);
  const known = { ...model, rows: 99 };
  const [kept] = await store.readActive(new Map([['mod_1', known]]));
  expect(kept?.model.rows).toBe(99);
  const counts = { tries: 300, successes: 10, foretold: 90, variance: 60 };
  await store.noteDrift({ ...key, counts, distrust: 'it has drifted', at: minute(8) });
  await store.noteDrift({ ...key, counts, at: minute(9) });
  expect(await store.readActive(new Map())).toMatchObject([{ distrust: 'it has drifted' }]);
  const isActive = ({ status }: { status: string }) => status === 'active';
  expect((await store.list()).find(isActive)?.distrustedAt).toEqual(minute(8));
  await store.activate({ ...key, by: 'operator', at: minute(10) });
  const [fresh] = await store.readActive(new Map());
  expect(fresh?.distrust).toBeUndefined();
  expect((await store.list()).find(isActive)).not.toHaveProperty('distrustedAt');
});

it('counts the tries whose time a model chose, and adds up their chances', async () => {
  const ofInvoice = { merchantId: 'mer_a', invoiceId: 'in_1' };
  await seedMerchant(db, 'mer_a');
  await seedPayment(db, { ...ofInvoice, state: 'recovered' });
  await seedAttempt(db, { ...ofInvoice, number: 1, state: 'declined', sequence: 1 });
  await seedAttempt(db, { ...ofInvoice, number: 2, state: 'succeeded', sequence: 2 });
  await seedPayment(db, { ...ofInvoice, invoiceId: 'in_2', state: 'exhausted' });
  await seedAttempt(db, {
    ...ofInvoice,
    invoiceId: 'in_2',
    number: 1,
    state: 'declined',
    sequence: 3,
  });
  await db.pool.query(
    `update attempts set decision = '{"policy_version": "mod_1", "chance": 0.25}'
     where invoice_id = 'in_1'`,
  );
  // Of the holdout: no model chose it.
  await db.pool.query(
    `update attempts set decision = '{"policy_version": "1"}' where invoice_id = 'in_2'`,
  );
  const store = createModelStore(db);
  expect(await store.countTries('mod_1', minute(0))).toEqual({
    tries: 2,
    successes: 1,
    foretold: 0.5,
    variance: 0.375,
    // Both have the same chance: each is halfway.
    rankSum: 1.5,
  });
  expect((await store.countTries('mod_1', minute(10_000))).tries).toBe(0);
});

it('shows the last training of a scope, from its request on', async () => {
  const store = createModelStore(db);
  const note = { merchantId: 'mer_a', tries: 0, message: '' };
  await store.noteTraining({ ...note, state: 'queued', at: minute(1) });
  await store.noteTraining({ ...note, state: 'done', message: 'promoted', at: minute(2) });
  expect(await listTrainings(db)).toEqual([
    { ...note, state: 'done', message: 'promoted', requestedAt: minute(1), updatedAt: minute(2) },
  ]);
});

it('makes one of two active that are the first of their scope, at the same moment', async () => {
  const store = createModelStore(db);
  const merchantId = 'mer_two';
  for (const modelId of ['mod_a', 'mod_b']) {
    await store.add({ merchantId, modelId, model, metrics: {}, at: minute(6) });
  }
  await using other = await openTransaction(db);
  await setStatus(other, 'mod_a', 'active');
  const activated = store.activate({ merchantId, modelId: 'mod_b', by: 'operator', at: minute(6) });
  await untilLockWaits(async (text) => (await db.pool.query(text)).rows);
  await other.commit();
  expect(await activated).toBe(true);
  const ofScope = (await store.list()).filter((item) => item.merchantId === merchantId);
  expect(ofScope.filter(isActive)).toMatchObject([{ modelId: 'mod_b' }]);
});

const isActive = ({ status }: { readonly status: string }) => status === 'active';

function setStatus({ query }: Pick<OpenTransaction, 'query'>, modelId: string, status: string) {
  return query(
    {
      name: 'set_status',
      text: `
        update models
        set status = $2::text, retired_at = case when $2 = 'retired' then $3::timestamptz end,
            activated_at = $3::timestamptz
        where model_id = $1`,
    },
    [modelId, status, minute(6)],
  );
}
