import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs, secondMs } from '../../src/domain/clock.ts';
import type { PaymentEventBody } from '../../src/domain/payment-event.ts';
import { disputesOpenApi } from '../../src/http/disputes/disputes-open-api.ts';
import { recoveryOpenApi } from '../../src/http/recovery/recovery-open-api.ts';
import { rollupBatch } from '../../src/jobs/background/keep-rollups.ts';
import { operatorOpenApi } from '../../src/operator/operator-open-api.ts';
import { archivePayments } from '../../src/store/archive/archive-payments.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { mergeDebts } from '../../src/store/debts/merge-debts.ts';
import { trimDeliveryTries } from '../../src/store/retention.ts';
import { rollUpCharges, rollUpPayments, rollUpUplift } from '../../src/store/rollups/roll-up.ts';
import { cardsOf, type EventOptions, failedEvent, paidEvent } from '../kits/billing-events.ts';
import { createTestDatabase } from '../kits/database.ts';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import { type ApiOperation, fillPath, operationsOf } from '../kits/open-api.ts';
import { type Service, useServices } from '../kits/service.ts';
import {
  advance,
  brokenPromises,
  type Caller,
  call,
  createMerchant,
  expectStatus,
  operatorApi,
  recoveryApi,
  serviceNow,
  showPayment,
} from '../kits/service-calls.ts';

const services = useServices();
const open: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of open.reverse()) await close();
});

/** Those of which docs/operating.md says that they tell nothing of what is in the archive. */
const withoutArchive = [
  'exportDeliveries',
  'exportEndpoints',
  'listDeliveries',
  'listEndpoints',
  'listEvents',
];

/** What is other at each look: of the moment, of the machine, or of the looks themselves. */
const ofTheMoment = [
  'checkup',
  'exportAudit',
  'exportCredentials',
  'health',
  'listAudit',
  'listCredentials',
  'listInvariants',
  'metrics',
  'ready',
  'showClock',
];

/** Of things that have nothing to do with a payment's rows, and that this world has none of. */
const ofOthers = [
  'listOperatorTokens',
  'showAttachment',
  'showBatch',
  'showBulk',
  'showCustomerLink',
  'showIncident',
];

/** How the card of each invoice behaves, and what else is reported of it. */
const invoices: Readonly<Record<string, readonly [string[], EventOptions?]>> = {
  in_paid: [['pm_sandbox_success'], { custom: { plan: 'gold', nothing: null } }],
  in_third: [['pm_sandbox_success_after_3'], { currency: 'JPY', amount: 1200 }],
  in_never: [['pm_sandbox_decline_51_mac_25'], { scheme: 'Mastercard' }],
  in_methods: [['pm_sandbox_decline_05', 'pm_sandbox_not_found', 'pm_sandbox_success_after_4']],
  in_lost: [['pm_sandbox_lost_success']],
  in_stolen: [['pm_sandbox_decline_41'], { outcome: { raw_response_message: '43: stolen card' } }],
  in_cancelled: [['pm_sandbox_success']],
  in_less: [['pm_sandbox_decline_51'], { currency: 'EUR' }],
  in_stopped: [['pm_sandbox_success']],
  in_elsewhere: [['pm_sandbox_decline_51']],
  in_one: [['pm_sandbox_decline_51']],
  in_two: [['pm_sandbox_decline_51']],
};

async function startWorld() {
  const database = await createTestDatabase();
  open.push(() => database.drop());
  const { connectionString } = database;
  const [server, further] = [await startFakeMerchant(), await startFakeMerchant()];
  open.push(server.close, further.close);
  const service = await services.start({
    env: {
      DATABASE_URL: connectionString,
      ENCRYPTION_KEY: '7'.repeat(64),
      OPERATOR_TOKEN: randomBytes(24).toString('hex'),
      SANDBOX: 'true',
    },
  });
  const db = openDatabase({ log: { warn() {} } }, { connectionString, poolSize: 2 });
  open.push(() => db.close());
  let sends = 0;
  server.answerWebhooks(() => (sends++ % 3 === 0 ? { status: 500, body: { detail: 'no' } } : {}));
  const yes = { retry: true, reason: 'Invoice open' };
  server.answerLookups(({ invoiceId }) => {
    if (invoiceId === 'in_cancelled') return { body: { retry: false, reason: 'Cancelled' } };
    const methods = [{ id: 'pm_sandbox_decline_51--less' }, { id: 'pm_sandbox_success--less' }];
    const less = { amount: 5.01, payment_methods: methods };
    return { body: { ...yes, ...(invoiceId === 'in_less' && less) } };
  });
  const events = { end_of_dunning: true, customer_action_events: true };
  const merchant = await createMerchant(service, server, events);
  const path = `/api/merchants/${merchant.merchantId}`;
  const endpoint = await expectStatus(
    operatorApi(service).post(`${path}/webhook-endpoints`, {
      url: further.webhookUrl,
      event_types: ['retry_result', 'end_of_dunning'],
    }),
    201,
  );
  const api = recoveryApi(service, merchant.apiKey);
  const { merchantId, apiKey } = merchant;
  return { service, db, api, merchantId, apiKey, path, endpointId: String(endpoint.id) };
}

