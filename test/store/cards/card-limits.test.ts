import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import { present } from '../../../src/domain/present.ts';
import { toAttemptOutcome } from '../../../src/recovery/engine/attempt-steps.ts';
import type { DuePayment } from '../../../src/recovery/engine-ports.ts';
import { readCards } from '../../../src/store/cards/read-cards.ts';
import type { Queryable } from '../../../src/store/database.ts';
import { beginCharges } from '../../../src/store/engine/charges.ts';
import { recordOutcomes } from '../../../src/store/engine/outcomes.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { asLegacyCharges } from '../../kits/legacy-charges.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';
import { openTransaction } from '../../kits/open-transaction.ts';
import { chargeOf, firstTry } from './charge-of.ts';

const engineWorld = useEngineWorld();
const card = 'pm_sandbox_success--shared';
/** Visa allows twenty reattempts: after so many declines of a card, one more charge is left. */
const lastAllowed = 20;

/** Payments of one card, each reported as declined, that a worker has taken for their first try. */
async function claimed(
  count: number,
  methodOf: (index: number) => string = () => card,
): Promise<{ world: EngineWorld; due: readonly DuePayment[] }> {
  const world = await engineWorld();
  for (let index = 0; index < count; index += 1) {
    const methods = [methodOf(index)];
    await world.submit(failedEvent({ invoiceId: `in_${index + 1}`, methods }));
  }
  await world.settle();
  world.clock.set(firstTry);
  return { world, due: await world.claimPayments() };
}

/** Records what became of a begun charge; the payment waits for a person after that. */
async function resolveAs(
  world: EngineWorld,
  due: DuePayment | undefined,
  state: 'declined' | 'not_made' | 'unknown',
  networkCode = '51',
  adviceCode?: string,
): Promise<void> {
  if (due?.attempt === undefined) throw new Error('no attempt is open');
  const { payment, attempt } = due;
  const { attemptId } = attempt;
  const isOpen = state === 'unknown';
  const ended = state === 'declined' ? state : 'not_attempted';
  const recorded = await recordOutcomes(world.db, [
    {
      merchantId: payment.merchantId,
      invoiceId: payment.invoiceId,
      fence: payment.fence,
      revision: payment.revision,
      at: firstTry,
      transaction: {
        attemptId,
        ordinal: 1,
        state,
        ...(state === 'declined'
          ? {
              decline: {
                category: 'later',
                code: networkCode,
                networkCode,
                ...present({ adviceCode }),
              },
            }
          : { reason: 'as the test says' }),
        ...(isOpen ? { lookUpAt: addMs(firstTry, hourMs) } : {}),
      },
      attempt: toAttemptOutcome({ ...attempt, check: { retry: true } }, isOpen ? 'unknown' : ended),
      payment: {
        state: isOpen ? 'attempting' : 'scheduled',
        attemptCount: 0,
        postponements: 0,
      },
      events: [],
    },
  ]);
  expect(recorded).toEqual(['recorded']);
}

/** A database in which the begun charge closes its card as soon as somebody has read the card. */
function declinedOnceRead(world: EngineWorld, begun: DuePayment | undefined): Queryable {
  let isRecorded = false;
  return {
    async query(statement, values) {
      const rows = await world.db.query(statement, values);
      if (statement.name === 'read_cards' && !isRecorded) {
        isRecorded = true;
        await resolveAs(world, begun, 'declined', '43');
      }
      return rows as never;
    },
  };
}

const attemptsOf = (world: EngineWorld) =>
  world.rows<{ origin: string; outcome: string; count: number }>(
    `select origin, outcome, count(*)::int from card_histories group by 1, 2 order by 1, 2`,
  );

