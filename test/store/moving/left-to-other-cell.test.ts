import { beforeEach, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { modelSchema } from '../../../src/policy/learned/policy-model.ts';
import type { Alert } from '../../../src/recovery/alerts/alert.ts';
import { listMerchants } from '../../../src/store/admin/merchants.ts';
import { countUnresolved } from '../../../src/store/checkup/read-work.ts';
import type { Database } from '../../../src/store/database.ts';
import { listIncidents } from '../../../src/store/incidents/read-incidents.ts';
import { createCheckStore } from '../../../src/store/invariants/check-store.ts';
import { createPortalStore } from '../../../src/store/people/portal-links.ts';
import { findPortalSession, openPortalSession } from '../../../src/store/people/portal-sessions.ts';
import { countUndecided, readAlerts } from '../../../src/store/reports/overview/read-alerts.ts';
import { readNetworkPressure } from '../../../src/store/reports/overview/read-network-pressure.ts';
import { readUnknownCharges } from '../../../src/store/reports/read-unknown-charges.ts';
import { listSetAside } from '../../../src/store/set-aside/set-aside-store.ts';
import { CutOff, clear, move, twoCellsInOne } from '../../kits/moving.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from '../reports/seed.ts';

const now = minute(60);
const leaver = 'mer_leaver';
const stayer = 'mer_stayer';

let here: Database;
let there: Database;
let way: Parameters<typeof move>[0];
beforeEach(async () => {
  ({ here, there, way } = await twoCellsInOne(leaver));
  for (const merchantId of [leaver, stayer]) await seedTrouble(merchantId);
});

/** Something of everything that needs a person. */
async function seedTrouble(merchantId: string): Promise<void> {
  const ask = (text: string, ...more: readonly unknown[]) =>
    here.pool.query(text, [merchantId, ...more]);
  await seedMerchant(here, merchantId);
  for (const invoiceId of ['in_1', 'in_2']) await seedPayment(here, { merchantId, invoiceId });
  const of = { merchantId, invoiceId: 'in_1' };
  await seedAttempt(here, {
    ...of,
    number: 1,
    sequence: 1,
    state: 'declined',
    delivery: 'pending',
  });
  const lost = { number: 2, sequence: 2, state: 'declined', delivery: 'exhausted' } as const;
  await seedAttempt(here, { ...of, ...lost });
  await seedAttempt(here, { ...of, number: 3, state: 'unknown' });
  await ask(
    `update deliveries set tries = 1, window_started_at = $2
     where merchant_id = $1 and state = 'pending'`,
    now,
  );
  await ask(
    `update payments set set_aside_at = $2, set_aside_reason = 'r', next_attempt_at = null
     where merchant_id = $1 and invoice_id = 'in_2'`,
    now,
  );
  await ask(
    `update merchants set policy_kind = 'learned', fixed_days = '{1}' where merchant_id = $1`,
  );
  await ask(
    `insert into endpoints (merchant_id, endpoint_id, url, event_types, quick_sends, auth_type,
       header_names, paused_at, paused_by, created_at, updated_at)
     values ($1, 'end_1', 'https://x/more', '{retry_result}', false, 'none', '{}', $2, 'operator', $2, $2)`,
    now,
  );
  await ask(
    `insert into incidents (merchant_id, incident_id, kind, subject, invoice_id, psp, charge, detail, opened_at)
     values ($1, 'inc_' || $1, 'missing_at_psp', 's', 'in_1', 'sandbox', 'k', 'd', $2)`,
    now,
  );
  await ask(
    `insert into disputes (merchant_id, dispute_id, psp, psp_dispute_id, origin, kind, stage, status,
       state_at, stage_begun_at, opened_at, respond_by, respond_by_source, is_psp_deadline, payment_ids, created_at, updated_at)
     values ($1, 'dis_1', 'sandbox', 'dp_' || $1, 'psp', 'dispute', 'chargeback', 'needs_response',
       $2, $2, $2, $3, 'psp', true, '{}', $2, $2)`,
    now,
    addMs(now, dayMs),
  );
  await ask(
    `insert into network_fees values ($1, 'ref', 'rule', 'avoided', $1, 1, 'EUR', $2)`,
    now,
  );
  await ask(
    `insert into models (merchant_id, model_id, status, origin, metrics, parameters, distrust,
       created_at, activated_at, activated_by)
     values ($1, 'mdl_1', 'active', 'trained', '{}', '{"schema": ${modelSchema}}', 'it drifts', $2, $2, 'training')`,
    now,
  );
  await ask(`insert into card_limit_rollups values ($1, 'visa', 2, 1)`);
  await here.pool.query(
    `update psp_transactions set next_attempt_at = null where state = 'unknown'`,
  );
}

const kinds = [
  'disputes_due',
  'endpoint_failing',
  'endpoint_paused',
  'incidents',
  'model_drifted',
  'network_limits',
  'set_aside',
  'unknown_outcomes',
  'webhooks_given_up',
];

/** Which alerts there are of whom; a network's have the merchant's id as its name. */
async function alerted(db: Database): Promise<Readonly<Record<string, readonly string[]>>> {
  const alerts = await readAlerts(db, { now });
  const whose = (alert: Alert) =>
    alert.kind === 'network_limits'
      ? alert.network
      : 'merchantId' in alert
        ? alert.merchantId
        : undefined;
  return Object.fromEntries(
    [leaver, stayer].map((id) => [
      id,
      alerts
        .filter((alert) => whose(alert) === id)
        .map(({ kind }) => kind)
        .sort(),
    ]),
  );
}

it('a cell alerts of a merchant until it has moved, and the other one from then on', async () => {
  expect(await alerted(here)).toEqual({ [leaver]: kinds, [stayer]: kinds });
  await expect(move(way, { until: 'switched' })).rejects.toThrow(CutOff);
  await move(way);
  expect(await alerted(here)).toEqual({ [leaver]: [], [stayer]: kinds });
  expect(await alerted(there)).toEqual({ [leaver]: kinds, [stayer]: [] });
  await clear(way);
  expect(await alerted(here)).toEqual({ [leaver]: [], [stayer]: kinds });
});

it('a merchant that is on its way is alerted of yet', async () => {
  await expect(move(way, { until: 'fenced' })).rejects.toThrow(CutOff);
  expect(await alerted(here)).toEqual({ [leaver]: kinds, [stayer]: kinds });
});

it('a merchant that came back is alerted of again', async () => {
  await move(way);
  await clear(way);
  await move({ ...way, from: way.to, to: way.from });
  expect(await alerted(here)).toEqual({ [leaver]: kinds, [stayer]: kinds });
  expect(await alerted(there)).toEqual({ [leaver]: [], [stayer]: [] });
});

it('what waits for a person is counted and listed where the merchant is', async () => {
  await here.pool.query(
    `update merchants set webhook_paused_at = $1, webhook_paused_by = 'operator'`,
    [now],
  );
  const counted = async (db: Database) => ({
    ...(await countUndecided(db, now)),
    unresolved: await countUnresolved(db),
    near: (await readNetworkPressure(db, {})).networks.reduce((sum, { near }) => sum + near, 0),
  });
  const ofOne = {
    incidents: 1,
    setAside: 1,
    pausedEndpoints: 2,
    messagesFailing: 0,
    unresolved: 1,
  };
  const listed = async (db: Database) => {
    const pages = await Promise.all([
      listIncidents(db, { state: 'unresolved', limit: 9 }),
      listIncidents(db, { state: 'open', limit: 9 }),
      listSetAside(db, { limit: 9 }),
      readUnknownCharges(db, { limit: 9 }),
      listMerchants(db, { limit: 9, here: true }),
    ]);
    return pages.map(({ items }) => items.map(({ merchantId }) => merchantId));
  };
  expect(await counted(here)).toMatchObject({ incidents: 2, setAside: 2, unresolved: 2, near: 4 });
  await move(way);
  expect(await counted(here)).toEqual({ ...ofOne, near: 2 });
  expect(await counted(there)).toMatchObject(ofOne);
  const five = (id: string) => Array.from({ length: 5 }, () => [id]);
  expect(await listed(here)).toEqual(five(stayer));
  expect(await listed(there)).toEqual(five(leaver));
  // As history it can be read here yet.
  expect((await listIncidents(here, { limit: 9 })).items).toHaveLength(2);
});

it('a contradiction that is to be decided in the other cell breaks no promise in the one that it left', async () => {
  const broken = async (db: Database) => {
    const store = createCheckStore(db);
    const { checkId } = await store.begin({ checkId: `chk_${Math.random()}`, at: now });
    while (!(await store.step({ at: now })).ended);
    const items = (await store.find(checkId))?.items ?? [];
    return items.find(({ name }) => name === 'no_unresolved_contradiction')?.breaches;
  };
  await here.pool.query(
    `update psp_transactions set contradicts = true
     where merchant_id = $1 and state = 'declined' and attempt_id like '%_2'`,
    [leaver],
  );
  expect(await broken(here)).toBe(1);
  await move(way);
  expect(await broken(here)).toBe(0);
  expect(await broken(there)).toBe(1);
});

it('links to the portal of the cell that it left lead nowhere, and sessions there are over', async () => {
  const hash = 'ab'.repeat(32);
  const valueHash = Buffer.alloc(32, 7);
  const expiresAt = addMs(now, dayMs);
  const link = { linkId: 'plk_1', merchantId: leaver, createdAt: now, expiresAt };
  const portal = createPortalStore({ db: here });
  expect(await portal.addLink({ link, hash, max: 9, at: now })).toBe('added');
  const pass = { kind: 'link', link } as const;
  await openPortalSession(here, { valueHash, pass, at: now, expiresAt });
  const at = addMs(now, 1);
  const found = async () => [
    (await portal.findLink(hash, { now: at, serviceNow: at }))?.merchantId,
    (await findPortalSession(here, { valueHash, at, begunBy: at, serviceNow: at }))?.merchantId,
  ];
  expect(await found()).toEqual([leaver, leaver]);
  await move(way);
  expect(await found()).toEqual([undefined, undefined]);
});