type World = Awaited<ReturnType<typeof startWorld>>;

/** All that a payment may go through, each of them to its end; the id of a report. */
async function play({ service, db, api, merchantId, path, endpointId }: World): Promise<string> {
  const start = addMs(await serviceNow(service), -secondMs);
  const report = (event: PaymentEventBody) =>
    expectStatus(api.post('/recover/payments', event), 200);
  for (const [invoiceId, [methods, more]] of Object.entries(invoices)) {
    const of = { invoiceId, customerId: `cus_of_${invoiceId}`, at: start };
    await report(failedEvent({ ...of, methods: cardsOf(invoiceId, methods), ...more }));
  }
  await advance(service, 'PT1H');
  await expectStatus(api.post('/recover/payments/in_paid/retry', {}), 200);
  await expectStatus(api.post('/recover/payments/in_stopped/stop', {}), 200);
  await advance(service, 'P2D');
  const at = await serviceNow(service);
  await db.transaction((tx) =>
    mergeDebts(tx, { merchantId, invoiceIds: ['in_one', 'in_two'], at }),
  );
  const paid = { invoiceId: 'in_elsewhere', customerId: 'cus_of_in_elsewhere', at };
  const { request_id: requestId } = await report(paidEvent(paid));
  await advance(service, 'P12D');
  const { events } = await expectStatus(api.get('/recover/events?limit=1'), 200);
  await expectStatus(api.post(`/recover/events/${events[0].event_id}/redeliver`, {}), 200);
  const all = { status: 'any', from: start.toISOString() };
  for (const to of [{}, { endpoint_id: endpointId }]) {
    await expectStatus(operatorApi(service).post(`${path}/replays`, { ...all, ...to }), 202);
  }
  await advance(service, 'P40D');
  return requestId;
}

