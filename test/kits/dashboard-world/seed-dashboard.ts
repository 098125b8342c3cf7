import { setTimeout as pause } from 'node:timers/promises';
import { addMs, dayMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import { evenDays } from '../../../src/domain/merchant.ts';
import type { Random } from '../../../src/domain/random.ts';
import type { Database } from '../../../src/store/database.ts';
import { createIncidentStore } from '../../../src/store/incidents/incident-store.ts';
import { call, expectStatus, operatorApi } from '../service-calls.ts';
import type { ServiceEntries } from '../service-entries.ts';
import { makeMerchant } from './make-merchant.ts';
import { seedDecidedDisputes } from './seed-decided-disputes.ts';
import { seedModels } from './seed-models.ts';
import { seedPayments } from './seed-payments.ts';
import { seededRandom } from './seeded-random.ts';

/** A Monday, far enough ahead that every clock of today is before it. */
export const worldNow = new Date('2031-06-02T09:30:00.000Z');

export interface DashboardWorld {
  /** On the learned policy, with an experiment. */
  readonly atlasId: string;
  /** On fixed days; its endpoint is down since yesterday. */
  readonly northwindId: string;
}

/**
 * Two months of a service's life, the same at every run but for the ids that the service itself gives
 * disputes and operators: every page has something to show. The service's clock has to stand at `worldNow`: `useDashboard` begins there.
 */
export async function seedDashboard({
  service,
  db,
  encryptionKey,
}: {
  readonly service: ServiceEntries;
  readonly db: Database;
  readonly encryptionKey: string;
}): Promise<DashboardWorld> {
  const api = operatorApi(service);
  const deps = { db, encryptionKey, random: seededRandom(16) };
  const window = { windowDays: 28, maxAttempts: 8 };
  const atlas = await makeMerchant(deps, {
    name: 'Atlas Media',
    policy: {
      kind: 'learned',
      ...window,
      fixedDays: evenDays(window.windowDays, window.maxAttempts),
      holdoutShare: 0.125,
      learnedShare: 0.85,
      exploreShare: 0.025,
    },
    at: worldNow,
  });
  const northwind = await makeMerchant(deps, {
    name: 'Northwind Press',
    policy: { kind: 'fixed', ...window, fixedDays: [1, 3, 5, 7] },
    at: worldNow,
  });
  const [atlasId, northwindId] = [atlas.id, northwind.id];
  await seedPayments(db, { merchantIds: [atlasId, northwindId], now: worldNow });
  await seedModels(db, { merchantId: atlasId, now: worldNow });
  await openDisputes(service, atlas);
  await seedDecidedDisputes(db, { merchantIds: [atlasId, northwindId], now: worldNow });
  await openIncidents(deps, atlasId);
  await setAside(db, northwindId);
  for (const [name, role] of [
    ['K. Ito', 'administrator'],
    ['M. Okafor', 'operator'],
    ['S. Lindqvist', 'disputes'],
  ]) {
    const email = `${name?.split(' ')[1]?.toLowerCase()}@example.com`;
    await expectStatus(api.post('/api/operators', { name, email, role }), 201);
  }
  for (const path of ['/api/overview', '/api/retry-map', '/api/uplift', '/api/experiments']) {
    await counted(service, path);
  }
  await alerted(service, db);
  return { atlasId, northwindId };
}

/** The service looks for alerts at each full minute of its time: the next one comes at once. */
async function alerted(service: ServiceEntries, db: Database): Promise<void> {
  await db.pool.query('update sandbox_clock set offset_ms = offset_ms + $1', [minuteMs]);
  for (;;) {
    const { alerts } = await expectStatus(operatorApi(service).get('/api/alerts'), 200);
    if (alerts.length > 0) return;
    await pause(100);
  }
}

/** Charges are counted once they lie two minutes behind; all of these are older. */
const chargesLagMs = 150_000;

/** The sums are counted beside the work, from the first look on. */
async function counted(service: ServiceEntries, path: string): Promise<void> {
  for (;;) {
    const { as_of: at } = await expectStatus(operatorApi(service).get(path), 200);
    if (at !== undefined && new Date(at) >= addMs(worldNow, -chargesLagMs)) return;
    await pause(100);
  }
}

/** Deadlines in days from now, and what the bank says. */
const disputes = [
  ['visa', '10.4', 'fraudulent', 4_900, 1.2, 'chargeback'],
  ['visa', '13.7', 'subscription cancelled', 12_900, 3, 'chargeback'],
  ['mastercard', '4837', 'no cardholder authorisation', 2_400, 6.5, 'chargeback'],
  ['amex', 'F29', 'card not present', 7_450, 12, 'inquiry'],
  ['visa', '10.4', 'fraudulent', 9_900, -2, 'chargeback'],
  ['mastercard', '4853', 'not as described', 3_100, 18, 'pre_arbitration'],
] as const;

async function openDisputes(
  service: ServiceEntries,
  merchant: { readonly id: string; readonly disputesPassword: string },
): Promise<void> {
  const { id, disputesPassword } = merchant;
  const password = Buffer.from(`${id}:${disputesPassword}`).toString('base64');
  for (const [index, [network, code, reason, amount, dueDays, stage]] of disputes.entries()) {
    const invoice = `in_1${(400 + index * 11).toString().padStart(5, '0')}`;
    const openedAt = addMs(worldNow, -(9 + index) * dayMs).toISOString();
    const body = {
      psp: 'sandbox',
      psp_dispute_id: `dp_${7001 + index}`,
      kind: 'dispute',
      stage,
      status: 'needs_response',
      network,
      reason,
      reason_code: code,
      occurred_at: openedAt,
      opened_at: openedAt,
      respond_by: addMs(worldNow, dueDays * dayMs).toISOString(),
      amount: amount / 100,
      currency: 'USD',
      transaction_id: `ch_failed_${invoice}`,
      invoice_id: invoice,
    };
    await expectStatus(
      call(`${service.disputesUrl}/v1/disputes`, {
        method: 'POST',
        headers: { authorization: `Basic ${password}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      200,
    );
  }
}

async function openIncidents(
  deps: { readonly db: Database; readonly random: Random },
  merchantId: string,
): Promise<void> {
  const store = createIncidentStore(deps);
  for (const [index, invoiceId] of ['in_101190', 'in_101180'].entries()) {
    const at = addMs(worldNow, -(3 + index * 20) * hourMs);
    await store.open({
      merchantId,
      psp: 'sandbox',
      kind: 'contradiction',
      subject: invoiceId,
      invoiceId,
      charge: `rcp_${invoiceId}`,
      ours: { state: 'declined', amountMinor: 4_200, currency: 'USD', at },
      theirs: {
        state: 'succeeded',
        pspTransactionId: `ch_theirs_${invoiceId}`,
        amountMinor: 4_200,
        currency: 'USD',
        at: addMs(at, 30_000),
      },
      detail: 'the PSP says succeeded of a charge that is recorded as declined',
      at: addMs(at, 60_000),
    });
  }
}

/** Two payments whose processor was out of reach for a day. */
async function setAside(db: Database, merchantId: string): Promise<void> {
  await db.pool.query(
    `update payments set next_attempt_at = null, failures = 20, set_aside_at = $2::timestamptz - interval '5 hours',
       set_aside_reason = '20 tries in a row reached no PSP'
     where merchant_id = $1 and invoice_id in (
       select invoice_id from payments where merchant_id = $1 and state = 'scheduled' and due_action = 'attempt'
       order by invoice_id desc limit 2)`,
    [merchantId, worldNow],
  );
}
