import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ModelView } from '../../../src/recovery/learned/model-ports.ts';
import { stepTakeOver } from '../../../src/recovery/learned/take-over.ts';
import { findMerchant, updateMerchant } from '../../../src/store/admin/merchants.ts';
import type { Database } from '../../../src/store/database.ts';
import { createTakeOverStore } from '../../../src/store/learned/take-over-store.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedMerchant, seedPayment } from '../reports/seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_a', 'mer_b']) await seedMerchant(db, merchantId);
});
afterAll(() => db.close());

const policy = { kind: 'learned', windowDays: 2, maxAttempts: 8, fixedDays: [1] } as const;

async function shownPolicy() {
  const policy = (await findMerchant(db, 'mer_a'))?.policy;
  return policy?.kind === 'learned' ? policy : undefined;
}
const day = (days: number) => minute(days * 24 * 60);

/** A look of the service, with a trained model in use or none. */
async function look(
  days: number,
  isTrained = true,
  active: Partial<ModelView> = {},
): Promise<number | undefined> {
  const model = {
    merchantId: '*',
    modelId: 'mod_1',
    status: 'active',
    origin: isTrained ? 'trained' : 'shipped',
    metrics: { use: 'boosted' },
    createdAt: day(0),
    ...active,
  } satisfies ModelView;
  const deps = {
    models: { list: async () => [model] },
    steps: createTakeOverStore(db),
    log: { info() {} },
  };
  await stepTakeOver(deps, day(days));
  return (await shownPolicy())?.learnedStep;
}

async function seed(
  prefix: string,
  days: number,
  paidOf: (arm: string, at: number) => boolean,
  merchantId = 'mer_a',
) {
  for (const arm of ['learned', 'holdout']) {
    for (let at = 0; at < 240; at += 1) {
      await seedPayment(db, {
        merchantId,
        invoiceId: `${prefix}_${arm}_${at}`,
        customer_id: `cus_${prefix}_${at}`,
        failed_at: day(days),
        window_ends_at: day(days + 28),
        decision: { arm },
        state: paidOf(arm, at) ? 'recovered' : 'exhausted',
      });
    }
  }
}

it('moves a merchant up and down by its own ended payments, and notes each step', async () => {
  expect(await createTakeOverStore(db).listStepping()).toEqual([]);
  await updateMerchant(db, { merchantId: 'mer_a', change: { policy }, at: day(1) });
  expect(await look(1, false)).toBe(0);
  expect(await look(2)).toBe(0.1);
  await seed('good', 3, (arm, at) => arm === 'learned' || at % 2 === 0);
  // Their windows of two days have not ended yet.
  expect(await look(4)).toBe(0.1);
  expect(await look(6)).toBe(0.5);
  // The payments of the step before say nothing more.
  expect(await look(7)).toBe(0.5);
  await seed('bad', 8, (arm, at) => arm === 'holdout' || at % 2 === 0);
  expect(await look(11)).toBe(0.1);
  expect(await look(12, false)).toBe(0);
  const lines = await db.query<{ detail: { from: number; to: number } }>(
    {
      name: 'test_audit',
      text: "select detail from audit_log where action = 'merchant.learned_share' order by at",
    },
    [],
  );
  expect(lines.map(({ detail }) => [detail.from, detail.to])).toEqual([
    [0, 0.1],
    [0.1, 0.5],
    [0.5, 0.1],
    [0.1, 0],
  ]);
});

it('counts a debt once whose other recovery was joined to it', async () => {
  const [from, until] = [day(40), day(41)];
  const sum = async () => {
    const groups = await createTakeOverStore(db).sumGroups('mer_b', from, until);
    return groups.reduce((all, { learned, scheduled }) => all + learned + scheduled, 0);
  };
  await seed('joined', 40, () => false, 'mer_b');
  expect(await sum()).toBe(480);
  await db.pool.query(
    `update payments set joined_to = 'joined_learned_1', state = 'stopped', stop_reason = 'joined'
     where merchant_id = 'mer_b' and invoice_id in ('joined_holdout_0', 'joined_learned_0')`,
  );
  expect(await sum()).toBe(478);
});

it('begins anew with another policy, and leaves alone what is set by hand', async () => {
  expect(await look(13)).toBe(0.1);
  const change = { policy: { ...policy, windowDays: 3 } };
  await updateMerchant(db, { merchantId: 'mer_a', change, at: day(14) });
  expect((await shownPolicy())?.learnedStep).toBe(0);
  const byHand = { policy: { ...policy, windowDays: 3, learnedShare: 0.7 } };
  await updateMerchant(db, { merchantId: 'mer_a', change: byHand, at: day(15) });
  expect(await look(16)).toBe(0);
  expect((await shownPolicy())?.learnedShare).toBe(0.7);
});

