import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minuteMs } from '../../../src/domain/clock.ts';
import { destroyCredentials } from '../../../src/jobs/background/destroy-credentials.ts';
import type { JobContext } from '../../../src/jobs/background-job.ts';
import type { PspConnection } from '../../../src/recovery/operator-api.ts';
import { destroyRetiredCredentials } from '../../../src/store/admin/destroy-retired-credentials.ts';
import { type AdminWorld, newMerchant, openAdminWorld, rowsOf } from './admin-world.ts';

let world: AdminWorld;
beforeAll(async () => {
  world = await openAdminWorld();
  // The charge alone matters here, not the attempt and the payment that it would belong to.
  await world.changeSchema('drop trigger charges_have_attempts on psp_transactions');
  await world.changeSchema(
    'alter table psp_transactions drop constraint psp_transactions_merchant_id_invoice_id_fkey',
  );
});
afterAll(() => world.close());

function stripe(secret_key: string): PspConnection {
  return { psp: 'stripe', credentials: { secret_key, webhook_secret: 'whsec_1' } };
}

async function merchantWith(secretKey: string): Promise<string> {
  const created = await world.admin.createMerchant(newMerchant());
  const { merchantId } = created.merchant;
  await world.admin.connectPsp(merchantId, stripe(secretKey));
  return merchantId;
}

/** A charge of the merchant that is open, sent through that version of its account at Stripe. */
async function openCharge(
  merchantId: string,
  input: { readonly key: string; readonly version: number; readonly amountMinor: number },
): Promise<void> {
  await world.db.pool.query(
    `insert into psp_transactions (merchant_id, attempt_id, ordinal, invoice_id, psp, state,
       idempotency_key, payment_method_id, amount_minor, currency, sent_at, connection_version)
     values ($1, $2, 1, $2, 'stripe', 'unknown', $2, 'pm_1', $4, 'EUR', $5, $3)`,
    [merchantId, input.key, input.version, input.amountMinor, world.clock.now()],
  );
}

/** A debt that the merchant reports now, by a failed charge at Stripe. */
async function openDebt(merchantId: string): Promise<void> {
  await world.db.pool.query(
    `insert into payments (merchant_id, invoice_id, customer_id, transaction_id,
       original_psp_transaction_id, psp, amount_minor, currency, payment_method_ids, first_decline,
       state, failed_at, window_ends_at, max_attempts, decision, due_action, next_attempt_at,
       created_at, updated_at, reported_by)
     values ($1, 'inv_' || $1, 'cus_1', 'txn_1', 'ch_1', 'stripe', 1599, 'EUR', '{pm_1}', '{}',
       'scheduled', $2, $2::timestamptz + interval '28 days', 4, '{}', 'plan', $2, $2, $2, 'merchant')`,
    [merchantId, world.clock.now()],
  );
}

async function resolve(merchantId: string): Promise<void> {
  await world.db.pool.query(
    `update psp_transactions set state = 'not_made', settled_at = sent_at, next_attempt_at = null
     where merchant_id = $1`,
    [merchantId],
  );
}

async function runJob(): Promise<void> {
  const job = destroyCredentials({
    destroy: (input) =>
      destroyRetiredCredentials(world.db, { ...input, invoiceHolders: ['stripe'] }),
  });
  const { signal } = new AbortController();
  const context: JobContext = { at: world.clock.now(), signal, progress: () => undefined };
  await job.run(context);
}

async function secretNames(merchantId: string) {
  const rows = await rowsOf(
    world.db,
    "select name from secrets where merchant_id = $1 and kind = 'psp_credentials' order by name",
    [merchantId],
  );
  return rows.map((row) => row.name);
}

describe('new credentials', () => {
  it('of the same account keep its version, and take the place of the old ones', async () => {
    const merchantId = await merchantWith('sk_of_A_1');
    expect(await world.admin.connectPsp(merchantId, stripe('sk_of_A_2'))).toMatchObject({
      version: 1,
    });
    expect(await world.gateways.list({ merchantId, psp: 'stripe' })).toHaveLength(1);
    expect(await secretNames(merchantId)).toEqual(['stripe']);
  });

  it('of another account are its next version', async () => {
    const merchantId = await merchantWith('sk_of_A_1');
    expect(await world.admin.connectPsp(merchantId, stripe('sk_of_B_1'))).toMatchObject({
      version: 2,
      retired: { version: 1 },
    });
    const accounts = await world.gateways.list({ merchantId, psp: 'stripe' });
    expect(accounts.map(({ connection }) => connection)).toEqual([
      { version: 2, mode: 'unknown', isActive: true },
      { version: 1, mode: 'unknown', isActive: false },
    ]);
  });

  it('of nobody knows whom are taken for another account, unless they are the same', async () => {
    const merchantId = await merchantWith('sk_nameless');
    expect(await world.admin.connectPsp(merchantId, stripe('sk_nameless'))).toMatchObject({
      version: 1,
    });
    expect(await world.admin.connectPsp(merchantId, stripe('sk_other'))).toMatchObject({
      version: 2,
    });
    expect(await world.admin.connectPsp(merchantId, stripe('sk_away'))).toMatchObject({
      version: 3,
    });
  });

  it('are compared with an account that nobody had named yet, by asking it', async () => {
    const merchantId = await merchantWith('sk_of_A_1');
    await world.db.pool.query(
      "update psp_connections set account = null where merchant_id = $1 and psp = 'stripe'",
      [merchantId],
    );
    expect(await world.admin.connectPsp(merchantId, stripe('sk_of_A_2'))).toMatchObject({
      version: 1,
    });
    expect(await world.admin.connectPsp(merchantId, stripe('sk_of_B_1'))).toMatchObject({
      version: 2,
    });
  });

  it('with a change of the whole merchant follow the same rule', async () => {
    const merchantId = await merchantWith('sk_of_A_1');
    await openCharge(merchantId, { key: `att_${merchantId}`, version: 1, amountMinor: 5 });
    const psps = [stripe('sk_of_B_1')];
    await world.admin.changeMerchant(merchantId, { psps });
    expect((await world.shown.merchant(merchantId))?.psps).toEqual(['stripe']);
    expect(await world.shown.pspAccounts(merchantId)).toMatchObject([
      { psp: 'sandbox', version: 1, state: 'retired' },
      { psp: 'stripe', version: 1, state: 'retired', account: 'A', open: { count: 1 } },
      { psp: 'stripe', version: 2, state: 'active', account: 'B' },
    ]);
    await resolve(merchantId);
  });
});

