import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import type { DuePayment, LearnCard } from '../../../src/recovery/engine-ports.ts';
import { learnCard } from '../../../src/store/cards/learn-cards.ts';
import { readCards } from '../../../src/store/cards/read-cards.ts';
import type { Queryable } from '../../../src/store/database.ts';
import { beginCharges } from '../../../src/store/engine/charges.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { asLegacyCharges } from '../../kits/legacy-charges.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';
import { openTransaction } from '../../kits/open-transaction.ts';
import { chargeOf, firstTry } from './charge-of.ts';

const engineWorld = useEngineWorld();
const ids = ['pm_sandbox_success--a', 'pm_sandbox_success--b'] as const;
const [first, second] = ids;
/** Visa allows twenty reattempts: after so many declines of a card, one more charge is left. */
const lastAllowed = 20;

/** Payments of two methods in turn, each reported as declined, taken by a worker for a first try. */
async function claimed(
  count: number,
  options: { scheme?: string; at?: Date } = {},
): Promise<{ world: EngineWorld; due: readonly DuePayment[] }> {
  const world = await engineWorld();
  const { scheme = 'visa', at = worldStart } = options;
  for (let index = 0; index < count; index += 1) {
    const methods = [ids[index % 2] ?? first];
    await world.submit(failedEvent({ invoiceId: `in_${index + 1}`, methods, scheme, at }));
  }
  await world.settle();
  world.clock.set(addMs(at, dayMs));
  return { world, due: await world.claimPayments() };
}

const told = (world: EngineWorld, change: Partial<LearnCard> = {}): LearnCard => ({
  merchantId: world.merchantId,
  customerId: 'cus_1',
  psp: 'sandbox',
  paymentMethodId: first,
  idempotencyKey: 'of no charge',
  card: { fingerprint: 'f1' },
  at: firstTry,
  now: firstTry,
  ...change,
});

async function learnBoth(world: EngineWorld): Promise<void> {
  for (const paymentMethodId of ids) await learnCard(world.db, told(world, { paymentMethodId }));
}

const kindsOf = async (world: EngineWorld, due: readonly DuePayment[]) => {
  const kinds: string[] = [];
  for (const item of due) {
    for (const { kind } of await beginCharges(world.db, [chargeOf(item)])) kinds.push(kind);
  }
  return kinds;
};

describe('two methods of one card', () => {
  it('share the twenty reattempts that Visa allows in thirty days', async () => {
    const { world, due } = await claimed(lastAllowed);
    await learnBoth(world);
    const [one, other, ...rest] = due;
    expect(
      await kindsOf(
        world,
        [one, other].flatMap((item) => item ?? []),
      ),
    ).toEqual(['begun', 'blocked']);
    expect(await kindsOf(world, rest)).toEqual(rest.map(() => 'blocked'));
  });

  it('share the ten declines that Mastercard allows in a day', async () => {
    const at = addMs(worldStart, hourMs);
    const { world, due } = await claimed(9, { scheme: 'mastercard', at });
    await learnBoth(world);
    const sentAt = addMs(at, hourMs);
    const outcomes = [];
    for (const item of due.slice(0, 2)) {
      outcomes.push(...(await beginCharges(world.db, [chargeOf(item, { sentAt })])));
    }
    expect(outcomes).toMatchObject([
      { kind: 'begun' },
      { kind: 'blocked', rule: { network: 'mastercard' } },
    ]);
  });

  it('are two cards while nobody says otherwise', async () => {
    const { world, due } = await claimed(lastAllowed);
    expect(await kindsOf(world, due)).toEqual(due.map(() => 'begun'));
  });
});