describe('the last charge that a network allows a card', () => {
  const limited = {
    kind: 'blocked',
    rule: { id: 'visa.reattempts_30d', source: expect.stringContaining('Checkout.com') },
    until: addMs(worldStart, 30 * dayMs),
  };

  it('is begun once, however many batches ask for it at the same time', async () => {
    const { world, due } = await claimed(lastAllowed);
    const begun = await Promise.all(due.map((item) => beginCharges(world.db, [chargeOf(item)])));
    const kinds = begun.flat().map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'begun')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'blocked')).toHaveLength(due.length - 1);
    expect(begun.flat().find(({ kind }) => kind === 'blocked')).toMatchObject(limited);
    expect(await attemptsOf(world)).toEqual([
      { origin: 'own', outcome: 'sent', count: 1 },
      { origin: 'reported', outcome: 'declined', count: lastAllowed },
    ]);
  });

  it('is begun once of a batch that holds it twice, and the other cards of it are', async () => {
    const methodOf = (index: number) => (index < lastAllowed ? card : `${card}_${index}`);
    const { world, due } = await claimed(lastAllowed + 2, methodOf);
    const [other, ...rest] = due.toSorted((a, b) => nameOf(b).localeCompare(nameOf(a)));
    const batch = [rest.at(-1), other, rest.at(-2)].map((item) => chargeOf(item));
    expect(await beginCharges(world.db, batch)).toMatchObject([
      { kind: 'begun' },
      { kind: 'begun' },
      limited,
    ]);
  });

  it('is given back by a charge that was never made', async () => {
    const { world, due } = await claimed(lastAllowed);
    const [first, second] = due;
    expect(await beginCharges(world.db, [chargeOf(first)])).toEqual([{ kind: 'begun' }]);
    expect(await beginCharges(world.db, [chargeOf(second)])).toMatchObject([limited]);
    await resolveAs(world, first, 'not_made');
    expect(await beginCharges(world.db, [chargeOf(second)])).toEqual([{ kind: 'begun' }]);
  });

  it.each(['unknown', 'declined'] as const)('is used up by one that is %s', async (state) => {
    const { world, due } = await claimed(lastAllowed);
    const [first, second] = due;
    await beginCharges(world.db, [chargeOf(first)]);
    await resolveAs(world, first, state);
    expect(await beginCharges(world.db, [chargeOf(second)])).toMatchObject([limited]);
  });

  it('is not there again where the clock is set back', async () => {
    const { world, due } = await claimed(lastAllowed);
    const [first, second] = due;
    await beginCharges(world.db, [chargeOf(first)]);
    const earlier = chargeOf(second, { sentAt: addMs(firstTry, -2 * hourMs) });
    expect(await beginCharges(world.db, [earlier])).toMatchObject([limited]);
  });

  it('is not begun on a history that another worker has added to meanwhile', async () => {
    const { world, due } = await claimed(lastAllowed);
    const [first, second] = due;
    let reads = 0;
    const slow: Queryable = {
      async query(statement, values) {
        const rows = await world.db.query(statement, values);
        if (statement.name === 'read_cards') reads += 1;
        const isFirst = statement.name === 'read_cards' && reads === 1;
        if (isFirst) await beginCharges(world.db, [chargeOf(second)]);
        return rows as never;
      },
    };
    expect(await beginCharges(slow, [chargeOf(first)])).toMatchObject([limited]);
    expect(reads).toBe(2);
  });
});