it('waits after a trial that was lost, unless another part plans or a person chose the model', async () => {
  const steps = { policy: { ...policy, windowDays: 4 } };
  await updateMerchant(db, { merchantId: 'mer_b', change: steps, at: day(20) });
  const at = async () => {
    const shown = (await findMerchant(db, 'mer_b'))?.policy;
    return shown?.kind === 'learned' ? shown.learnedStep : undefined;
  };
  const seen = async (...args: Parameters<typeof look>) => {
    await look(...args);
    return at();
  };
  const loseFrom = async (days: number) => {
    await seed(`lost_${days}`, days, (arm, place) => arm === 'holdout' || place % 2 === 0, 'mer_b');
  };
  expect(await seen(21)).toBe(0.1);
  await loseFrom(22);
  expect(await seen(27)).toBe(0);
  expect(await seen(30)).toBe(0);
  expect(await seen(31)).toBe(0.1);
  await loseFrom(32);
  expect(await seen(37)).toBe(0);
  // The second one waits for two windows.
  expect(await seen(44.9)).toBe(0);
  const logistic = { metrics: { use: 'logistic' } };
  expect(await seen(44.9, true, logistic)).toBe(0);
  expect(await seen(44.9, true, { activatedBy: 'training', activatedAt: day(40) })).toBe(0);
  expect(await seen(44.9, true, { activatedBy: 'operator', activatedAt: day(36) })).toBe(0);
  expect(await seen(44.9, true, { activatedBy: 'operator', activatedAt: day(40) })).toBe(0.1);
  await loseFrom(46);
  expect(await seen(51)).toBe(0);
  expect(await seen(52, true, { metrics: { use: 'coverage' } })).toBe(0.1);
  // Another policy has lost nothing yet.
  const other = { policy: { ...policy, windowDays: 2 } };
  await updateMerchant(db, { merchantId: 'mer_b', change: other, at: day(53) });
  expect(await seen(53)).toBe(0.1);
});

it('gives a product its own step where its own payments differ, and leaves them out of the merchant’s', async () => {
  await seedMerchant(db, 'mer_c');
  const steps = { policy: { ...policy, windowDays: 2 } };
  await updateMerchant(db, { merchantId: 'mer_c', change: steps, at: day(40) });
  const store = createTakeOverStore(db);
  const own = async () =>
    (await store.listSegments('mer_c')).map(({ segment, step }) => [segment, step]);
  const merchantStep = async () => {
    const shown = (await findMerchant(db, 'mer_c'))?.policy;
    return shown?.kind === 'learned' ? shown.learnedStep : undefined;
  };
  await look(41);
  expect(await merchantStep()).toBe(0.1);
  // Worse for annual plans, better for monthly ones, and too few of weekly ones.
  await seed('annual', 42, (arm, at) => arm === 'holdout' || at % 2 === 0, 'mer_c');
  await seed('monthly', 42, (arm, at) => arm === 'learned' || at % 3 > 0, 'mer_c');
  await nameProducts('mer_c');
  await look(45);
  expect(await own()).toEqual([
    ['annual', 0],
    ['monthly', 0.5],
  ]);
  expect(await store.readSegmentShares()).toEqual(
    new Map([['mer_c', { annual: 0, monthly: 0.5 }]]),
  );
  // All of its payments are of products that are judged by themselves.
  expect(await store.sumGroups('mer_c', day(40), day(44))).toEqual([]);
  const byHand = { policy: { ...policy, windowDays: 2, learnedShare: 0.7 } };
  await updateMerchant(db, { merchantId: 'mer_c', change: byHand, at: day(46) });
  expect(await store.readSegmentShares()).toEqual(new Map());
  await look(47, false);
  expect(await own()).toEqual([
    ['annual', 0],
    ['monthly', 0.5],
  ]);
  const other = { policy: { ...policy, windowDays: 5 } };
  await updateMerchant(db, { merchantId: 'mer_c', change: other, at: day(48) });
  expect(await own()).toEqual([]);
});

it('lets all products follow their merchant again where no trained model is trusted', async () => {
  const store = createTakeOverStore(db);
  const input = { merchantId: 'mer_b', segment: 'annual', message: 'why', failedTrials: 0 };
  expect(await store.keepSegment({ ...input, to: 0.5, at: day(50) })).toBe(true);
  // It is there meanwhile, or another step than the one that was judged.
  expect(await store.keepSegment({ ...input, to: 0.1, at: day(51) })).toBe(false);
  expect(await store.keepSegment({ ...input, from: 0.1, to: 0.5, at: day(51) })).toBe(false);
  expect(await store.keepSegment({ ...input, from: 0.5, to: 0.9, at: day(51) })).toBe(true);
  await look(52, false);
  expect(await store.listSegments('mer_b')).toEqual([]);
  const lines = await db.query<{ detail: unknown }>(
    {
      name: 'test_segment_audit',
      text: `select detail from audit_log
             where action = 'merchant.segment_learned_share' and merchant_id = 'mer_b' order by at`,
    },
    [],
  );
  expect(lines.map(({ detail }) => detail)).toEqual([
    { segment: 'annual', message: 'why' },
    { segment: 'annual', message: 'why' },
    { segments: ['annual'], message: expect.stringContaining('follow their merchant') },
  ]);
});

/** Each payment's product is the first word of its invoice's id. */
async function nameProducts(merchantId: string): Promise<void> {
  await db.query(
    {
      name: 'test_products',
      text: `
        with p as materialized (
          select merchant_id, invoice_id, customer_id, failed_at,
                 json_build_object('subscription', json_build_object(
                   'product_id', split_part(invoice_id, '_', 1))) as detail
          from payments where merchant_id = $1
        )
        insert into transactions (merchant_id, invoice_id, transaction_id, psp_transaction_id, psp,
                                  customer_id, subscription_id, payment_method_id, amount_minor,
                                  currency, success, occurred_at, received_at, detail)
        select merchant_id, invoice_id, 'txn_' || invoice_id, 'psp_' || invoice_id, 'stripe',
               customer_id, 'sub_1', 'pm_1', 100, 'USD', false, failed_at, failed_at, detail
        from p`,
    },
    [merchantId],
  );
}