describe('a fingerprint that is learned', () => {
  it('is written once, however often it is told', async () => {
    const { world } = await claimed(2);
    await learnBoth(world);
    const before = await world.rows('select * from cards order by card_key');
    await learnBoth(world);
    expect(await world.rows('select * from cards order by card_key')).toEqual(before);
  });

  it('is kept of a method that only the final check named, without offering it', async () => {
    const { world } = await claimed(1);
    await learnCard(world.db, told(world, { paymentMethodId: 'pm_named' }));
    expect(
      await world.rows(
        `select customer_id, state, fingerprint, signalled_at from payment_methods
         where payment_method_id = 'pm_named'`,
      ),
    ).toEqual([{ customer_id: 'cus_1', state: 'active', fingerprint: 'f1', signalled_at: null }]);
  });

  it('does not give way to one that an older charge told', async () => {
    const { world } = await claimed(1);
    await learnCard(world.db, told(world));
    const at = addMs(firstTry, -hourMs);
    await learnCard(world.db, told(world, { card: { fingerprint: 'f0' }, at }));
    expect(await world.rows('select fingerprint from payment_methods')).toEqual([
      { fingerprint: 'f1' },
    ]);
  });

  it.each([
    ['', []],
    [', those from before too', asLegacyCharges],
  ])('leaves our charges of the card before with that card%s', async (_, form) => {
    const { world, due } = await claimed(2);
    const mine = due.filter(({ payment }) => payment.methods[0]?.paymentMethodId === first);
    await beginCharges(world.db, [chargeOf(mine[0])]);
    for (const text of form) await world.rows(text);
    await learnBoth(world);
    const at = addMs(firstTry, hourMs);
    await learnCard(world.db, told(world, { card: { fingerprint: 'f2' }, at }));
    expect(
      await world.rows(
        `select origin, card_key from card_histories where payment_method_id = $1 order by origin`,
        [first],
      ),
    ).toEqual([
      { origin: 'own', card_key: 'fingerprint:sandbox:f1' },
      { origin: 'reported', card_key: 'fingerprint:sandbox:f1' },
    ]);
  });

  it('leaves them there beside the card’s own, whose turns are others', async () => {
    const { world, due } = await claimed(4);
    const mine = due.filter(({ payment }) => payment.methods[0]?.paymentMethodId === first);
    await beginCharges(world.db, [chargeOf(mine[0])]);
    await learnBoth(world);
    await beginCharges(world.db, [chargeOf(mine[1])]);
    const at = addMs(firstTry, hourMs);
    await learnCard(world.db, told(world, { card: { fingerprint: 'f2' }, at }));
    const card = { card_key: 'fingerprint:sandbox:f1' };
    expect(
      await world.rows('select card_key, card_turn from psp_transactions order by card_turn'),
    ).toEqual([
      { ...card, card_turn: 1 },
      { ...card, card_turn: null },
    ]);
    // The other method is of that card still, and the next charge of it takes the next turn.
    const other = due.find(({ payment }) => payment.methods[0]?.paymentMethodId === second);
    expect(await beginCharges(world.db, [chargeOf(other)])).toEqual([{ kind: 'begun' }]);
    expect(await world.rows('select max(card_turn)::int as turn from psp_transactions')).toEqual([
      { turn: 2 },
    ]);
  });

  it.each([
    ['', []],
    [', those from before too', asLegacyCharges],
  ])('brings the form of the credential to our charges so far%s', async (_, form) => {
    const { world, due } = await claimed(2);
    const begun = due.map((item) => chargeOf(item));
    await beginCharges(world.db, begun);
    for (const text of form) await world.rows(text);
    const card = { fingerprint: 'f1', credentialForm: 'token' } as const;
    await learnCard(world.db, told(world, { card }));
    expect(
      await world.rows(
        `select payment_method_id, credential from card_histories where origin = 'own' order by 1`,
      ),
    ).toEqual([
      { payment_method_id: first, credential: 'token' },
      { payment_method_id: second, credential: 'pan' },
    ]);
  });

  it('leaves the charges of the card before with that card', async () => {
    const { world } = await claimed(2);
    await learnBoth(world);
    const at = addMs(firstTry, hourMs);
    await learnCard(world.db, told(world, { card: { fingerprint: 'f2' }, at }));
    const question = { merchantId: world.merchantId, invoiceId: 'in', psp: 'sandbox', at };
    const cards = await readCards(
      world.db,
      ids.map((paymentMethodId) => ({ ...question, paymentMethodId })),
    );
    expect(cards.map(({ attempts }) => attempts.length)).toEqual([0, 2]);
  });

  it('brings the form of the credential to the charges that were counted without it', async () => {
    const { world } = await claimed(2);
    const card = { fingerprint: 'f1', network: 'mastercard', credentialForm: 'token' } as const;
    await learnCard(world.db, told(world, { card }));
    expect(
      await world.rows('select payment_method_id, credential from card_histories order by 1'),
    ).toEqual([
      { payment_method_id: first, credential: 'token' },
      { payment_method_id: second, credential: 'pan' },
    ]);
    expect(await world.rows('select scheme from payment_methods order by 1')).toEqual([
      { scheme: 'mastercard' },
      { scheme: 'visa' },
    ]);
  });

  it('comes with the form of the credential, which stays where a later charge tells none', async () => {
    const { world } = await claimed(1);
    const card = { fingerprint: 'f1', credentialForm: 'token' } as const;
    await learnCard(world.db, told(world, { card }));
    const later = addMs(firstTry, hourMs);
    await learnCard(world.db, told(world, { at: later, card: { network: 'mastercard' } }));
    const [known] = await readCards(world.db, [
      { ...told(world), invoiceId: 'in_1', at: addMs(later, hourMs) },
    ]);
    expect(known).toMatchObject({
      credentialForm: 'token',
      facts: { credential: 'token', network: 'mastercard' },
    });
  });

  it('comes with a report', async () => {
    const { world } = await claimed(1);
    const event = failedEvent({ invoiceId: 'in_2', methods: [second], scheme: 'visa' });
    const transactions = event.transactions.map((item) => ({ ...item, card_fingerprint: 'f1' }));
    await world.submit({ ...event, transactions });
    await world.settle();
    expect(
      await world.rows(
        `select fingerprint, fingerprint_at from payment_methods
                        where payment_method_id = $1`,
        [second],
      ),
    ).toEqual([{ fingerprint: 'f1', fingerprint_at: worldStart }]);
    expect(
      await world.rows(
        `select card_key from card_histories
                        where payment_method_id = $1 and origin = 'reported'`,
        [second],
      ),
    ).toEqual([{ card_key: 'fingerprint:sandbox:f1' }]);
  });

  it('bans the method no more once it is reported as changed, until it is told again', async () => {
    const { world, due } = await claimed(1);
    await learnCard(world.db, told(world));
    await world.rows(
      `update card_attempts set outcome = 'declined', network_code = '43', hard_decline = true`,
    );
    await world.rows('update payment_methods set signalled_at = $1', [addMs(firstTry, 1)]);
    const at = addMs(firstTry, hourMs);
    const question = { ...chargeOf(due[0]), at };
    const [changed] = await readCards(world.db, [question]);
    expect(changed?.facts.renewedAt).toEqual(addMs(firstTry, 1));
    await learnCard(world.db, told(world, { at }));
    expect(await beginCharges(world.db, [chargeOf(due[0], { sentAt: at })])).toMatchObject([
      { kind: 'blocked', rule: { id: 'visa.category_1' } },
    ]);
  });
});

