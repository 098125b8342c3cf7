import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import type { Database } from '../../../src/store/database.ts';
import { createIncidentStore } from '../../../src/store/incidents/incident-store.ts';
import type { Service } from '../service.ts';
import { call, expectStatus, operatorApi } from '../service-calls.ts';
import { seedModels } from './seed-models.ts';
import { seedPayments } from './seed-payments.ts';

/** A Monday, far enough ahead that every clock of today is before it. */
export const worldNow = new Date('2031-06-02T09:30:00.000Z');

export interface DashboardWorld {
  /** On the learned policy, with an experiment. */
  readonly atlasId: string;
  /** On fixed days; its endpoint is down since yesterday. */
  readonly northwindId: string;
}

/**
 * Two months of a service's life, the same at every run but for the merchants' ids: every page has
 * something to show. The service's clock has to stand at `worldNow`: `useDashboard` begins there.
 */
export async function seedDashboard({
  service,
  db,
}: {
  readonly service: Service;
  readonly db: Database;
}): Promise<DashboardWorld> {
  const api = operatorApi(service);
  const make = async (name: string, policy: object): Promise<string> => {
    const domain = `${name.split(' ')[0]?.toLowerCase()}.example`;
    const body = {
      name,
      retry_status_url: `https://billing.${domain}/retry/{invoice_id}`,
      webhook_url: `https://billing.${domain}/webhooks/retry-results`,
      psps: [{ psp: 'sandbox' }],
      policy,
    };
    return (await expectStatus(api.post('/api/merchants', body), 201)).id;
  };
  const window = { window_days: 28, max_attempts: 8 };
  const atlasId = await make('Atlas Media', {
    kind: 'learned',
    ...window,
    holdout_share: 0.125,
    learned_share: 0.85,
    explore_share: 0.025,
  });
  const northwindId = await make('Northwind Press', {
    kind: 'fixed',
    ...window,
    fixed_days: [1, 3, 5, 7],
  });
  await seedPayments(db, { merchantIds: [atlasId, northwindId], now: worldNow });
  await seedModels(db, { merchantId: atlasId, now: worldNow });
  await openDisputes(service, atlasId);
  await openIncidents(db, atlasId);
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
  return { atlasId, northwindId };
}

/** Charges are counted once they lie two minutes behind; all of these are older. */
const chargesLagMs = 150_000;

/** The sums are counted beside the work, from the first look on. */
async function counted(service: Service, path: string): Promise<void> {
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

async function openDisputes(service: Service, merchantId: string): Promise<void> {
  const issued = await expectStatus(
    operatorApi(service).post(`/api/merchants/${merchantId}/credentials`, {
      kind: 'disputes_password',
    }),
    201,
  );
  const password = Buffer.from(`${merchantId}:${issued.text}`).toString('base64');
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

async function openIncidents(db: Database, merchantId: string): Promise<void> {
  const store = createIncidentStore({ db, random: { bytes: randomBytes } });
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
