import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs } from '../../../../src/domain/clock.ts';
import type { DefiniteResult } from '../../../../src/recovery/engine/answers/judge-answer.ts';
import { takeAnswer } from '../../../../src/recovery/engine/answers/take-answer.ts';
import type { ChargeRequest, ChargeResult } from '../../../../src/recovery/psp-ports.ts';
import { failedEvent, worldStart } from '../../../kits/billing-events.ts';
import { type EngineWorld, type MerchantOptions, useEngineWorld } from '../../../kits/engine.ts';
import { expectSound } from '../../../kits/engine-faults.ts';
import { changedGateways } from '../../../kits/gateways.ts';
import { asLegacyCharges } from '../../../kits/legacy-charges.ts';
import { leaseMs } from '../../../kits/worker.ts';

const engineWorld = useEngineWorld();
const firstTry = addMs(worldStart, dayMs);
const end = addMs(worldStart, 40 * dayMs);

/** A world whose first try is due, of a charge with these methods. */
async function dueWorld(methods: readonly string[], options: MerchantOptions = {}) {
  const world = await engineWorld(options);
  await world.submit(failedEvent({ methods }));
  await world.settle();
  world.clock.set(firstTry);
  return world;
}

/** Runs the first try with a worker whose answer comes only after `meanwhile`. */
async function heldUp(world: EngineWorld, meanwhile: () => Promise<void>): Promise<void> {
  let first = true;
  const worker = world.worker((deps) =>
    changedGateways(deps, (gateway) => ({
      async charge(request: ChargeRequest) {
        const result = await gateway.charge(request);
        if (first) {
          first = false;
          await meanwhile();
        }
        return result;
      },
    })),
  );
  await worker.runOnce();
  expect(worker.failures).toEqual([]);
}

/** A world in which the first charge was taken for never made. */
async function takenForNeverMade(options: MerchantOptions = {}): Promise<EngineWorld> {
  const world = await dueWorld(['pm_sandbox_success'], options);
  await lose(world);
  world.clock.passMs(minuteMs);
  for (const charge of await world.claimUnknown()) await world.look(charge);
  expect(await keyState(world)).toBe('not_made');
  return world;
}

const lost: ChargeResult = { kind: 'unknown', reason: 'the answer was lost' };

/** Runs what is due with a worker whose charges reach nobody. */
async function lose(world: EngineWorld): Promise<void> {
  await world
    .worker((deps) => changedGateways(deps, () => ({ charge: async () => lost })))
    .runOnce();
}

async function key(world: EngineWorld): Promise<string> {
  const [row] = await world.rows<{ key: string }>(
    'select idempotency_key as key from psp_transactions order by sent_at limit 1',
  );
  return row?.key ?? 'none';
}

async function keyState(world: EngineWorld): Promise<string | undefined> {
  const [row] = await world.rows<{ state: string }>(
    'select state from psp_transactions order by sent_at limit 1',
  );
  return row?.state;
}

async function tell(world: EngineWorld, result: DefiniteResult) {
  const { merchantId } = world;
  return takeAnswer(world.deps, { merchantId, idempotencyKey: await key(world), result });
}

const success: DefiniteResult = { kind: 'succeeded', pspTransactionId: 'psp_late' };
const decline: DefiniteResult = {
  kind: 'declined',
  pspTransactionId: 'psp_late',
  decline: { category: 'later', code: '51', networkCode: '51' },
};

const ownPlaces = (world: EngineWorld) =>
  world.rows(
    `select outcome, network_code, hard_decline from card_histories where origin = 'own' order by at`,
  );

const incidents = (world: EngineWorld) =>
  world.rows<{ kind: string; state: string; charge: string; invoice_id: string }>(
    'select kind, state, charge, invoice_id from incidents order by opened_at',
  );
const frozen = async (world: EngineWorld) =>
  (await world.rows('select 1 from payments where frozen_at is not null')).length > 0;