/** A dispute of a charge that Recoup made; the credentials of whoever reported it. */
async function dispute({ service, api, merchantId, path }: World) {
  const kind = { kind: 'disputes_password' };
  const issued = await expectStatus(operatorApi(service).post(`${path}/credentials`, kind), 201);
  const basic = Buffer.from(`${merchantId}:${issued.text}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/json' };
  const post = (to: string, body: object) =>
    call(service.disputesUrl + to, { method: 'POST', headers, body: JSON.stringify(body) });
  const { attempts } = await showPayment(api, 'in_paid');
  const charge = attempts.at(-1)?.transactions.at(-1)?.psp_transaction_id;
  const names = { psp: 'sandbox', invoice_id: 'in_paid', charge_id: charge };
  const person = { customer_email: 'jane@payer.example', ipv4_address: '8.8.8.8' };
  const analytics = await expectStatus(post('/v1/analytics/', { ...names, ...person }), 200);
  const at = (await serviceNow(service)).toISOString();
  const reported = await expectStatus(
    post('/v1/disputes', {
      ...names,
      ...{ psp_dispute_id: 'dp_1', kind: 'dispute', stage: 'chargeback' },
      ...{ status: 'needs_response', amount: 12.23, currency: 'USD' },
      ...{ occurred_at: at, opened_at: at },
    }),
    200,
  );
  return { headers, analyticsId: String(analytics.id), disputeId: String(reported.id) };
}

/** No hour ends between two looks. */
async function untilHourBegins(service: Service): Promise<void> {
  const now = await serviceNow(service);
  const leftMs = hourMs - (now.getTime() % hourMs) + minuteMs;
  await advance(service, `PT${Math.ceil(leftMs / secondMs)}S`);
}

interface Ids {
  readonly [parameter: string]: readonly string[];
}

async function idsOf(world: World, more: Ids): Promise<Ids> {
  const { service, api, path } = world;
  const operator = operatorApi(service);
  const list = async (of: Caller, at: string, key: string, name: string) =>
    (await expectStatus(of.get(at), 200))[key].map((item: Record<string, string>) => item[name]);
  return {
    invoice_id: Object.keys(invoices),
    customer_id: Object.keys(invoices).map((id) => `cus_of_${id}`),
    event_id: await list(api, '/recover/events?limit=100', 'events', 'event_id'),
    replay_id: await list(operator, `${path}/replays`, 'items', 'id'),
    month: await list(operator, `${path}/monthly-statements`, 'items', 'month'),
    day: await list(api, '/recover/statements?limit=100', 'statements', 'day'),
    endpoint_id: ['primary', world.endpointId],
    ...more,
  };
}

/** What every GET answers, by its operation and what it was asked. */
async function lookAt(
  operations: readonly (readonly [ApiOperation, string, Record<string, string>])[],
  ids: (operation: ApiOperation) => Ids,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const [operation, url, headers] of operations) {
    for (const values of choicesOf(operation, ids(operation))) {
      const asked = fillPath(operation.path, values) + operation.requiredQuery;
      const { status, text } = await call(url + asked, { headers });
      expect([asked, status]).toEqual([asked, 200]);
      const said = text.replaceAll(/"as_of":"[^"]*"/g, '');
      found.set(`${operation.operationId} ${asked}`, said);
    }
  }
  return found;
}

/** Each value of the parameter that has several, with the only one of the others. */
function choicesOf({ path }: ApiOperation, ids: Ids): readonly Record<string, string>[] {
  return [...path.matchAll(/\{(\w+)\}/g)].reduce<Record<string, string>[]>(
    (choices, [, name = '']) =>
      choices.flatMap((choice) => (ids[name] ?? []).map((value) => ({ ...choice, [name]: value }))),
    [{}],
  );
}

async function archiveAll(db: Database, at: Date): Promise<void> {
  while ((await archivePayments(db, { before: addMs(at, dayMs), at })) > 0);
}

/** What pages and reports sum is brought up to date when it is looked at, and nobody waits for that. */
async function countAll(db: Database, at: Date): Promise<void> {
  for (const count of [rollUpPayments, rollUpUplift, rollUpCharges]) {
    while ((await count(db, { at, limit: rollupBatch })) > 0);
  }
}

test('every GET of the three APIs answers of payments in the archive as before, but for those that say so', async () => {
  const world = await startWorld();
  const { service, db, merchantId } = world;
  const requestId = await play(world);
  const disputed = await dispute(world);
  const ids = await idsOf(world, { dispute_id: [disputed.disputeId], request_id: [requestId] });
  await untilHourBegins(service);
  const token = { authorization: `Bearer ${service.operatorToken}` };
  const apis = [
    [await operatorOpenApi(), service.operatorUrl, token],
    [await recoveryOpenApi(), service.recoveryUrl, { 'x-api-key': world.apiKey }],
    [await disputesOpenApi(), service.disputesUrl, disputed.headers],
  ] as const;
  const operations = apis.flatMap(([document, url, headers]) =>
    operationsOf(document)
      .filter(({ method }) => method === 'GET')
      .filter(({ operationId: id }) => ![...ofTheMoment, ...ofOthers].includes(id))
      .map((operation) => [withMerchant(operation, merchantId), url, headers] as const),
  );
  const idOf = ({ path }: ApiOperation): string => {
    if (path.includes('/disputes/{id}')) return disputed.disputeId;
    return path.includes('/analytics/{id}') ? disputed.analyticsId : merchantId;
  };
  const look = () => lookAt(operations, (operation) => ({ ...ids, id: [idOf(operation)] }));
  expect(await brokenPromises(service)).toEqual([]);
  // Long before a payment rests long enough, its first sends and what was answered to the last ones are gone.
  await trimDeliveryTries(db, await serviceNow(service), 1_000);
  await countAll(db, await serviceNow(service));
  const before = await look();
  // The packet tells of webhooks that came.
  const packet = before.get(`showEvidence /v1/disputes/${disputed.disputeId}/evidence`);
  expect(packet).toContain('evt_');
  await archiveAll(db, await serviceNow(service));
  const left = await db.pool.query('select count(*)::int as count from events');
  expect(left.rows).toEqual([{ count: 0 }]);
  const after = await look();
  expect([...after.keys()]).toEqual([...before.keys()]);
  const other = [...before].filter(([asked, said]) => after.get(asked) !== said);
  const names = new Set(other.map(([asked]) => asked.replace(/ .*/, '')));
  expect([...names].sort()).toEqual(withoutArchive);
  expect(await brokenPromises(service)).toEqual([]);
});

/** What has to be asked of a merchant is asked of this one. */
function withMerchant(operation: ApiOperation, merchantId: string): ApiOperation {
  const asked = new URLSearchParams(operation.requiredQuery);
  if (asked.has('merchant_id')) asked.set('merchant_id', merchantId);
  return { ...operation, requiredQuery: asked.size === 0 ? '' : `?${asked}` };
}