describe('a turn of a card', () => {
  const turns = (world: EngineWorld) =>
    world.rows(
      'select card_turn, version from psp_transactions t left join cards c using (merchant_id, card_key) order by 1',
    );

  it('is each charge’s own, and no row of the card is written for it', async () => {
    const { world, due } = await claimed(3);
    const version = lastVersionOf(await world.rows('select version from cards'));
    await Promise.all(due.map((item) => beginCharges(world.db, [chargeOf(item)])));
    expect(await turns(world)).toEqual([1, 2, 3].map((card_turn) => ({ card_turn, version })));
  });

  it('goes to one of two that judged the same history: the other one waits, and judges again', async () => {
    const { world, due } = await claimed(2);
    const [first, second] = due.map((item) => chargeOf(item, present({ card: cardOf(item) })));
    if (first === undefined || second === undefined) throw new Error('two were claimed');
    const asked: string[] = [];
    const noting: Queryable = {
      query(statement, values) {
        asked.push(statement.name);
        return world.db.query(statement, values);
      },
    };
    await using open = await openTransaction(world.db);
    expect(await beginCharges(open, [first])).toEqual([{ kind: 'begun' }]);
    const following = beginCharges(noting, [second]);
    await Promise.race([untilLockWaits((text) => world.rows(text)), following]);
    await open.commit();
    expect(await following).toEqual([{ kind: 'begun' }]);
    expect(asked).toEqual(['begin_charges', 'read_cards', 'begin_charges']);
    expect(await turns(world)).toMatchObject([{ card_turn: 1 }, { card_turn: 2 }]);
  });

  it('is not taken by a charge whose transaction was undone', async () => {
    const { world, due } = await claimed(2);
    await using open = await openTransaction(world.db);
    expect(await beginCharges(open, [chargeOf(due[0])])).toEqual([{ kind: 'begun' }]);
    await open.rollback();
    expect(await beginCharges(world.db, [chargeOf(due[1])])).toEqual([{ kind: 'begun' }]);
    expect(await turns(world)).toMatchObject([{ card_turn: 1 }]);
  });
});

