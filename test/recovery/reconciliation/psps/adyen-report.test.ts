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

it('a payment accounting report of Adyen is held against the record, both ways', async () => {
  const world = await engineWorld({ psps: ['adyen'], policy: { fixedDays: [1], windowDays: 3 } });
  const adyen = await startAdyenServer();
  const { url: baseUrl, credentials } = adyen;
  const adapter = createAdyenAdapter({ baseUrl, deadlineMs: pspTimeoutMs, clock: world.clock });
  onTestFinished(() => Promise.all([adapter.close(), adyen.close()]).then(() => undefined));
  const gateway = adapter.connect(credentials);
  const { worker, reconcile, findings } = await reconciliationModule(world, 'adyen', gateway);
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