describe('the answer of a worker that lost its lease', () => {
  it('settles the charge where nobody has taken it up yet', async () => {
    const world = await dueWorld(['pm_sandbox_success']);
    const other = world.worker();
    await heldUp(world, async () => {
      world.clock.passMs(leaseMs);
      // Another has the lease now, and has done nothing with it.
      expect(await other.claimPayments()).toHaveLength(1);
    });
    expect((await world.payment()).status).toBe('recovered');
    expect(await world.events()).toHaveLength(1);
    await expectSound(world);
  });

  it('settles the charge that was made unknown meanwhile, and no look-up is left', async () => {
    const world = await dueWorld(['pm_sandbox_success']);
    await heldUp(world, async () => {
      world.clock.passMs(leaseMs);
      const [due] = await world.claimPayments();
      if (due !== undefined) await world.run(due);
      expect(await keyState(world)).toBe('unknown');
    });
    expect((await world.payment()).status).toBe('recovered');
    expect(await world.claimUnknown()).toEqual([]);
    await world.runUntil(end);
    expect(await world.ledger()).toHaveLength(1);
    await expectSound(world);
  });

  it('settles as a decline what was made unknown meanwhile', async () => {
    const world = await dueWorld(['pm_sandbox_decline_51']);
    await heldUp(world, async () => {
      world.clock.passMs(leaseMs);
      const [due] = await world.claimPayments();
      if (due !== undefined) await world.run(due);
    });
    expect(await keyState(world)).toBe('declined');
    expect(await world.payment()).toMatchObject({ status: 'scheduled', attemptCount: 1 });
    expect(await world.events()).toHaveLength(1);
    await expectSound(world);
  });

  it('recovers the payment though it was charged again meanwhile: one charge at the PSP', async () => {
    const world = await dueWorld(['pm_sandbox_success']);
    await heldUp(world, async () => {
      world.clock.passMs(leaseMs);
      const blind = world.worker((deps) =>
        changedGateways(deps, () => ({ lookUp: async () => ({ kind: 'not_found' }) })),
      );
      await world.runUntil(addMs(world.clock.now(), hourMs), blind);
    });
    expect((await world.payment()).status).toBe('recovered');
    const ledger = await world.ledger();
    expect(ledger).toHaveLength(1);
    expect(await world.events()).toHaveLength(1);
    await expectSound(world);
  });

  it('is not lost where it says that the charge was never made', async () => {
    const world = await dueWorld(['pm_sandbox_unavailable']);
    await heldUp(world, async () => {
      world.clock.passMs(leaseMs);
      const [due] = await world.claimPayments();
      if (due !== undefined) await world.run(due);
    });
    expect(await keyState(world)).toBe('not_made');
    expect((await world.payment()).status).toBe('scheduled');
    await expectSound(world);
  });
});

