import { expect, it, onTestFinished } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../../src/domain/clock.ts';
import { createAdyenAdapter } from '../../../../src/psp/adyen/adapter.ts';
import { failedEvent, worldStart } from '../../../kits/billing-events.ts';
import { useEngineWorld } from '../../../kits/engine.ts';
import type { AdyenPayment } from '../../../kits/psps/adyen-payments.ts';
import { startAdyenServer } from '../../../kits/psps/adyen-server.ts';
import { reconciliationModule } from '../../../kits/reconciliation-module.ts';
import { pspTimeoutMs } from '../../../kits/worker.ts';

const engineWorld = useEngineWorld();

/** The columns of the payment accounting report, in Adyen's order. */
const head = [
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Booking Date',
  'TimeZone,Main Currency,Main Amount,Record Type,Payment Currency,Received (PC),Authorized (PC)',
  'Captured (PC),Settlement Currency,Payable (SC),Commission (SC),Markup (SC),Scheme Fees (SC)',
  'Interchange (SC),Processing Fee Currency,Processing Fee (FC),User Name,Payment Method Variant',
  'Modification Merchant Reference,Reserved3,Reserved4,Reserved5,Reserved6,Reserved7,Reserved8',
  'Reserved9,Reserved10',
].join(',');
const columns = head.split(',').length;

interface Row {
  readonly reference: string;
  readonly key: string;
  readonly type: string;
  readonly minor: number;
  readonly at: Date;
}

/** A row as Adyen writes it: times of the account's zone, quoted texts, empty columns at the end. */
function rowOf({ reference, key, type, minor, at }: Row): string {
  const booked = addMs(at, hourMs).toISOString().slice(0, 19).replace('T', ' ');
  const amount = (minor / 100).toFixed(2);
  const known = ['Recoup Inc', 'RecoupECOM', reference, key, 'visa', booked, 'CET', 'USD', amount];
  const fields = [...known, type, 'USD', '', amount];
  const texts = fields.map((field) => (field.includes(' ') ? `"${field}"` : field));
  return [...texts, ...Array.from({ length: columns - fields.length }, () => '')].join(',');
}

function statesOf(payment: AdyenPayment, at: Date, minor = payment.request.amount.value) {
  const { pspReference: reference, idempotencyKey: key, succeeded } = payment;
  const types = succeeded
    ? ['Received', 'Authorised', 'SentForSettle', 'Settled']
    : ['Received', 'Refused'];
  return types.map((type) => rowOf({ reference, key, type, minor, at }));
}

/** A merchant at Adyen whose payments are tried once, a day after they failed. */
async function adyenWorld() {
  const world = await engineWorld({ psps: ['adyen'], policy: { fixedDays: [1], windowDays: 3 } });
  const adyen = await startAdyenServer();
  const { url: baseUrl, credentials } = adyen;
  const adapter = createAdyenAdapter({ baseUrl, deadlineMs: pspTimeoutMs, clock: world.clock });
  onTestFinished(() => Promise.all([adapter.close(), adyen.close()]).then(() => undefined));
  const gateway = adapter.connect(credentials);
  return { world, adyen, ...(await reconciliationModule(world, 'adyen', gateway)) };
}

it('a payment accounting report of Adyen is held against the record, both ways', async () => {
  const { world, adyen, worker, reconcile, findings } = await adyenWorld();
  const methods = {
    order_amount: 'stored_success',
    order_declined: 'stored_expired',
    order_gone: 'stored_success',
    order_paid: 'stored_advice',
    order_right: 'stored_success',
  };
  for (const [invoiceId, method] of Object.entries(methods)) {
    await world.submit(
      failedEvent({ invoiceId, pspCustomerId: 'cus_1', methods: [method], psp: 'adyen' }),
    );
  }
  const day = addMs(worldStart, dayMs);
  await world.runUntil(addMs(worldStart, 4 * dayMs), worker);
  const paymentOf = (invoiceId: string) => {
    const found = adyen.payments.find(
      ({ request }) => request.metadata.recoup_invoice_id === invoiceId,
    );
    if (found === undefined) throw new Error(`no payment of ${invoiceId}`);
    return found;
  };
  const text = [
    head,
    ...statesOf(paymentOf('order_right'), day),
    ...statesOf(paymentOf('order_declined'), day),
    ...statesOf(paymentOf('order_paid'), day),
    ...statesOf(paymentOf('order_amount'), day, 1_000),
    // The merchant's own charge of the same debt, under its own reference.
    ...statesOf(
      {
        pspReference: 'PSPOFTHEMERCHANT',
        idempotencyKey: 'order_paid',
        succeeded: true,
        request: { amount: { value: 1_223 } },
      },
      addMs(day, hourMs),
    ),
    '',
  ].join('\r\n');
  const since = addMs(worldStart, -dayMs);
  expect(await reconcile({ report: text, since })).toMatchObject([
    { state: 'done', source: 'report', listed: 5, findings: 3 },
  ]);
  expect(await findings()).toEqual([
    { kind: 'amount_differs', invoiceId: 'order_amount', ours: 'succeeded', theirs: 'succeeded' },
    { kind: 'missing_at_psp', invoiceId: 'order_gone', ours: 'succeeded', theirs: 'none' },
    { kind: 'missing_here', invoiceId: 'order_paid', ours: undefined, theirs: 'succeeded' },
  ]);
});