describe('an account that is replaced', () => {
  it('says what is open there, and can be asked about it until that is settled', async () => {
    const merchantId = await merchantWith('sk_of_A_1');
    await openCharge(merchantId, { key: `${merchantId}-1`, version: 1, amountMinor: 1_599 });
    await openCharge(merchantId, { key: `${merchantId}-2`, version: 1, amountMinor: 400 });
    const replaced = await world.admin.connectPsp(merchantId, stripe('sk_of_B_1'));
    const open = {
      count: 2,
      amounts: [{ amountMinor: 1_999, currency: 'EUR' }],
      oldestSentAt: world.clock.now(),
    };
    expect(replaced?.retired).toEqual({ version: 1, open });
    world.clock.passMs(60 * minuteMs);
    await runJob();
    expect(await secretNames(merchantId)).toEqual(['stripe', 'stripe@2']);
    const old = await world.gateways.find({ merchantId, psp: 'stripe', version: 1 });
    expect(await old?.checkCredentials()).toMatchObject({ accountId: 'A' });
    const present = await world.gateways.find({ merchantId, psp: 'stripe' });
    expect(await present?.checkCredentials()).toMatchObject({ accountId: 'B' });
    await resolve(merchantId);
    await runJob();
    expect(await secretNames(merchantId)).toEqual(['stripe@2']);
    world.clock.passMs(minuteMs);
    expect(await world.gateways.find({ merchantId, psp: 'stripe', version: 1 })).toBeUndefined();
    const audited = await rowsOf(
      world.db,
      `select detail from audit_log
       where merchant_id = $1 and action = 'psp.credentials_destroyed'`,
      [merchantId],
    );
    expect(audited).toEqual([{ detail: { psp: 'stripe', version: 1 } }]);
  });

  it('keeps its credentials for a while, since a charge may just be beginning', async () => {
    const merchantId = await merchantWith('sk_of_A_1');
    await world.admin.connectPsp(merchantId, stripe('sk_of_B_1'));
    world.clock.passMs(14 * minuteMs);
    await runJob();
    expect(await secretNames(merchantId)).toEqual(['stripe', 'stripe@2']);
    world.clock.passMs(2 * minuteMs);
    await runJob();
    expect(await secretNames(merchantId)).toEqual(['stripe@2']);
  });

  it('keeps its credentials while a debt of before is still to be asked for its invoice', async () => {
    const merchantId = await merchantWith('sk_of_A_1');
    await openDebt(merchantId);
    world.clock.passMs(minuteMs);
    await world.admin.connectPsp(merchantId, stripe('sk_of_B_1'));
    world.clock.passMs(60 * minuteMs);
    await runJob();
    expect(await secretNames(merchantId)).toEqual(['stripe', 'stripe@2']);
    await world.db.pool.query(
      "update payments set psp_invoice_state = 'none' where merchant_id = $1",
      [merchantId],
    );
    await runJob();
    expect(await secretNames(merchantId)).toEqual(['stripe@2']);
  });

  it('is not kept for a debt that was reported after it', async () => {
    const merchantId = await merchantWith('sk_of_A_1');
    await world.admin.connectPsp(merchantId, stripe('sk_of_B_1'));
    world.clock.passMs(60 * minuteMs);
    await openDebt(merchantId);
    await runJob();
    expect(await secretNames(merchantId)).toEqual(['stripe@2']);
  });

  it('is counted by its own charges, not by those of its successor', async () => {
    const merchantId = await merchantWith('sk_of_A_1');
    await world.admin.connectPsp(merchantId, stripe('sk_of_B_1'));
    await openCharge(merchantId, { key: `${merchantId}-1`, version: 2, amountMinor: 100 });
    world.clock.passMs(60 * minuteMs);
    await runJob();
    expect(await secretNames(merchantId)).toEqual(['stripe@2']);
    expect(await world.admin.disconnectPsp(merchantId, 'stripe')).toMatchObject({
      version: 2,
      open: { count: 1 },
    });
    await resolve(merchantId);
  });
});