describe('a charge that was taken for never made', () => {
  it('and succeeded recovers its payment, with its event', async () => {
    const world = await takenForNeverMade();
    expect(await tell(world, success)).toBe('recorded_late');
    expect(await world.payment()).toMatchObject({
      status: 'recovered',
      attemptCount: 1,
      attempts: [{ status: 'succeeded', transactions: [{ status: 'succeeded' }] }],
    });
    const [event] = await world.events();
    expect(event?.body).toMatchObject({ success: true, psp_transactions: [{ success: true }] });
    expect(world.log.some((line) => line.includes('had been made, and is now recorded'))).toBe(
      true,
    );
    await world.runUntil(end);
    expect(await world.ledger()).toEqual([]);
    expect(world.failures).toEqual([]);
  });

  it('twice under one key succeeded as it was sent last', async () => {
    const world = await takenForNeverMade();
    world.clock.passMs(10 * minuteMs);
    await lose(world);
    world.clock.passMs(minuteMs);
    for (const charge of await world.claimUnknown()) await world.look(charge);
    const sent = await world.rows('select idempotency_key, state from psp_transactions');
    const notMade = { idempotency_key: await key(world), state: 'not_made' };
    expect(sent).toEqual([notMade, notMade]);
    expect(await tell(world, success)).toBe('recorded_late');
    expect((await world.payment()).attempts.map((attempt) => attempt.status)).toEqual([
      'not_attempted',
      'succeeded',
    ]);
  });

  it('and succeeded recovers a payment that was stopped since', async () => {
    const world = await takenForNeverMade({ endOfDunning: true });
    expect(await world.stop('in_1')).toEqual({ kind: 'stopped' });
    expect(await tell(world, success)).toBe('recorded_late');
    expect(await world.payment()).toMatchObject({ status: 'recovered' });
    expect((await world.payment()).stopReason).toBeUndefined();
    // Its end was told before, and is told once.
    expect((await world.events()).map((event) => event.type)).toEqual([
      'end_of_dunning',
      'retry_result',
    ]);
  });

  it('and succeeded recovers a payment that was exhausted since', async () => {
    const world = await takenForNeverMade({ policy: { windowDays: 2, fixedDays: [1] } });
    await world.rows(`update payments set next_attempt_at = window_ends_at, due_action = 'expire'`);
    await world.runUntil(addMs(worldStart, 3 * dayMs));
    expect((await world.payment()).status).toBe('exhausted');
    expect(await tell(world, success)).toBe('recorded_late');
    expect((await world.payment()).status).toBe('recovered');
  });

  it('and was declined counts as a try, and the next one has another key', async () => {
    const world = await takenForNeverMade();
    const first = await key(world);
    expect(await tell(world, decline)).toBe('recorded_late');
    expect(await world.payment()).toMatchObject({ status: 'scheduled', attemptCount: 1 });
    expect(await world.events()).toHaveLength(1);
    await world.runUntil(end);
    expect((await world.payment()).status).toBe('recovered');
    expect((await world.ledger()).map((charge) => charge.idempotency_key)).not.toContain(first);
    const cards = await world.rows(
      "select outcome from card_histories where origin = 'own' order by at",
    );
    expect(cards).toEqual([{ outcome: 'declined' }, { outcome: 'approved' }]);
  });

  it('and was declined by a code that closes its card says so in the card’s history', async () => {
    const world = await takenForNeverMade();
    const stolen = {
      ...decline,
      decline: { category: 'never', code: '43', networkCode: '43' },
    } as const;
    expect(await tell(world, stolen)).toBe('recorded_late');
    expect(await ownPlaces(world)).toEqual([
      { outcome: 'declined', network_code: '43', hard_decline: true },
    ]);
  });

  it('and whose card has another name by now takes its place there, and judges both names anew', async () => {
    const world = await takenForNeverMade();
    const [before] = await world.rows<{ card_key: string }>(
      'select card_key from psp_transactions',
    );
    await world.rows(`update payment_methods set fingerprint = 'f1', fingerprint_at = updated_at`);
    const versions = async () =>
      Object.fromEntries(
        (
          await world.rows<{ card_key: string; version: number }>(
            'select card_key, version from cards',
          )
        ).map((card) => [card.card_key, card.version]),
      );
    const [name, was] = [before?.card_key ?? '', await versions()];
    expect(await tell(world, decline)).toBe('recorded_late');
    const now = 'fingerprint:sandbox:f1';
    expect(await world.rows('select card_key, card_turn from psp_transactions')).toEqual([
      { card_key: now, card_turn: null },
    ]);
    expect(await versions()).toMatchObject({ [name]: (was[name] ?? 0) + 1, [now]: 1 });
  });

  it('and began before charges were their cards’ histories has one place in them', async () => {
    const world = await takenForNeverMade();
    await world.rows(`update psp_transactions set state = 'unknown', settled_at = null`);
    for (const text of asLegacyCharges) await world.rows(text);
    expect(await ownPlaces(world)).toMatchObject([{ outcome: 'sent' }]);
    await world.rows(`update psp_transactions set state = 'not_made', settled_at = sent_at`);
    expect(await tell(world, decline)).toBe('recorded_late');
    expect(await ownPlaces(world)).toMatchObject([{ outcome: 'declined', network_code: '51' }]);
  });

  it('and is told once more says nothing new', async () => {
    const world = await takenForNeverMade();
    await tell(world, success);
    expect(await tell(world, success)).toBe('says_nothing_new');
    expect(await world.events()).toHaveLength(1);
  });

  it('and succeeded while another of its methods is charged: it is recovered when that has ended', async () => {
    const world = await takenForNeverMade();
    world.clock.passMs(10 * minuteMs);
    world.server.answerLookups({
      status: 200,
      body: { retry: true, reason: 'due', payment_methods: [{ id: 'pm_sandbox_decline_51' }] },
    });
    let told: string | undefined;
    await heldUp(world, async () => {
      told = await tell(world, success);
      expect((await world.payment()).status).toBe('attempting');
    });
    expect(told).toBe('recorded_late');
    await world.runUntil(addMs(world.clock.now(), hourMs));
    expect(await world.payment()).toMatchObject({ status: 'recovered', attemptCount: 2 });
    expect(await incidents(world)).toEqual([]);
    expect(world.failures).toEqual([]);
  });
});