describe('learning beside charges', () => {
  it('judges a charge again that was judged on a part of the history', async () => {
    const { world, due } = await claimed(lastAllowed);
    await learnCard(world.db, told(world));
    const ofSecond = due.filter(({ payment }) => payment.methods[0]?.paymentMethodId === second);
    const ofFirst = due.filter(({ payment }) => payment.methods[0]?.paymentMethodId === first);
    let reads = 0;
    const slow: Queryable = {
      async query(statement, values) {
        const rows = await world.db.query(statement, values);
        if (statement.name !== 'read_cards') return rows as never;
        reads += 1;
        if (reads > 1) return rows as never;
        await learnCard(world.db, told(world, { paymentMethodId: second }));
        // The last charge that the card has left is taken under its other method.
        await beginCharges(world.db, [chargeOf(ofFirst[0])]);
        return rows as never;
      },
    };
    expect(await beginCharges(slow, [chargeOf(ofSecond[0])])).toMatchObject([{ kind: 'blocked' }]);
    expect(reads).toBe(2);
  });

  it('waits for a charge that is begun under the name before, which counts from then on', async () => {
    const { world, due } = await claimed(lastAllowed);
    await learnCard(world.db, told(world));
    const of = (method: string) =>
      due.find(({ payment }) => payment.methods[0]?.paymentMethodId === method);
    await using open = await openTransaction(world.db);
    expect(await beginCharges(open, [chargeOf(of(second))])).toEqual([{ kind: 'begun' }]);
    let isLearned = false;
    const learning = learnCard(world.db, told(world, { paymentMethodId: second })).then(() => {
      isLearned = true;
    });
    await Promise.race([untilLockWaits((text) => world.rows(text)), learning]);
    expect(isLearned).toBe(false);
    await open.commit();
    await learning;
    expect(await beginCharges(world.db, [chargeOf(of(first))])).toMatchObject([
      { kind: 'blocked' },
    ]);
  });

  it('lets two workers learn at once, and one last charge through', async () => {
    const { world, due } = await claimed(lastAllowed);
    const learned = [...ids, ...ids].map((paymentMethodId) =>
      learnCard(world.db, told(world, { paymentMethodId })),
    );
    await Promise.all(learned);
    expect(await world.rows('select distinct fingerprint from payment_methods')).toEqual([
      { fingerprint: 'f1' },
    ]);
    const begun = await Promise.all(due.map((item) => beginCharges(world.db, [chargeOf(item)])));
    expect(begun.flat().filter(({ kind }) => kind === 'begun')).toHaveLength(1);
  });

  it('leaves the whole card what its history leaves, whatever came first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 4 }),
        async (order) => {
          const { world, due } = await claimed(18);
          const steps = order.map(
            (step) => () =>
              step < 2
                ? learnCard(world.db, told(world, { paymentMethodId: ids[step] ?? first }))
                : beginCharges(world.db, [chargeOf(due[step])]),
          );
          await Promise.all(steps.map((step) => step()));
          await learnBoth(world);
          const [counted] = await world.rows<{ count: number }>(
            'select count(*)::int from card_histories',
          );
          const begun = await kindsOf(world, due.slice(8));
          // What was begun before anybody knew stands, and counts.
          const left = Math.max(0, lastAllowed + 1 - (counted?.count ?? 0));
          expect(begun.filter((kind) => kind === 'begun')).toHaveLength(left);
          await world.close();
        },
      ),
      { numRuns: 6 },
    );
  });
});
