import { describe, expect, it } from 'vitest';
import type { DuePayment, Outcome } from '../../src/recovery/engine-ports.ts';
import type { LearnedNames } from '../../src/recovery/intake-ports.ts';
import { type ClaimedPayment, takeOverNames } from '../../src/store/debts/adopt-names.ts';
import { mergeDebts } from '../../src/store/debts/merge-debts.ts';
import { moveHistory } from '../../src/store/debts/move-history.ts';
import { beginCharges } from '../../src/store/engine/charges.ts';
import { recordOutcomes } from '../../src/store/engine/outcomes.ts';
import { cardsOf, failedEvent, worldStart } from '../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../kits/engine.ts';
import { untilLockWaits } from '../kits/lock-waits.ts';
import { openTransaction } from '../kits/open-transaction.ts';
import { holdPayment, nameOf, reportEach, waits } from '../kits/waits-in-order.ts';
import { chargeOf, firstTry } from './cards/charge-of.ts';
import { addChanges, newTransaction, seenMethod } from './intake/add-changes.ts';

const engineWorld = useEngineWorld();

const submitted = async (...invoices: readonly string[]) =>
  reportEach(await engineWorld(), invoices);

/** Payments that a worker has taken for their first try, by invoice. */
async function claimed(...invoices: readonly string[]) {
  const world = await submitted(...invoices);
  await world.settle();
  world.clock.set(firstTry);
  const due = await world.claimPayments();
  const sorted = due.toSorted((a, b) => a.payment.invoiceId.localeCompare(b.payment.invoiceId));
  const [first, ...others] = sorted;
  if (first === undefined) throw new Error('none is due');
  return { world, first, others };
}

const learnedOf = (world: EngineWorld, invoiceId: string): LearnedNames => ({
  merchantId: world.merchantId,
  invoiceId,
  psp: 'sandbox',
  pspCustomerId: 'psp_cus_1',
  paymentMethodIds: [],
});

describe('payments of one statement or transaction are held in the order of their ids', () => {
  it('by a batch of reports: those that learn names with those that begin', async () => {
    const world = await submitted('in_1', 'in_2');
    // Reported before, with all that it learns now: it is only begun.
    await world.rows(`update payments set psp_customer_id = 'psp_cus_1' where invoice_id = 'in_1'`);
    const ids = ['in_2', 'in_1'];
    const added = await waits(world, {
      first: holdPayment('in_1'),
      later: holdPayment('in_2', ' nowait'),
      work: () =>
        addChanges(world, {
          failed: ids.map((invoiceId) => ({ merchantId: world.merchantId, invoiceId })),
          learned: ids.map((invoiceId) => learnedOf(world, invoiceId)),
        }),
    });
    expect(added.started).toHaveLength(2);
    expect(await world.rows('select psp_customer_id as id from payments')).toEqual([
      { id: 'psp_cus_1' },
      { id: 'psp_cus_1' },
    ]);
  });

  it('by a claim that takes over names which waited', async () => {
    const world = await submitted('in_1', 'in_2');
    await world.settle();
    await world.rows(`update payments set learned_names = '{"pspCustomerId":"psp_cus_1"}'`);
    // Claimed in the order in which they are due.
    const rows = await world.rows<ClaimedPayment>(
      'select merchant_id, invoice_id, fence from payments order by invoice_id desc',
    );
    await waits(world, {
      first: holdPayment('in_1'),
      later: holdPayment('in_2', ' nowait'),
      work: () => takeOverNames(world.db, rows),
    });
    expect(await world.rows('select psp_customer_id as id from payments')).toEqual([
      { id: 'psp_cus_1' },
      { id: 'psp_cus_1' },
    ]);
  });

  it('by a batch of charges, whatever the order of their payments in it', async () => {
    const { world, first, others } = await claimed('in_1', 'in_2');
    const batch = [...others, first].map((due) => chargeOf(due));
    const begun = await waits(world, {
      first: holdPayment('in_1'),
      later: holdPayment('in_2', ' nowait'),
      work: () => beginCharges(world.db, batch),
    });
    expect(begun).toEqual([{ kind: 'begun' }, { kind: 'begun' }]);
  });

  it('by debts that are joined: those that were joined to them before as well', async () => {
    const world = await submitted('in_1', 'in_2', 'in_3');
    await world.settle();
    await world.rows(`update payments set joined_to = 'in_3' where invoice_id = 'in_1'`);
    const { merchantId } = world;
    const input = { merchantId, invoiceIds: ['in_2', 'in_3'], at: worldStart };
    const debt = await waits(world, {
      first: holdPayment('in_1'),
      later: holdPayment('in_3', ' nowait'),
      work: () => world.db.transaction((tx) => mergeDebts(tx, input)),
    });
    expect(debt).toBe('in_2');
    expect(await world.rows('select invoice_id, joined_to from payments order by 1')).toEqual([
      { invoice_id: 'in_1', joined_to: 'in_2' },
      { invoice_id: 'in_2', joined_to: null },
      { invoice_id: 'in_3', joined_to: 'in_2' },
    ]);
  });
});