describe('an answer that contradicts the record', () => {
  async function charged(method: string): Promise<EngineWorld> {
    const world = await dueWorld([method]);
    await world.settle();
    return world;
  }

  it('opens one incident however often it is told, and the invoice is frozen', async () => {
    const world = await charged('pm_sandbox_decline_51');
    expect(await tell(world, success)).toBe('incident');
    expect(await tell(world, success)).toBe('incident');
    expect(await incidents(world)).toEqual([
      { kind: 'contradiction', state: 'open', charge: await key(world), invoice_id: 'in_1' },
    ]);
    expect(await frozen(world)).toBe(true);
    await world.runUntil(end);
    expect(await world.payment()).toMatchObject({
      status: 'scheduled',
      attempts: [{ status: 'declined' }],
    });
    expect(await world.ledger()).toHaveLength(1);
    expect(await world.faults()).toEqual(['no_unresolved_contradiction: 1 breaches']);
  });

  it('is told to a merchant that asked for it, with both records', async () => {
    const world = await charged('pm_sandbox_decline_51');
    await world.rows('update merchants set incident_events = true');
    await tell(world, success);
    const event = (await world.events()).find((item) => item.type === 'incident');
    expect(event?.body).toMatchObject({
      kind: 'contradiction',
      invoice_id: 'in_1',
      ours: { state: 'declined', amount: 12.23, currency: 'USD' },
      theirs: { state: 'succeeded', psp_transaction_id: 'psp_late' },
    });
    await world.settle();
    expect(world.server.webhooks.at(-1)?.type).toBe('incident');
  });

  it('as a second success of one debt is recorded beside the first', async () => {
    const world = await takenForNeverMade();
    const first = await key(world);
    world.server.answerLookups({
      status: 200,
      body: { retry: true, reason: 'due', payment_methods: [{ id: 'pm_sandbox_success--2' }] },
    });
    world.clock.passMs(10 * minuteMs);
    await world.settle();
    expect((await world.payment()).status).toBe('recovered');
    expect(await tell(world, success)).toBe('incident');
    expect(await incidents(world)).toMatchObject([{ kind: 'two_successes', charge: first }]);
    const successes = await world.rows(
      `select contradicts from psp_transactions where state = 'succeeded' order by sent_at`,
    );
    expect(successes).toEqual([{ contradicts: true }, { contradicts: false }]);
    // The debt has one success still, beside which any other one is judged.
    const { merchantId } = world;
    const second = await world.rows<{ key: string }>(
      `select idempotency_key as key from psp_transactions where state = 'succeeded' and not contradicts`,
    );
    const idempotencyKey = second[0]?.key ?? '';
    const standing = await world.deps.answers.find({ merchantId, idempotencyKey });
    expect(standing?.transaction.idempotencyKey).toBe(idempotencyKey);
    expect(standing).not.toHaveProperty('otherSuccess');
    expect(await world.events()).toHaveLength(2);
    const counted = await world.faults();
    expect(counted).toContain('one_success_per_invoice: 1 breaches');
    await world.rows(
      `update incidents set state = 'refunded', refund_id = 're_1', resolved_at = opened_at`,
    );
    expect((await world.faults()).filter((fault) => !fault.includes('psp_late'))).toEqual([
      `${first} is succeeded with us and unknown to the PSP`,
    ]);
  });

  it.each([
    ['amount', { amountMinor: 1 }, 'amount_differs'],
    ['currency', { currency: 'EUR' }, 'amount_differs'],
  ])('as a charge of another %s resolves nothing', async (_name, told, kind) => {
    const world = await dueWorld(['pm_sandbox_success']);
    const worker = world.worker((deps) =>
      changedGateways(deps, (gateway) => ({
        async charge(request: ChargeRequest) {
          const result = await gateway.charge(request);
          return result.kind === 'succeeded' ? { ...result, told } : result;
        },
      })),
    );
    await worker.runOnce();
    expect(await incidents(world)).toMatchObject([{ kind }]);
    expect(await keyState(world)).toBe('unknown');
    expect((await world.payment()).status).toBe('attempting');
    await world.runUntil(end);
    expect(await world.ledger()).toHaveLength(1);
    expect(await world.events()).toEqual([]);
    await expectSound(world);
  });
});

