import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matchAgain } from '../../../../src/disputes/match-dispute.ts';
import { createMatchStore } from '../../../../src/store/disputes/match-store.ts';
import { type CaptureWorld, openCaptureWorld } from '../../../kits/capture-world.ts';

let world: CaptureWorld;
beforeAll(async () => {
  world = await openCaptureWorld();
});
afterAll(() => world.close());

const checkout = { customer_email: 'jane@example.com', ipv4_address: '8.8.4.4', psp: 'stripe' };
const report = () => ({
  psp: 'stripe',
  kind: 'dispute',
  stage: 'chargeback',
  status: 'needs_response',
  occurred_at: world.clock.now().toISOString(),
  opened_at: world.clock.now().toISOString(),
});

async function reported(psp_dispute_id: string, ids: object) {
  const body = { ...report(), psp_dispute_id, ...ids };
  const { text } = await world.call('POST', '/v1/disputes', body);
  return shown((JSON.parse(text) as { id: string }).id);
}

async function shown(id: string) {
  return JSON.parse((await world.call('GET', `/v1/disputes/${id}`)).text);
}

describe('a dispute is matched', () => {
  it.each([
    ['charge', { charge_id: 'ch_a' }, { charge_id: 'ch_a' }, 100, false],
    ['transaction', { transaction_id: 'pi_b' }, { transaction_id: 'pi_b' }, 100, false],
    [
      'network_transaction',
      { transaction_id: 'nti_c' },
      { network_transaction_id: 'nti_c' },
      98,
      false,
    ],
    [
      'network_transaction',
      { network_transaction_id: 'nti_d' },
      { network_transaction_id: 'nti_d' },
      98,
      false,
    ],
    ['invoice', { invoice_id: 'in_e' }, { invoice_id: 'in_e' }, 95, false],
    ['subscription', { subscription_id: 'sub_f' }, { subscription_id: 'sub_f' }, 80, true],
    [
      'customer',
      { customer_id: 'cus_g', charge_id: 'ch_g' },
      { psp_customer_id: 'cus_g' },
      60,
      true,
    ],
  ])('by its %s: %o', async (reason, captured, disputed, score, is_inherited) => {
    const analytics_id = await world.submit({ ...checkout, ...captured });
    const found = await reported(`dp_${JSON.stringify(captured)}`, disputed);
    expect(found.match_state).toBe('matched');
    expect(found.matches).toEqual([{ analytics_id, score, reasons: [reason], is_inherited }]);
  });

  it('with the checkout that began its subscription, where only the first charge had one', async () => {
    const { merchantId } = world.first;
    const analytics_id = await world.submit({ ...checkout, charge_id: 'ch_first' });
    const insert = (charge: string, invoice: string, days: number) =>
      world.rows(
        `insert into transactions (merchant_id, invoice_id, transaction_id, psp_transaction_id, psp,
           customer_id, subscription_id, payment_method_id, amount_minor, currency, success,
           occurred_at, detail, received_at)
         values ($1, $2, $3, $3, 'stripe', 'c_1', 'sub_old', 'pm_1', 4900, 'EUR', true,
           $4::timestamptz - make_interval(days => $5), '{}', $4)`,
        [merchantId, invoice, charge, world.clock.now(), days],
      );
    await insert('ch_first', 'in_first', 60);
    await insert('ch_renewal', 'in_renewal', 0);
    world.clock.passMs(1_000);
    const charged_at = world.clock.now().toISOString();
    const found = await reported('dp_renewal', { charge_id: 'ch_renewal', charged_at });
    expect(found).toMatchObject({
      subscription_id: 'sub_old',
      match_state: 'matched',
      matches: [{ analytics_id, score: 80, reasons: ['subscription'], is_inherited: true }],
    });
  });

  it('with none of another merchant or another PSP', async () => {
    const { authorization } = world.second;
    await world.submit({ ...checkout, charge_id: 'ch_x' }, { authorization });
    await world.submit({ ...checkout, charge_id: 'ch_x', psp: 'adyen' });
    const found = await reported('dp_x', { charge_id: 'ch_x' });
    expect(found).toMatchObject({ match_state: 'none', matches: [] });
  });

  it('with nobody by itself where equal captures are of different customers', async () => {
    for (const customer of ['cus_1', 'cus_2']) {
      await world.submit({ ...checkout, charge_id: 'ch_two', customer_id: customer });
    }
    const found = await reported('dp_two', { charge_id: 'ch_two' });
    expect(found.match_state).toBe('conflict');
    expect(found.matches).toHaveLength(2);
  });

  it('again, when its capture came later', async () => {
    const before = await reported('dp_late', { charge_id: 'ch_late' });
    expect(before).toMatchObject({ match_state: 'none' });
    const analytics_id = await world.submit({ ...checkout, charge_id: 'ch_late' });
    world.clock.passMs(1_000);
    const deps = { clock: world.clock, matches: createMatchStore({ db: world.db }) };
    const openedAfter = new Date(0);
    const input = { lookedBefore: world.clock.now(), openedAfter, limit: 100 };
    expect(await matchAgain(deps, input)).toBeGreaterThan(0);
    expect(await matchAgain(deps, input)).toBe(0);
    expect(await shown(before.id)).toMatchObject({
      match_state: 'matched',
      matches: [{ analytics_id, score: 100 }],
    });
  });
});
