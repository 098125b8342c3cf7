import { describe, expect, it } from 'vitest';
import type { DebtReport } from '../../../src/domain/debts/debt-names.ts';
import type { JoinedReport } from '../../../src/domain/debts/join-reports.ts';
import { applyRequests } from '../../../src/recovery/intake/apply-requests.ts';
import type {
  Added,
  AppliedRequest,
  DueRequest,
  InvoiceKey,
  ReportedChanges,
} from '../../../src/recovery/intake-ports.ts';
import { failedEvent, paidEvent, worldStart } from '../../kits/billing-events.ts';

const merchantId = 'mer_1';
const nothing: Added = {
  started: [],
  ended: [],
  foreign: [],
  replanned: [],
};

/** Applies these bodies over a log in memory, in which the changes had this effect. */
async function applied(
  requests: readonly Pick<DueRequest, 'kind' | 'body'>[],
  effect: Partial<Added> = {},
  debts: Readonly<Record<string, Partial<JoinedReport>>> = {},
) {
  const steps: string[] = [];
  const added: ReportedChanges[] = [];
  const finished: AppliedRequest[] = [];
  const deps = {
    clock: { now: () => worldStart },
    log: {
      findDebts: async (reports: readonly DebtReport[]) =>
        reports.map(({ invoiceId }) => ({
          invoiceId,
          isNew: false,
          others: [],
          ...debts[invoiceId],
        })),
      mergeDebts: async ({ invoiceIds }: { invoiceIds: readonly string[] }) => {
        steps.push(`merge ${invoiceIds.join(' and ')}`);
        debts = Object.fromEntries(
          invoiceIds.map((id) => [id, { invoiceId: invoiceIds[0] ?? id }]),
        );
      },
      add: async (changes: ReportedChanges) => {
        steps.push('add');
        added.push(changes);
        return { ...nothing, ...effect };
      },
      finish: async (done: readonly AppliedRequest[]) => {
        steps.push('finish');
        finished.push(...done);
      },
    },
    endRecovery: async (key: InvoiceKey, { reason }: { reason: string }) =>
      void steps.push(`end ${key.invoiceId}: ${reason}`),
    noteForeignAttempt: (key: InvoiceKey) => void steps.push(`foreign ${key.invoiceId}`),
    wake: { payments: () => steps.push('wake') },
  };
  const due = requests.map((request, index) => ({
    ...request,
    merchantId,
    sequence: BigInt(index + 1),
    receivedAt: worldStart,
    channel: 'merchant' as const,
  }));
  await applyRequests(deps, due);
  const [changes] = added;
  if (changes === undefined) throw new Error('nothing was added');
  return { changes, outcomes: finished.map((item) => item.outcome), steps };
}

const payment = (body: ReturnType<typeof failedEvent>) => ({ kind: 'payment' as const, body });
const update = (body: object) => ({
  kind: 'payment_method_update' as const,
  body: { payment_method_id: 'pm_1', ...body },
});
const key = (invoiceId: string) => ({ merchantId, invoiceId });

describe('an event', () => {
  it('is kept as history: a transaction and a method for each that was tried', async () => {
    const event = failedEvent({ methods: ['pm_1', 'pm_2'], pspCustomerId: 'psp_cus_1' });
    const { changes } = await applied([payment(event)]);
    expect(changes.transactions).toHaveLength(2);
    expect(changes.transactions[1]).toMatchObject({
      merchantId,
      invoiceId: 'in_1',
      transactionId: 'txn_in_1_2',
      pspTransactionId: 'ch_failed_in_1_2',
      paymentMethodId: 'pm_2',
      amountMinor: 1223,
      success: false,
      occurredAt: worldStart,
      detail: { scheme: 'visa', funding_source: 'credit' },
    });
    expect(changes.methods).toMatchObject([
      { paymentMethodId: 'pm_1', customerId: 'cus_1', pspCustomerId: 'psp_cus_1', scheme: 'visa' },
      { paymentMethodId: 'pm_2', fundingSource: 'credit' },
    ]);
  });

  it('leaves postal codes behind: they are personal', async () => {
    const event = failedEvent();
    const [first] = event.transactions;
    const { changes } = await applied([
      payment({
        ...event,
        customer: { ...event.customer, postal_code: '90417-canary' },
        transactions:
          first === undefined ? [] : [{ ...first, billing_postal_code: '90417-canary' }],
      }),
    ]);
    expect(JSON.stringify(changes)).not.toContain('90417-canary');
  });

  it('is a failed one unless one of its methods took the charge', async () => {
    const mixed = paidEvent({ invoiceId: 'in_2', methods: ['pm_1', 'pm_2'] });
    const { changes } = await applied([payment(failedEvent()), payment(mixed)]);
    expect(changes.failed).toEqual([key('in_1')]);
    expect(changes.paid).toEqual([key('in_2')]);
  });
});

