import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DisputeRecord } from '../../../../src/disputes/dispute-ports.ts';
import { addMs, dayMs } from '../../../../src/domain/clock.ts';
import { type AnalyticsWorld, openAnalyticsWorld } from '../../../kits/analytics-world.ts';

let world: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
});
afterAll(() => world.close());

const checkout = { customer_email: 'jane@example.com', ipv4_address: '8.8.4.4', psp: 'stripe' };
/** As the job does: whatever has something new, and nothing that has not. */
const matchAgain = () =>
  world.disputes.matchAgain({
    at: world.clock.now(),
    lookedBefore: new Date(0),
    openedAfter: new Date(0),
    limit: 100,
  });

async function paid(fields: { charge: string; invoice: string; method: string; sub?: string }) {
  await world.rows(
    `insert into transactions (merchant_id, invoice_id, transaction_id, psp_transaction_id, psp,
       customer_id, subscription_id, payment_method_id, amount_minor, currency, success,
       occurred_at, detail, received_at)
     values ($1, $2, $3, $3, 'stripe', 'c_1', $4, $5, 4900, 'EUR', true, $6, '{}', $6)`,
    [
      ...[world.first.merchantId, fields.invoice, fields.charge],
      ...[fields.sub ?? `sub_of_${fields.invoice}`, fields.method, world.clock.now()],
    ],
  );
}

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

  it('with the checkout that began its subscription, at the tenth renewal', async () => {
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
    await insert('ch_first', 'in_first', 300);
    for (let renewal = 1; renewal <= 9; renewal += 1) {
      await insert(`ch_renewal_${renewal}`, `in_renewal_${renewal}`, 300 - 30 * renewal);
    }
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

  it('with nobody by itself where equal analytics records are of different customers', async () => {
    for (const customer of ['cus_1', 'cus_2']) {
      await world.submit({ ...checkout, charge_id: 'ch_two', customer_id: customer });
    }
    const found = await reported('dp_two', { charge_id: 'ch_two' });
    expect(found.match_state).toBe('conflict');
    expect(found.matches).toHaveLength(2);
  });

  it('anew when it is told again, where nobody was sure before', async () => {
    for (const customer of ['cus_1', 'cus_2']) {
      await world.submit({ ...checkout, charge_id: 'ch_told', customer_id: customer });
    }
    const first = await reported('dp_told', { charge_id: 'ch_told' });
    expect(first).toMatchObject({ match_state: 'conflict' });
    world.clock.passMs(1_000);
    const again = await reported('dp_told', { charge_id: 'ch_told', status: 'under_review' });
    expect(again).toMatchObject({ status: 'under_review', match_state: 'conflict' });
    expect(again.matches).toEqual(first.matches);
    const sure = await world.submit({
      ...checkout,
      charge_id: 'ch_told',
      transaction_id: 'tx_told',
    });
    world.clock.passMs(1_000);
    const last = await reported('dp_told', { charge_id: 'ch_told', transaction_id: 'tx_told' });
    expect(last.matches).toHaveLength(3);
    expect(last.matches[0]).toMatchObject({ analytics_id: sure });
  });

  it('anew holds what a person has to choose among until it was looked for', async () => {
    for (const customer of ['cus_1', 'cus_2']) {
      await world.submit({ ...checkout, charge_id: 'ch_chosen', customer_id: customer });
    }
    const { matches } = await reported('dp_chosen', { charge_id: 'ch_chosen' });
    const { merchantId } = world.first;
    const key = { merchantId, psp: 'stripe', pspDisputeId: 'dp_chosen' } as const;
    // Its next event is kept, and its PSP is still asked.
    const kept = (stored: DisputeRecord | undefined) => {
      if (stored === undefined) throw new Error('it was reported');
      return stored;
    };
    await world.disputes.store.change(key, kept, undefined, world.clock.now());
    for (const { analytics_id } of matches) {
      const { text } = await world.call('GET', `/v1/analytics/${analytics_id}`);
      expect(JSON.parse(text)).toMatchObject({ legal_hold: true });
    }
  });

  it('again, when its analytics record came later', async () => {
    const before = await reported('dp_late', { charge_id: 'ch_late' });
    expect(before).toMatchObject({ match_state: 'none' });
    const analytics_id = await world.submit({ ...checkout, charge_id: 'ch_late' });
    world.clock.passMs(1_000);
    expect(await matchAgain()).toBeGreaterThan(0);
    expect(await matchAgain()).toBe(0);
    expect(await shown(before.id)).toMatchObject({
      match_state: 'matched',
      matched_by: 'rule',
      matches: [{ analytics_id, score: 100 }],
    });
  });

  it('with a better analytics record that came after a weaker one, while it is open', async () => {
    const ids = { charge_id: 'ch_better', subscription_id: 'sub_better' };
    await world.submit({ ...checkout, subscription_id: 'sub_better' });
    world.clock.passMs(120_000);
    const found = await reported('dp_better', ids);
    expect(found.matches).toMatchObject([{ score: 80 }]);
    const analytics_id = await world.submit({ ...checkout, charge_id: 'ch_better' });
    world.clock.passMs(1_000);
    await matchAgain();
    expect((await shown(found.id)).matches).toMatchObject([{ analytics_id, score: 100 }]);
  });

  it('by a payment that was reported after it', async () => {
    const analytics_id = await world.submit({ ...checkout, invoice_id: 'in_after' });
    world.clock.passMs(120_000);
    const found = await reported('dp_after', { charge_id: 'ch_after' });
    expect(found.match_state).toBe('none');
    world.clock.passMs(1_000);
    await paid({ charge: 'ch_after', invoice: 'in_after', method: 'pm_after' });
    world.clock.passMs(1_000);
    await matchAgain();
    expect(await shown(found.id)).toMatchObject({
      invoice_id: 'in_after',
      matches: [{ analytics_id, score: 96, reasons: ['invoice', 'subscription'] }],
    });
  });

  it.each([
    ['dispute', {}],
    ['fraud_warning', { stage: undefined, status: undefined }],
  ])(
    'at once by its charge, and learns its card by a payment that was reported after it: a %s',
    async (kind, more) => {
      const charge_id = `ch_card_of_${kind}`;
      const analytics_id = await world.submit({ ...checkout, charge_id });
      world.clock.passMs(120_000);
      const found = await reported(`dp_card_of_${kind}`, { charge_id, kind, ...more });
      const match = { analytics_id, score: 100 };
      expect(found).toMatchObject({ match_state: 'matched', matches: [match] });
      const card = () =>
        world.rows('select payment_method_id from disputes where dispute_id = $1', [found.id]);
      expect(await card()).toEqual([{ payment_method_id: null }]);
      world.clock.passMs(1_000);
      await paid({ charge: charge_id, invoice: `in_card_of_${kind}`, method: 'pm_card' });
      world.clock.passMs(1_000);
      expect(await matchAgain()).toBeGreaterThan(0);
      expect(await card()).toEqual([{ payment_method_id: 'pm_card' }]);
      expect(await shown(found.id)).toMatchObject({ match_state: 'matched', matches: [match] });
      world.clock.passMs(120_000);
      expect(await matchAgain()).toBe(0);
    },
  );

  it("by the merchant's reference, also once the payment was reported with an invoice of another id", async () => {
    const before = await reported('dp_reference', { charge_id: 'ch_reference' });
    expect(before).toMatchObject({ match_state: 'none' });
    await world.rows(`update disputes set merchant_reference = 'order_7' where dispute_id = $1`, [
      before.id,
    ]);
    world.clock.passMs(120_000);
    const analytics_id = await world.submit({ ...checkout, invoice_id: 'order_7' });
    world.clock.passMs(1_000);
    await matchAgain();
    const matched = { matches: [{ analytics_id, score: 95, reasons: ['invoice'] }] };
    expect(await shown(before.id)).toMatchObject(matched);
    world.clock.passMs(120_000);
    await paid({ charge: 'ch_reference', invoice: 'in_9', method: 'pm_reference' });
    world.clock.passMs(1_000);
    await matchAgain();
    expect(await shown(before.id)).toMatchObject({ invoice_id: 'in_9', ...matched });
    const later = await world.submit({ ...checkout, invoice_id: 'order_7', user_agent: 'a' });
    world.clock.passMs(1_000);
    await matchAgain();
    expect((await shown(before.id)).matches[0]).toMatchObject({ analytics_id: later });
  });

  it('once for each of several disputes of one charge', async () => {
    const analytics_id = await world.submit({ ...checkout, charge_id: 'ch_several' });
    for (const id of ['dp_several_1', 'dp_several_2']) {
      const found = await reported(id, { charge_id: 'ch_several' });
      expect(found.matches).toMatchObject([{ analytics_id }]);
    }
  });

  it('with the newest of equal analytics records of one customer, and keeps the others beside it', async () => {
    const older = await world.submit({ ...checkout, charge_id: 'ch_twice', user_agent: 'a' });
    world.clock.passMs(1_000);
    const newer = await world.submit({ ...checkout, charge_id: 'ch_twice', user_agent: 'b' });
    const { match_state, matches } = await reported('dp_twice', { charge_id: 'ch_twice' });
    expect(match_state).toBe('matched');
    expect(matches.map((one: { analytics_id: string }) => one.analytics_id)).toEqual([
      newer,
      older,
    ]);
  });
});