describe('a decline that closes a card', () => {
  const closed = { kind: 'blocked', rule: { id: 'visa.category_1', network: 'visa' } };

  it('holds for every invoice of the card, for good, and is noted with the fee it saves', async () => {
    const { world, due } = await claimed(2);
    const [first, second] = due;
    await beginCharges(world.db, [chargeOf(first)]);
    await resolveAs(world, first, 'declined', '43');
    const late = chargeOf(second, { sentAt: addMs(firstTry, 400 * dayMs) });
    const [blocked] = await beginCharges(world.db, [late]);
    expect(blocked).toMatchObject(closed);
    expect(blocked).not.toHaveProperty('until');
    const { attempts } = await world.payment(second?.payment.invoiceId);
    expect(attempts).toMatchObject([
      {
        status: 'checking',
        check: { retry: true },
        transactions: [],
        blockedCharges: [
          {
            payment_method_id: card,
            rule: 'visa.category_1',
            source: expect.stringContaining('table 7-2'),
          },
        ],
      },
    ]);
    expect(await world.rows('select rule, kind, amount_micros from network_fees')).toEqual([
      { rule: 'visa.category_1', kind: 'avoided', amount_micros: 100_000 },
    ]);
    // Another of its methods is refused: both stand there.
    const further = { ...late, ordinal: 2, idempotencyKey: 'key_2' };
    expect(await beginCharges(world.db, [further])).toMatchObject([closed]);
    expect(
      await world.rows('select jsonb_array_length(blocked_charges) as noted from attempts'),
    ).toEqual([{ noted: 2 }]);
    // What ends it without a charge need not bring the merchant's answer once more.
    if (second?.attempt === undefined) throw new Error('no attempt is open');
    const { merchantId, invoiceId, fence, revision } = second.payment;
    const scheduled = { state: 'scheduled', attemptCount: 0, postponements: 0 } as const;
    await recordOutcomes(world.db, [
      {
        merchantId,
        invoiceId,
        fence,
        revision,
        at: firstTry,
        attempt: toAttemptOutcome(second.attempt, 'not_attempted'),
        payment: { ...scheduled, dueAction: 'plan', nextAttemptAt: addMs(firstTry, dayMs) },
        events: [],
      },
    ]);
    const columns = 'number, state, check_answer, blocked_charges is not null as is_noted';
    expect(
      await world.rows(`select ${columns} from attempts where invoice_id = '${invoiceId}'`),
    ).toEqual([{ number: 1, state: 'not_attempted', check_answer: late.check, is_noted: true }]);
  });

  it('is noted on no attempt that has ended', async () => {
    const { world, due } = await claimed(1);
    const [first] = due;
    await beginCharges(world.db, [chargeOf(first)]);
    await resolveAs(world, first, 'declined', '43');
    await world.rows(`update payments set state = 'attempting'`);
    const further = chargeOf(first, { ordinal: 2, idempotencyKey: 'key_2' });
    expect(await beginCharges(world.db, [further])).toMatchObject([closed]);
    expect(await world.rows('select state from recorded_attempts')).toEqual([
      { state: 'declined' },
    ]);
    expect(await world.rows('select from attempts')).toEqual([]);
  });

  it('is one by the advice that comes with it, too', async () => {
    const { world, due } = await claimed(2);
    const [first, second] = due;
    await world.rows(`update payment_methods set scheme = 'mastercard'`);
    await beginCharges(world.db, [chargeOf(first)]);
    await resolveAs(world, first, 'declined', '51', '03');
    const late = chargeOf(second, { sentAt: addMs(firstTry, 400 * dayMs) });
    expect(await beginCharges(world.db, [late])).toMatchObject([
      { kind: 'blocked', rule: { id: 'mastercard.advice_never', network: 'mastercard' } },
    ]);
  });

  it('is known to a charge that was judged just before it was recorded', async () => {
    const { world, due } = await claimed(2);
    const [first, second] = due;
    await beginCharges(world.db, [chargeOf(first)]);
    const slow = declinedOnceRead(world, first);
    expect(await beginCharges(slow, [chargeOf(second)])).toMatchObject([closed]);
  });

  it('is void once the merchant reports that the method was replaced', async () => {
    const { world, due } = await claimed(2);
    const [first, second] = due;
    await beginCharges(world.db, [chargeOf(first)]);
    await resolveAs(world, first, 'declined', '43');
    await world.rows(`update payment_methods set signalled_at = $1`, [addMs(firstTry, 1)]);
    const sentAt = addMs(firstTry, hourMs);
    expect(await beginCharges(world.db, [chargeOf(second, { sentAt })])).toEqual([
      { kind: 'begun' },
    ]);
  });

  it('holds all the same where a fingerprint says that it is the same card', async () => {
    const { world, due } = await claimed(2, (index) => `pm_${index}`);
    const [first, second] = due;
    await beginCharges(world.db, [chargeOf(first)]);
    await resolveAs(world, first, 'declined', '43');
    await world.rows(
      `update payment_methods set fingerprint = 'f1', fingerprint_at = $1,
         signalled_at = $1`,
      [addMs(firstTry, 1)],
    );
    const sentAt = addMs(firstTry, hourMs);
    expect(await beginCharges(world.db, [chargeOf(second, { sentAt })])).toMatchObject([closed]);
    await world.rows(`update payment_methods set fingerprint = payment_method_id`);
    expect(await beginCharges(world.db, [chargeOf(second, { sentAt })])).toEqual([
      { kind: 'begun' },
    ]);
    const keys = await world.rows(`select card_key from card_histories where outcome = 'sent'`);
    expect(keys).toEqual([{ card_key: `fingerprint:sandbox:${chargeOf(second).paymentMethodId}` }]);
  });
});

