import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { readCards } from '../../../src/store/cards/read-cards.ts';
import { worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';

const engineWorld = useEngineWorld();
const paymentMethodId = 'pm_1';

interface Reported {
  readonly daysAgo: number;
  readonly outcome: 'approved' | 'declined';
  readonly isHard?: boolean;
  readonly invoiceId?: string;
}

/** A world in which these charges of a card have been reported; the name of each is its place. */
async function reported(...charges: readonly Reported[]): Promise<EngineWorld> {
  const world = await engineWorld();
  for (const [
    at,
    { daysAgo, outcome, isHard = false, invoiceId = 'in_other' },
  ] of charges.entries()) {
    await world.rows(
      `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network, initiator,
         credential, payment_method_id, invoice_id, amount_minor, currency, outcome, hard_decline, at)
       values ($1, $2, $3, 'sandbox', 'reported', 'visa', 'mit', 'pan', $4, $5, 1223, 'USD', $6, $7, $8)`,
      [
        world.merchantId,
        `${at}`,
        `sandbox:${paymentMethodId}`,
        paymentMethodId,
        invoiceId,
        outcome,
        isHard,
        addMs(worldStart, -daysAgo * dayMs),
      ],
    );
  }
  return world;
}

/** The charges that are read for a charge of in_1 now. */
async function readOf({ db, merchantId }: EngineWorld): Promise<readonly string[]> {
  const charge = { merchantId, invoiceId: 'in_1', psp: 'sandbox', paymentMethodId, at: worldStart };
  const [card] = await readCards(db, [charge]);
  return (card?.attempts ?? []).map(({ id }) => id).toSorted();
}

describe('the history of a card', () => {
  it('goes back as far as the longest window of any rule, a month', async () => {
    const declined = { outcome: 'declined' } as const;
    const world = await reported(
      { ...declined, daysAgo: 1 },
      { ...declined, daysAgo: 30 },
      { ...declined, daysAgo: 31 },
      { ...declined, daysAgo: 33 },
    );
    expect(await readOf(world)).toEqual(['0', '1', '2']);
  });

  it('has every charge of the invoice, however old', async () => {
    const world = await reported(
      { daysAgo: 90, outcome: 'declined', invoiceId: 'in_1' },
      { daysAgo: 90, outcome: 'declined' },
    );
    expect(await readOf(world)).toEqual(['0']);
  });

  it('has a decline that may forbid the card for good, whatever was declined after it', async () => {
    const world = await reported(
      { daysAgo: 400, outcome: 'declined', isHard: true },
      { daysAgo: 300, outcome: 'declined' },
    );
    expect(await readOf(world)).toEqual(['0']);
  });

  it('has no such decline any more once the card was approved after it', async () => {
    const world = await reported(
      { daysAgo: 400, outcome: 'declined', isHard: true },
      { daysAgo: 300, outcome: 'approved' },
      { daysAgo: 200, outcome: 'declined', isHard: true },
    );
    expect(await readOf(world)).toEqual(['2']);
  });
});