describe('the e-mail address', () => {
  const address = { customer_email: 'Ann@Example.com', customer_id: undefined };

  it('with the same card within a day is enough, alone it is for a person', async () => {
    const captured = { ...checkout, ...address, charge_id: 'ch_ann' };
    const analytics_id = await world.submit(captured);
    await paid({ charge: 'ch_ann', invoice: 'in_ann', method: 'pm_ann' });
    const charged_at = world.clock.now().toISOString();
    const ids = { charge_id: 'ch_ann_2', charged_at, customer_email: 'ann@example.com' };
    const withCard = await reported('dp_ann_1', { ...ids, payment_method_id: 'pm_ann' });
    expect(withCard).toMatchObject({
      match_state: 'matched',
      matches: [{ analytics_id, score: 51, reasons: ['email_card_time', 'email'] }],
    });
    const otherCard = await reported('dp_ann_2', { ...ids, payment_method_id: 'pm_other' });
    expect(otherCard).toMatchObject({
      match_state: 'review',
      matches: [{ analytics_id, score: 10, reasons: ['email'] }],
    });
    const later = new Date(Date.parse(charged_at) + 25 * 3_600_000).toISOString();
    const tooLate = { ...ids, payment_method_id: 'pm_ann', charged_at: later };
    expect(await reported('dp_ann_3', tooLate)).toMatchObject({ match_state: 'review' });
  });

  it.each([
    ['Ann <ann@display.example.com>', 'ann@display.example.com'],
    ['ann@xn--exmple-cua.com', 'ann@exämple.com'],
  ])('of a payer is read as that of a checkout: %s', async (told, customer_email) => {
    const analytics_id = await world.submit({ ...checkout, customer_email, charge_id: 'ch_form' });
    const ids = { charge_id: 'ch_form_2', customer_email: told };
    const found = await reported(`dp_${customer_email}`, ids);
    expect(found.matches).toMatchObject([{ analytics_id, reasons: ['email'] }]);
  });

  it('is kept of a dispute as a keyed hash alone', async () => {
    const rows = await world.rows(`select d::text as text from disputes d`);
    expect(JSON.stringify(rows).toLowerCase()).not.toContain('ann@example.com');
  });
});