describe('a legacy charge, whose place stands beside it', () => {
  const beside = (world: EngineWorld) =>
    world.rows(
      `select outcome, network_code, hard_decline from card_attempts where origin = 'own'`,
    );

  /** So many payments of the card, of which the first was charged by the release before. */
  async function legacyCharge(count: number) {
    const { world, due } = await claimed(count);
    await beginCharges(world.db, [chargeOf(due[0])]);
    for (const text of asLegacyCharges) await world.rows(text);
    expect(await beside(world)).toMatchObject([{ outcome: 'sent' }]);
    return { world, first: due[0], second: due[1] };
  }

  it('uses up the last one, and gives it back if it was never made', async () => {
    const { world, first, second } = await legacyCharge(lastAllowed);
    expect(await beginCharges(world.db, [chargeOf(second)])).toMatchObject([{ kind: 'blocked' }]);
    await resolveAs(world, first, 'not_made');
    expect(await beside(world)).toEqual([]);
    expect(await beginCharges(world.db, [chargeOf(second)])).toEqual([{ kind: 'begun' }]);
  });

  it('closes the card by its decline, for whoever judged without it too', async () => {
    const { world, first, second } = await legacyCharge(2);
    const slow = declinedOnceRead(world, first);
    expect(await beginCharges(slow, [chargeOf(second)])).toMatchObject([
      { kind: 'blocked', rule: { id: 'visa.category_1' } },
    ]);
    expect(await beside(world)).toEqual([
      { outcome: 'declined', network_code: '43', hard_decline: true },
    ]);
  });

  it('is not begun by the release before any more, which does not read the others', async () => {
    const { world } = await legacyCharge(2);
    const again = `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network,
        initiator, credential, payment_method_id, invoice_id, amount_minor, currency, outcome, at)
      select merchant_id, 'k', card_key, acceptor, origin, network, initiator, credential,
        payment_method_id, invoice_id, amount_minor, currency, outcome, at
      from card_attempts where origin = 'own'`;
    await expect(world.rows(again)).rejects.toMatchObject({
      constraint: 'card_attempts_own_are_legacy',
    });
  });
});

it('a decline of which nobody said whether it is a hard one may be one', async () => {
  const { world, due } = await claimed(2);
  const [first, second] = due;
  await beginCharges(world.db, [chargeOf(first)]);
  await resolveAs(world, first, 'declined', '43');
  await world.rows('update psp_transactions set hard_decline = null, advice_code = null');
  const late = chargeOf(second, { sentAt: addMs(firstTry, 400 * dayMs) });
  expect(await beginCharges(world.db, [late])).toMatchObject([
    { kind: 'blocked', rule: { id: 'visa.category_1' } },
  ]);
});

describe('a method id that stands for thousands of charges', () => {
  it('is judged by the newest of them, and limited by them', async () => {
    const { world, due } = await claimed(1);
    const [first] = due;
    await world.rows(
      `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network,
         initiator, credential, payment_method_id, invoice_id, amount_minor, currency, outcome, at)
       select $1, 'c_' || n, $2, 'sandbox', 'reported', 'visa', 'mit', 'pan', 'pm', 'in', 1, 'USD',
              case n % 3 when 0 then 'approved' else 'declined' end, $3::timestamptz - n * interval '1 minute'
       from generate_series(1, 3000) n`,
      [world.merchantId, `sandbox:${card}`, worldStart],
    );
    const question = { ...chargeOf(first), at: firstTry };
    const [read] = await readCards(world.db, [question]);
    expect(read?.attempts).toHaveLength(700);
    const oldest = Math.min(...(read?.attempts ?? []).map(({ at }) => at.getTime()));
    expect(oldest).toBe(addMs(worldStart, -1050 * minuteMs).getTime());
    expect(await beginCharges(world.db, [chargeOf(first)])).toMatchObject([{ kind: 'blocked' }]);
  });
});

describe('a charge of a token', () => {
  it('is counted apart from the card number', async () => {
    const { world, due } = await claimed(lastAllowed);
    const [first, second, third] = due;
    await beginCharges(world.db, [chargeOf(first)]);
    expect(await beginCharges(world.db, [chargeOf(second)])).toMatchObject([{ kind: 'blocked' }]);
    await world.rows(`update payment_methods set credential_form = 'token'`);
    expect(await beginCharges(world.db, [chargeOf(third)])).toEqual([{ kind: 'begun' }]);
  });
});

const cardOf = (due: DuePayment) => due.payment.methods[0]?.card;

const lastVersionOf = (rows: readonly { readonly version: number }[]): number | undefined =>
  rows.at(-1)?.version;

function nameOf({ payment }: DuePayment): string {
  return payment.methods[0]?.paymentMethodId ?? '';
}