it('a second payment under a key of ours is a finding, the first one in either state here', async () => {
  const { world, adyen, worker, reconcile, findings } = await adyenWorld();
  const methods = { order_known: 'stored_success', order_lost: 'stored_lost_success' };
  for (const [invoiceId, method] of Object.entries(methods)) {
    await world.submit(
      failedEvent({ invoiceId, pspCustomerId: 'cus_1', methods: [method], psp: 'adyen' }),
    );
  }
  const day = addMs(worldStart, dayMs);
  await world.runUntil(day, worker);
  expect(await world.rows('select state from psp_transactions order by invoice_id')).toEqual([
    { state: 'succeeded' },
    { state: 'unknown' },
  ]);
  const text = [
    head,
    ...adyen.payments.flatMap((payment) => [
      ...statesOf(payment, day),
      ...statesOf({ ...payment, pspReference: `${payment.pspReference}TWICE` }, addMs(day, 1_000)),
    ]),
  ].join('\r\n');
  expect(await reconcile({ report: text })).toMatchObject([{ settled: 1, findings: 2 }]);
  expect(await findings()).toEqual(
    Object.keys(methods).map((invoiceId) => ({
      kind: 'two_successes',
      invoiceId,
      ours: 'succeeded',
      theirs: 'succeeded',
    })),
  );
  const found = await world.rows<{ id: string }>(
    `select theirs ->> 'psp_transaction_id' as id from incidents`,
  );
  expect(found.map(({ id }) => id.endsWith('TWICE'))).toEqual([true, true]);
});

it('a report tells of no charge that was made before its first row or after its last', async () => {
  const { world, adyen, worker, reconcile, findings } = await adyenWorld();
  const days = [1, 3, 6];
  for (const day of days) {
    const at = addMs(worldStart, (day - 1) * dayMs);
    await world.runUntil(at, worker);
    await world.submit(
      failedEvent({
        invoiceId: `order_${day}`,
        pspCustomerId: 'cus_1',
        methods: ['stored_success'],
        psp: 'adyen',
        at,
      }),
    );
  }
  await world.runUntil(addMs(worldStart, 8 * dayMs), worker);
  expect(adyen.payments).toHaveLength(3);
  const reportOf = (index: number) => {
    const payment = adyen.payments[index];
    if (payment === undefined) throw new Error('no payment');
    return [head, ...statesOf(payment, addMs(worldStart, (days[index] ?? 0) * dayMs))].join('\n');
  };
  expect(await reconcile({ report: reportOf(1) })).toMatchObject([{ listed: 1, findings: 0 }]);
  // One of an earlier time that comes later is compared as well.
  expect(await reconcile({ report: reportOf(0) })).toMatchObject([{ listed: 1, findings: 0 }]);
  expect(await findings()).toEqual([]);
});

it.each(['Cancelled', 'Expired', 'CaptureFailed'])(
  'an authorisation that is %s brought no money, in whichever file its row is',
  async (type) => {
    const { world, adyen, worker, reconcile, findings } = await adyenWorld();
    const methods = {
      order_declined: 'stored_expired',
      order_lost: 'stored_lost_success',
      order_paid: 'stored_success',
      order_twice: 'stored_success',
    };
    for (const [invoiceId, method] of Object.entries(methods)) {
      await world.submit(
        failedEvent({ invoiceId, pspCustomerId: 'cus_1', methods: [method], psp: 'adyen' }),
      );
    }
    const day = addMs(worldStart, dayMs);
    await world.runUntil(day, worker);
    const rowsOf = (types: readonly string[]) =>
      adyen.payments.flatMap(({ pspReference, idempotencyKey: key, request }) => {
        const { amount, metadata } = request;
        // The PSP made a second one of this key, and it was never captured.
        const isTwice = metadata.recoup_invoice_id === 'order_twice';
        const reference = isTwice ? `${pspReference}TWICE` : pspReference;
        const known = { reference, key, minor: amount.value };
        return types.map((each, at) => rowOf({ ...known, type: each, at: addMs(day, at * 1_000) }));
      });
    const alone = [head, ...rowsOf([type])].join('\r\n');
    const beside = [head, ...rowsOf(['Authorised', type])].join('\r\n');
    const state = { kind: 'state_differs', ours: 'succeeded', theirs: 'declined' };
    const expected = [{ ...state, invoiceId: 'order_paid' }];
    expect(await reconcile({ report: alone })).toMatchObject([{ settled: 1, findings: 1 }]);
    expect(await findings()).toEqual(expected);
    const [lost] = await world.rows(
      `select state from psp_transactions where invoice_id = 'order_lost'`,
    );
    expect(lost).toEqual({ state: 'declined' });
    expect(await reconcile({ report: beside })).toMatchObject([{ settled: 0, findings: 1 }]);
    expect(await findings()).toEqual(expected);
  },
);