describe('a person', () => {
  it('decides a conflict for good', async () => {
    const ids: string[] = [];
    for (const customer_id of ['cus_x', 'cus_y']) {
      ids.push(await world.submit({ ...checkout, charge_id: 'ch_person', customer_id }));
    }
    const found = await reported('dp_person', { charge_id: 'ch_person' });
    expect(found.match_state).toBe('conflict');
    const analytics_id = ids[0];
    const path = `/v1/disputes/${found.id}/match`;
    const { status, text } = await world.call('POST', path, { analytics_id });
    expect([status, JSON.parse(text)]).toEqual([200, { id: found.id, analytics_id }]);
    const decided = {
      match_state: 'matched',
      matched_by: 'person',
      matches: [{ analytics_id, score: 100, reasons: ['person', 'charge'] }],
    };
    expect(await shown(found.id)).toMatchObject(decided);
    // Neither another event nor another analytics record takes it back.
    await world.submit({ ...checkout, charge_id: 'ch_person', customer_id: 'cus_z' });
    expect(await reported('dp_person', { charge_id: 'ch_person' })).toMatchObject(decided);
    expect(
      await world.rows(`select actor, detail from audit_log where action = 'dispute.matched'`),
    ).toEqual([{ actor: 'merchant', detail: { dispute_id: found.id, analytics_id } }]);
  });

  it('cannot choose what is not there', async () => {
    const found = await reported('dp_absent', { charge_id: 'ch_absent' });
    const ask = (id: string, body: object) => world.call('POST', `/v1/disputes/${id}/match`, body);
    const strange = await world.submit(
      { ...checkout, charge_id: 'ch_absent' },
      { authorization: world.second.authorization },
    );
    expect((await ask('dis_none', { analytics_id: 'ana_1' })).status).toBe(404);
    for (const analytics_id of ['ana_none', strange]) {
      expect((await ask(found.id, { analytics_id })).text).toContain('no such analytics record');
    }
    expect((await ask(found.id, {})).text).toBe(
      '{"detail":[{"loc":["body","analytics_id"],"msg":"Field required","type":"missing"}]}',
    );
  });
});