describe('methods are held before payments', () => {
  it('by a charge: it waits for whoever has written its method, and holds no payment then', async () => {
    const { world, first } = await claimed('in_1');
    const begun = await waits(world, {
      first: 'update payment_methods set updated_at = now() returning 1',
      later: holdPayment('in_1', ' nowait'),
      work: () => beginCharges(world.db, [chargeOf(first)]),
    });
    expect(begun).toEqual([{ kind: 'begun' }]);
  });

  it('by a batch of reports that learns a card beside the begin of a charge with it', async () => {
    const { world, first } = await claimed('in_1');
    await world.submit(failedEvent({ invoiceId: 'in_2', methods: cardsOf('in_2') }));
    const { merchantId } = world;
    const [paymentMethodId = ''] = cardsOf('in_1');
    const reported = {
      transactions: [
        { ...newTransaction(world, paymentMethodId), invoiceId: 'in_1', success: false },
      ],
      methods: [{ ...seenMethod(world, paymentMethodId), cardFingerprint: 'fp_1' }],
      learned: [learnedOf(world, 'in_1'), learnedOf(world, 'in_2')],
      failed: ['in_1', 'in_2'].map((invoiceId) => ({ merchantId, invoiceId })),
    } as const;
    // The reports hold the method and the first payment, and wait for the second.
    await using other = await openTransaction(world.db);
    await other.query({ name: nameOf(holdPayment('in_2')), text: holdPayment('in_2') }, []);
    const added = addChanges(world, reported);
    await untilLockWaits((text) => world.rows(text));
    const begun = beginCharges(world.db, [chargeOf(first)]);
    await untilLockWaits((text) => world.rows(text), 2);
    await other.commit();
    const both = await Promise.allSettled([added, begun]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });
});

describe('payments are held before what was reported of them', () => {
  const reported = (invoiceId: string) =>
    `select 1 from transactions where invoice_id = '${invoiceId}' for update nowait`;

  it('by a batch of reports that moves history to a debt, as by debts that are joined', async () => {
    const world = await submitted('in_1', 'in_2');
    await world.settle();
    const { merchantId } = world;
    await waits(world, {
      first: holdPayment('in_1'),
      later: reported('in_2'),
      work: () =>
        addChanges(world, {
          learned: [learnedOf(world, 'in_1')],
          reportedAs: [{ merchantId, invoiceId: 'in_1', reportedAs: 'in_2' }],
        }),
    });
    expect(await invoicesOfReports(world)).toEqual(['in_1']);
  });

  it('by a batch of reports that begins a debt', async () => {
    const world = await submitted('in_1');
    const told = { ...newTransaction(world, 'pm_1'), invoiceId: 'in_1' };
    await addChanges(world, { transactions: [told] });
    await waits(world, {
      first: holdPayment('in_1'),
      // The batch tells of it as well, and would wait for this.
      later: `delete from transactions where psp_transaction_id = '${told.pspTransactionId}' returning 1`,
      work: () => addChanges(world, { transactions: [told], learned: [learnedOf(world, 'in_1')] }),
    });
    expect(await invoicesOfReports(world)).toEqual(['in_1']);
  });

  it('and of several names in the order of their ids', async () => {
    const world = await submitted('in_1', 'in_3', 'in_2');
    await world.settle();
    const { merchantId } = world;
    await waits(world, {
      first: reported('in_2'),
      later: reported('in_3'),
      work: () =>
        moveHistory(
          world.db,
          ['in_3', 'in_2'].map((reportedAs) => ({ merchantId, invoiceId: 'in_1', reportedAs })),
        ),
    });
    expect(await invoicesOfReports(world)).toEqual(['in_1']);
  });
});

async function invoicesOfReports(world: EngineWorld) {
  const rows = await world.rows<{ invoice_id: string }>(
    'select distinct invoice_id from transactions',
  );
  return rows.map((row) => row.invoice_id);
}

describe('cards are held before the counter of a merchant’s events', () => {
  it('by a decline that may forbid the card, as by a late answer', async () => {
    const { world, first } = await claimed('in_1');
    await beginCharges(world.db, [chargeOf(first)]);
    await world.rows(
      `insert into event_counters (merchant_id, last_sequence) values ($1, 0) on conflict do nothing`,
      [world.merchantId],
    );
    await world.rows(
      `insert into cards (merchant_id, card_key, version)
       select merchant_id, card_key, 1 from psp_transactions on conflict do nothing`,
    );
    const recorded = await waits(world, {
      first: 'select 1 from cards for update',
      later: 'select 1 from event_counters for update nowait',
      work: () => recordOutcomes(world.db, [forbidden(first)]),
    });
    expect(recorded).toEqual(['recorded']);
    expect(await world.rows('select version from cards')).toEqual([{ version: 2 }]);
    expect(await world.rows('select event_id from events')).toHaveLength(1);
  });
});

/** A charge was declined for a stolen card, of which the merchant is told. */
function forbidden({
  payment: { merchantId, invoiceId, fence, revision },
  attempt,
}: DuePayment): Outcome {
  if (attempt === undefined) throw new Error('no attempt is open');
  const { attemptId, startedAt } = attempt;
  return {
    merchantId,
    invoiceId,
    fence,
    revision,
    at: firstTry,
    attempt: { attemptId, state: 'declined', startedAt, amountMinor: 1223, currency: 'USD' },
    transaction: {
      attemptId,
      ordinal: 1,
      state: 'declined',
      decline: { category: 'never', code: '43', networkCode: '43' },
    },
    payment: { state: 'exhausted', attemptCount: 1, postponements: 0 },
    events: [{ eventId: 'evt_1', type: 'end_of_dunning', body: '{}' }],
  };
}