describe('an update', () => {
  it.each([
    [
      { customer_id: 'cus_1', reason: 'user_removed' },
      { customerId: 'cus_1', reason: 'user_removed' },
    ],
    [
      { psp_customer_id: 'psp_1', reason: 'network_updated' },
      { pspCustomerId: 'psp_1', reason: 'network_updated' },
    ],
    [{ customer_id: 'cus_1' }, { customerId: 'cus_1', reason: 'user_updated' }],
  ])('%j is taken as %j', async (body, expected) => {
    const { changes } = await applied([update(body)]);
    expect(changes.updates).toEqual([
      { merchantId, paymentMethodId: 'pm_1', sequence: 1n, channel: 'merchant', ...expected },
    ]);
  });
});

describe('what became of a request', () => {
  it('is told for each in the batch', async () => {
    const requests = [
      payment(failedEvent()),
      payment(failedEvent({ invoiceId: 'in_2' })),
      payment(paidEvent({ invoiceId: 'in_3' })),
      payment(paidEvent({ invoiceId: 'in_4' })),
      update({ customer_id: 'cus_1' }),
      update({ customer_id: 'cus_1', payment_method_id: 'pm_2' }),
    ];
    const { outcomes } = await applied(requests, {
      started: [key('in_1')],
      ended: [{ ...key('in_3'), reason: 'recovered_elsewhere' }],
      replanned: [{ ...key('in_5'), paymentMethodId: 'pm_1' }],
    });
    expect(outcomes).toEqual([
      { invoice_id: 'in_1', result: 'recovery_started' },
      { invoice_id: 'in_2', result: 'history_recorded' },
      { invoice_id: 'in_3', result: 'recovery_ended' },
      { invoice_id: 'in_4', result: 'history_recorded' },
      { result: 'payment_method_recorded', replanned_invoice_ids: ['in_5'] },
      { result: 'payment_method_recorded', replanned_invoice_ids: [] },
    ]);
  });

  it('is told to its own merchant alone', async () => {
    const { outcomes } = await applied([payment(failedEvent()), update({ customer_id: 'cus_1' })], {
      started: [{ merchantId: 'mer_2', invoiceId: 'in_1' }],
      replanned: [{ merchantId: 'mer_2', invoiceId: 'in_1', paymentMethodId: 'pm_1' }],
    });
    expect(outcomes).toMatchObject([{ result: 'history_recorded' }, { replanned_invoice_ids: [] }]);
  });
});

describe('a report of a debt that is known by another name', () => {
  const joined = { in_m: { invoiceId: 'in_1' } };

  it('says which one it joined, and its history goes there', async () => {
    const body = failedEvent({ invoiceId: 'in_m' });
    const { changes, outcomes } = await applied([payment(body)], {}, joined);
    expect(outcomes).toEqual([{ invoice_id: 'in_m', joined_invoice_id: 'in_1', result: 'joined' }]);
    expect(changes).toMatchObject({
      transactions: [{ invoiceId: 'in_1' }],
      failed: [key('in_1')],
      reportedAs: [{ ...key('in_1'), reportedAs: 'in_m' }],
      learned: [{ ...key('in_1'), merchant: { invoiceId: 'in_m', customerId: 'cus_1' } }],
    });
  });

  it('as paid ends the recovery of that one', async () => {
    const { changes, outcomes } = await applied(
      [payment(paidEvent({ invoiceId: 'in_m' }))],
      { ended: [{ ...key('in_1'), reason: 'recovered_elsewhere' }] },
      joined,
    );
    expect(changes).toMatchObject({ paid: [key('in_1')], learned: [] });
    expect(outcomes).toEqual([
      { invoice_id: 'in_m', joined_invoice_id: 'in_1', result: 'recovery_ended' },
    ]);
  });

  it('makes one of two that it shows to be the same, before anything is added', async () => {
    const { changes, steps } = await applied(
      [payment(failedEvent({ invoiceId: 'in_m' }))],
      {},
      { in_m: { invoiceId: 'in_m', others: ['in_1'] } },
    );
    expect(steps).toEqual(['merge in_m and in_1', 'wake', 'add', 'finish']);
    expect(changes.failed).toEqual([key('in_m')]);
  });

  it('as paid ends both of two that it names, and joins nothing', async () => {
    const { changes, steps } = await applied(
      [payment(paidEvent({ invoiceId: 'in_m' }))],
      {},
      { in_m: { invoiceId: 'in_1', others: ['in_2'] } },
    );
    expect(changes.paid).toEqual([key('in_1'), { ...key('in_2'), standsAt: 'in_1' }]);
    expect(steps).toEqual(['add', 'finish']);
  });
});

describe('the order of the steps', () => {
  it('is such that a crash repeats them: a request is finished after its effects', async () => {
    const { steps } = await applied([payment(failedEvent())], {
      started: [key('in_1')],
      ended: [
        { ...key('in_1'), reason: 'recovered_elsewhere' },
        { ...key('in_3'), reason: 'invoice_closed', detail: 'voided' },
      ],
      foreign: [{ ...key('in_2'), warns: true }],
    });
    expect(steps).toEqual([
      'add',
      'foreign in_2',
      'end in_1: recovered_elsewhere',
      'end in_3: invoice_closed',
      'finish',
      'wake',
    ]);
  });

  it('wakes nobody where nothing fell due', async () => {
    const { steps } = await applied([payment(paidEvent())]);
    expect(steps).toEqual(['add', 'finish']);
  });
});
