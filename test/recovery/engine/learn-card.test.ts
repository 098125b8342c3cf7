import { expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../src/domain/clock.ts';
import type { ChargedCard } from '../../../src/domain/network-rules/card-attempt.ts';
import { learnCard } from '../../../src/recovery/engine/learn-card.ts';
import type {
  CardHistory,
  LearnCard,
  OpenTransaction,
} from '../../../src/recovery/engine-ports.ts';
import type { ChargeResult, PspGateway } from '../../../src/recovery/psp-ports.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import type { Worker } from '../../kits/worker.ts';
import { paymentContext } from './payment-context.ts';

const engineWorld = useEngineWorld();
const card: ChargedCard = { fingerprint: 'f1', network: 'visa', credentialForm: 'pan' };

/** A worker whose PSP tells of every charge, whatever its method, that it was of this card. */
function telling(world: EngineWorld): { worker: Worker; learned: LearnCard[] } {
  const learned: LearnCard[] = [];
  const worker = world.worker(({ findGateway, payments }) => ({
    async findGateway(connection) {
      const gateway = await findGateway(connection);
      return gateway === undefined ? undefined : withCard(gateway);
    },
    payments: {
      ...payments,
      async learnCard(input) {
        learned.push(input);
        await payments.learnCard(input);
      },
    },
  }));
  return { worker, learned };
}

function withCard(gateway: PspGateway): PspGateway {
  const told = <Result extends { kind: string }>(result: Result): Result =>
    result.kind === 'succeeded' || result.kind === 'declined' ? { ...result, card } : result;
  return {
    ...gateway,
    charge: async (request): Promise<ChargeResult> => told(await gateway.charge(request)),
    lookUp: async (request) => told(await gateway.lookUp(request)),
  };
}

const fingerprints = (world: EngineWorld) =>
  world.rows('select payment_method_id, fingerprint from payment_methods order by 1');

it('what a charge tells of its card is kept once, with the method that was charged', async () => {
  const world = await engineWorld();
  const { worker, learned } = telling(world);
  await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
  await world.runUntil(addMs(worldStart, 9 * dayMs), worker);
  expect((await world.ledger()).length).toBeGreaterThan(1);
  expect(learned).toHaveLength(1);
  expect(learned).toMatchObject([{ paymentMethodId: 'pm_sandbox_decline_51', card }]);
  expect(await fingerprints(world)).toEqual([
    { payment_method_id: 'pm_sandbox_decline_51', fingerprint: 'f1' },
  ]);
});

it('the charges of an attempt under two ids of a card are counted as of one', async () => {
  const world = await engineWorld();
  const { worker } = telling(world);
  const methods = ['pm_sandbox_decline_51--a', 'pm_sandbox_decline_51--b'];
  for (let index = 0; index < 12; index += 1) {
    await world.submit(failedEvent({ invoiceId: `in_${index}`, methods }));
  }
  await world.runUntil(addMs(worldStart, dayMs + hourMs), worker);
  // Twenty-four reported declines are more than Visa's twenty: nothing is left once they are one.
  const made = (await world.ledger()).length;
  await world.runUntil(addMs(worldStart, 9 * dayMs), worker);
  expect((await world.ledger()).length).toBe(made);
  expect(await fingerprints(world)).toEqual(
    methods.map((payment_method_id) => ({ payment_method_id, fingerprint: 'f1' })),
  );
  expect(await world.faults()).toEqual([]);
});

it('a charge whose answer was lost tells of its card when it is found', async () => {
  const world = await engineWorld();
  const { worker, learned } = telling(world);
  const lost = 'pm_sandbox_lost_success';
  await world.submit(failedEvent({ methods: [lost] }));
  await world.runUntil(addMs(worldStart, 2 * dayMs), worker);
  expect(learned).toMatchObject([{ paymentMethodId: lost, card }]);
});

const known: CardHistory = {
  cardKey: 'card_1',
  fingerprint: 'f1',
  credentialForm: 'pan',
  facts: { network: 'visa', credential: 'pan' },
  attempts: [],
};

it.each<[string, ChargedCard, CardHistory | undefined, boolean]>([
  ['of which nothing is known', card, undefined, true],
  ['that is known', card, known, false],
  ['that is told without anything', {}, known, false],
  ['with another fingerprint', { fingerprint: 'f2' }, known, true],
  ['with the same fingerprint alone', { fingerprint: 'f1' }, known, false],
  ['of another network', { network: 'mastercard' }, known, true],
  ['in another form', { credentialForm: 'token' }, known, true],
  [
    'that was renewed since',
    { fingerprint: 'f1' },
    { ...known, facts: { network: 'visa', credential: 'pan', renewedAt: worldStart } },
    true,
  ],
  [
    'that was renewed since, told without its fingerprint',
    { network: 'visa' },
    { ...known, facts: { network: 'visa', credential: 'pan', renewedAt: worldStart } },
    false,
  ],
])('a card %s is told on where that is news', async (_what, told, history, isNews) => {
  const learned: LearnCard[] = [];
  const method = { paymentMethodId: 'pm_1', failedFirst: true };
  const transaction = { paymentMethodId: 'pm_1', sentAt: worldStart } as OpenTransaction;
  const payments = { learnCard: async (input: LearnCard) => void learned.push(input) };
  await learnCard({ clock: { now: () => addMs(worldStart, hourMs) }, payments } as never, {
    payment: paymentContext({ methods: [{ ...method, ...(history && { card: history }) }] }),
    transaction,
    result: { kind: 'succeeded', pspTransactionId: 'psp_1', card: told },
  });
  expect(learned).toHaveLength(isNews ? 1 : 0);
});