it('an analytics record shows its payments and disputes, with what they have in common', async () => {
  const id = await world.submit({ ...checkout, charge_id: 'ch_seen', subscription_id: 'sub_seen' });
  world.clock.passMs(1_000);
  await paid({ charge: 'ch_seen', invoice: 'in_seen', method: 'pm_seen', sub: 'sub_seen' });
  await paid({ charge: 'ch_next', invoice: 'in_next', method: 'pm_seen', sub: 'sub_seen' });
  const found = await reported('dp_seen', { charge_id: 'ch_seen' });
  const view = JSON.parse((await world.call('GET', `/v1/analytics/${id}`)).text);
  expect(view).toMatchObject({
    missing_for_evidence: ['customer_id', 'user_agent'],
    legal_hold: true,
    payments: [
      { invoice_id: 'in_seen', psp_transaction_id: 'ch_seen', score: 100, is_inherited: false },
      { invoice_id: 'in_next', score: 80, reasons: ['subscription'], is_inherited: true },
    ],
    matches: [
      {
        dispute_id: found.id,
        state: 'needs_response',
        match_state: 'matched',
        is_the_match: true,
        score: 100,
        reasons: ['charge', 'subscription'],
        is_inherited: false,
      },
    ],
  });
});

describe('an analytics record tells when two priors are old enough', () => {
  const person = { ...checkout, customer_email: 'old@example.com', ipv4_address: '9.9.9.9' };
  const card = { method: 'pm_prior', sub: 'sub_prior' };
  const priorsOf = async (id: string) =>
    JSON.parse((await world.call('GET', `/v1/analytics/${id}`)).text).priors;
  const dayOf = (at: Date, days: number) =>
    addMs(at, days * dayMs)
      .toISOString()
      .slice(0, 10);

  it('of its renewals and of checkouts that are alike, but not of others', async () => {
    const ids = { charge_id: 'ch_prior_1', subscription_id: 'sub_prior' };
    const id = await world.submit({ ...person, ...ids });
    const first = world.clock.now();
    await paid({ charge: 'ch_prior_1', invoice: 'in_prior_1', ...card });
    // Another card, and another address: neither is alike.
    await paid({ charge: 'ch_p_card', invoice: 'in_p_card', method: 'pm_x', sub: 'sub_prior' });
    await world.submit({ ...person, ipv4_address: '9.9.9.8', charge_id: 'ch_p_ip' });
    await paid({ charge: 'ch_p_ip', invoice: 'in_p_ip', method: 'pm_prior', sub: 'sub_p_ip' });
    world.clock.passMs(30 * dayMs);
    await paid({ charge: 'ch_prior_2', invoice: 'in_prior_2', ...card });
    const second = world.clock.now();
    const found = await priorsOf(id);
    expect(found.state).toBe('matures');
    expect(found.mature_at.slice(0, 10)).toBe(dayOf(second, 120));
    expect(found.mature_until.slice(0, 10)).toBe(dayOf(first, 365));
    await reported('dp_prior', { charge_id: 'ch_prior_2' });
    expect(await priorsOf(id)).toEqual({ state: 'too_few', charges: 1 });
  });

  it('and none of an address that is private', async () => {
    const id = await world.submit({ ...person, ipv4_address: '10.0.0.1', charge_id: 'ch_prior_1' });
    expect(await priorsOf(id)).toEqual({ state: 'too_few', charges: 0 });
  });
});