it('a look-up that finds a charge of another amount is the last one: a person decides', async () => {
  const world = await dueWorld(['pm_sandbox_success']);
  let lookUps = 0;
  const worker = world.worker((deps) =>
    changedGateways(deps, () => ({
      charge: async () => lost,
      async lookUp() {
        lookUps += 1;
        return { ...success, told: { amountMinor: 1 } };
      },
    })),
  );
  await worker.runOnce();
  await world.runUntil(end, worker);
  expect(lookUps).toBe(1);
  expect(await incidents(world)).toMatchObject([{ kind: 'amount_differs', state: 'open' }]);
  expect(await keyState(world)).toBe('unknown');
  expect(worker.failures).toEqual([]);
});

it('a debt that another charge has paid ends stopped, and is not tried again', async () => {
  const world = await dueWorld(['pm_sandbox_success']);
  const paid: ChargeResult = { kind: 'paid_elsewhere', reason: 'The invoice is paid at the PSP.' };
  let charges = 0;
  const worker = world.worker((deps) =>
    changedGateways(deps, () => ({
      async charge() {
        charges += 1;
        return paid;
      },
    })),
  );
  await world.runUntil(end, worker);
  expect(await world.payment()).toMatchObject({
    status: 'stopped',
    stopReason: 'recovered_elsewhere',
    stopDetail: 'The invoice is paid at the PSP.',
    attempts: [{ status: 'not_attempted', transactions: [{ status: 'not_made' }] }],
  });
  expect(charges).toBe(1);
  await expectSound(world);
});

it('a debt that a look-up finds paid by another charge ends stopped', async () => {
  const world = await dueWorld(['pm_sandbox_success']);
  const lost: ChargeResult = { kind: 'unknown', reason: 'the answer was lost' };
  const worker = world.worker((deps) =>
    changedGateways(deps, () => ({
      charge: async () => lost,
      lookUp: async () => ({ kind: 'paid_elsewhere', reason: 'paid by transfer' }),
    })),
  );
  await world.runUntil(end, worker);
  expect(await world.payment()).toMatchObject({
    status: 'stopped',
    stopReason: 'recovered_elsewhere',
    attempts: [{ status: 'not_attempted' }],
  });
  await expectSound(world);
});