describe('an analytics record that an open dispute matched', () => {
  const held = async (id: string) =>
    JSON.parse((await world.call('GET', `/v1/analytics/${id}`)).text).legal_hold;

  it('is held until the dispute is final, and can be erased then', async () => {
    const customer = { customer_id: 'cus_held', customer_email: 'held@example.com' };
    const id = await world.submit({ ...checkout, ...customer, charge_id: 'ch_held' });
    const ids = { charge_id: 'ch_held', customer_email: 'held@example.com' };
    await reported('dp_held', ids);
    expect(await held(id)).toBe(true);
    expect((await world.call('DELETE', '/v1/customers/cus_held')).status).toBe(409);
    await reported('dp_held', { ...ids, status: 'under_review' });
    expect(await held(id)).toBe(true);
    await reported('dp_held', { ...ids, status: 'lost' });
    expect(await held(id)).toBe(false);
    expect((await world.call('DELETE', '/v1/customers/cus_held')).status).toBe(200);
    const [{ email_index }] = (await world.rows(
      `select email_index from disputes where psp_dispute_id = 'dp_held'`,
    )) as [{ email_index: unknown }];
    expect(email_index).toBeNull();
  });

  it('is held while any of its disputes is open', async () => {
    const id = await world.submit({ ...checkout, charge_id: 'ch_both' });
    await reported('dp_both_1', { charge_id: 'ch_both' });
    await reported('dp_both_2', { charge_id: 'ch_both' });
    await reported('dp_both_1', { charge_id: 'ch_both', status: 'won' });
    expect(await held(id)).toBe(true);
    await reported('dp_both_2', { charge_id: 'ch_both', status: 'accepted' });
    expect(await held(id)).toBe(false);
    // Won is not the end: the second chargeback has the same id.
    await reported('dp_both_1', { charge_id: 'ch_both', stage: 'pre_arbitration' });
    expect(await held(id)).toBe(true);
  });

  it('is let go where another one turns out to be the match', async () => {
    const weaker = await world.submit({ ...checkout, subscription_id: 'sub_let_go' });
    world.clock.passMs(1_000);
    const ids = { charge_id: 'ch_let_go', subscription_id: 'sub_let_go' };
    await reported('dp_let_go', ids);
    expect(await held(weaker)).toBe(true);
    const better = await world.submit({ ...checkout, charge_id: 'ch_let_go' });
    await reported('dp_let_go', ids);
    expect([await held(weaker), await held(better)]).toEqual([false, true]);
  });
});
