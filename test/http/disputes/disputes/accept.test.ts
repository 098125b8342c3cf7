import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMs, dayMs, secondMs } from '../../../../src/domain/clock.ts';
import type { PspAdapter } from '../../../../src/psp/adapter.ts';
import { createAdyenAdapter } from '../../../../src/psp/adyen/adapter.ts';
import { worldpayAcceptance } from '../../../../src/psp/worldpay/acceptance.ts';
import { worldpayEvidence } from '../../../../src/psp/worldpay/evidence.ts';
import type { AnalyticsWorld } from '../../../kits/analytics-world.ts';
import { startAdyenServer } from '../../../kits/psps/adyen-server.ts';
import {
  openStripeDisputes,
  type StripeDisputes,
} from '../../../kits/psps/stripe/open-stripe-disputes.ts';
import type { StripeServer } from '../../../kits/psps/stripe-server.ts';
import type { TestDispute } from '../../../kits/psps/test-disputes.ts';
import { reportDispute } from '../../../kits/report-dispute.ts';

let world: AnalyticsWorld;
let stripe: StripeServer;
let open: StripeDisputes;
beforeAll(async () => {
  open = await openStripeDisputes();
  ({ world, stripe } = open);
  world.accounts.set('worldpay', { evidence: worldpayEvidence, acceptance: worldpayAcceptance });
  await world.submit({
    customer_email: 'jane@example.com',
    ipv4_address: '8.8.4.4',
    psp: 'stripe',
    charge_id: 'ch_1',
  });
});
afterAll(() => open.close());

const inFlightMs = 120_000;

let disputes = 0;
let pspDisputeId: string;
let atStripe: TestDispute;
beforeEach(() => {
  disputes += 1;
  pspDisputeId = `du_${disputes}`;
  atStripe = stripe.world.disputes.open(pspDisputeId);
});

function report(changes: object = {}): Promise<string> {
  const named = { psp: 'stripe', psp_dispute_id: pspDisputeId, charge_id: 'ch_1' };
  return reportDispute(world, { ...named, network: 'visa', reason_code: '10.4', ...changes });
}

const later = () => ({ occurred_at: addMs(world.clock.now(), 1_000).toISOString() });

async function post(id: string, what: 'accept' | 'submit', body?: object) {
  const { status, text } = await world.call('POST', `/v1/disputes/${id}/${what}`, body);
  return { status, json: JSON.parse(text) };
}
const accept = (id: string) => post(id, 'accept');
const submit = (id: string) => post(id, 'submit');

async function shown(id: string) {
  return JSON.parse((await world.call('GET', `/v1/disputes/${id}`)).text);
}

const settle = () => world.answers.resolveDue({ at: world.clock.now(), limit: 20 });

describe('a dispute at Stripe', () => {
  it('is accepted once, and ends as one that the PSP says was accepted', async () => {
    const id = await report();
    const open = await shown(id);
    expect([open.status, open.blocks_retries, open.accept_obstacle]).toEqual([
      'needs_response',
      true,
      undefined,
    ]);
    const first = await accept(id);
    expect(first).toEqual({
      status: 200,
      json: {
        state: 'accepted',
        stage: 'chargeback',
        psp: 'stripe',
        updated_at: world.clock.now().toISOString(),
      },
    });
    world.clock.passMs(1_000);
    expect(await accept(id)).toEqual(first);
    expect([atStripe.acceptances, atStripe.acceptCalls]).toEqual([1, 1]);
    const ended = await shown(id);
    expect(ended).toMatchObject({
      status: 'accepted',
      blocks_retries: false,
      acceptance: first.json,
      history: [{ status: 'needs_response' }, { status: 'accepted' }],
      accept_obstacle: { kind: 'not_open' },
    });
    expect(ended.submission).toBeUndefined();
  });

  it('stays accepted where Stripe calls it lost', async () => {
    const id = await report();
    await accept(id);
    await report({ status: 'lost', ...later() });
    await report({ status: 'lost', occurred_at: addMs(world.clock.now(), dayMs).toISOString() });
    const { status, history } = await shown(id);
    expect([status, history.length]).toEqual(['accepted', 2]);
  });

  it('that was lost without that is lost', async () => {
    const id = await report();
    stripe.world.disputes.failNext('refused');
    await accept(id);
    await report({ status: 'lost', ...later() });
    expect((await shown(id)).status).toBe('lost');
  });

  it('lets go of the analytics record that it held', async () => {
    const { text } = await world.call('POST', '/v1/analytics/', {
      customer_email: 'joe@example.com',
      ipv4_address: '8.8.4.4',
      psp: 'stripe',
      charge_id: 'ch_of_joe',
    });
    const held = async () => {
      const [row] = await world.rows('select legal_hold from analytics where analytics_id = $1', [
        JSON.parse(text).id,
      ]);
      return row?.legal_hold;
    };
    const id = await report({ charge_id: 'ch_of_joe' });
    expect(await held()).toBe(true);
    await accept(id);
    expect(await held()).toBe(false);
  });

  it('is accepted once, whoever asks at once', async () => {
    const id = await report();
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(id)));
    expect(answers.every(({ status }) => status === 200 || status === 202)).toBe(true);
    expect(atStripe.acceptCalls).toBe(1);
    expect((await accept(id)).json.state).toBe('accepted');
  });

  it('has one answer, where it is submitted and accepted at once', async () => {
    const id = await report();
    await Promise.all([accept(id), submit(id), accept(id), submit(id)]);
    expect(atStripe.submissions + atStripe.acceptances).toBe(1);
  });

  it('is accepted by itself in each of its stages', async () => {
    const id = await report();
    await accept(id);
    atStripe.acceptances = 0;
    await report({ stage: 'pre_arbitration', ...later() });
    expect(await shown(id)).toMatchObject({ status: 'needs_response', stage: 'pre_arbitration' });
    expect((await accept(id)).json).toMatchObject({ state: 'accepted', stage: 'pre_arbitration' });
    expect([atStripe.acceptances, atStripe.acceptCalls]).toEqual([1, 2]);
  });

  it('whose answer was lost but arrived is found in the record of Stripe', async () => {
    const id = await report();
    stripe.world.disputes.failNext('lost_after');
    expect((await accept(id)).json.state).toBe('accepted');
    expect(atStripe.acceptCalls).toBe(1);
    expect((await shown(id)).status).toBe('accepted');
  });

  it('whose answer was lost is not sent again before it is certain that it did not arrive', async () => {
    const id = await report();
    stripe.world.disputes.failNext('lost_before');
    const lost = await accept(id);
    expect(lost).toMatchObject({ status: 202, json: { state: 'unknown' } });
    expect((await accept(id)).status).toBe(202);
    expect(await shown(id)).toMatchObject({
      status: 'needs_response',
      obstacle: { kind: 'accepting' },
    });
    expect(await submit(id)).toEqual({
      status: 409,
      json: {
        detail:
          "The dispute is being accepted, or the PSP's answer to that was lost. Nothing can be submitted until that is settled.",
      },
    });
    // It arrives late after all: the record says so, and nothing is sent.
    atStripe.acceptances = 1;
    world.clock.passMs(inFlightMs);
    expect((await accept(id)).json.state).toBe('accepted');
    expect(atStripe.acceptCalls).toBe(1);
  });

  it('whose acceptance never arrived is accepted once that is certain, or answered', async () => {
    const [one, other] = [await report(), await report({ psp_dispute_id: `${pspDisputeId}_b` })];
    const second = stripe.world.disputes.open(`${pspDisputeId}_b`);
    for (const id of [one, other]) {
      stripe.world.disputes.failNext('lost_before');
      expect((await accept(id)).status).toBe(202);
    }
    world.clock.passMs(inFlightMs);
    expect((await accept(one)).json.state).toBe('accepted');
    expect((await submit(other)).json.state).toBe('submitted');
    expect([atStripe.acceptances, second.acceptances, second.submissions]).toEqual([1, 0, 1]);
  });

  it('that was lost and that Stripe reports as lost was accepted', async () => {
    const id = await report();
    stripe.world.disputes.failNext('lost_before');
    await accept(id);
    await report({ status: 'lost', ...later() });
    expect(await accept(id)).toMatchObject({ status: 200, json: { state: 'accepted' } });
    expect(atStripe.acceptCalls).toBe(1);
    expect((await shown(id)).status).toBe('accepted');
  });

  it.each([
    ['under_review', 'The dispute was not accepted: it is under review.'],
    ['expired', 'The dispute was not accepted: it is expired.'],
  ])('that was lost and that is %s since was not accepted', async (status, reason) => {
    const id = await report();
    stripe.world.disputes.failNext('lost_before');
    await accept(id);
    await report({ status, ...later() });
    expect((await accept(id)).status).toBe(502);
    expect((await shown(id)).acceptance).toMatchObject({ state: 'failed', reason });
    expect((await shown(id)).status).toBe(status);
  });

  describe('is settled without anybody asking', () => {
    async function lost(): Promise<string> {
      const id = await report();
      stripe.world.disputes.failNext('lost_before');
      expect((await accept(id)).status).toBe(202);
      return id;
    }

    it('as accepted, where the record has it, not before it is due', async () => {
      const id = await lost();
      atStripe.acceptances = 1;
      await settle();
      expect((await shown(id)).acceptance.state).toBe('unknown');
      world.clock.passMs(inFlightMs);
      await settle();
      expect(await shown(id)).toMatchObject({
        status: 'accepted',
        acceptance: { state: 'accepted' },
      });
    });

    it('as failed, where it never arrived: nothing is sent', async () => {
      const id = await lost();
      world.clock.passMs(inFlightMs);
      await settle();
      expect(await shown(id)).toMatchObject({
        status: 'needs_response',
        acceptance: {
          state: 'failed',
          reason: "The PSP's record shows that it was not accepted. Accept it again.",
        },
      });
      expect(atStripe.acceptCalls).toBe(1);
      expect((await accept(id)).json.state).toBe('accepted');
    });

    it('where the process died between the two, by the record', async () => {
      const id = await report();
      await world.rows(
        `insert into dispute_submissions (merchant_id, dispute_id, stage, psp, kind, state, fence,
           created_at, updated_at, next_look_up_at)
         select merchant_id, dispute_id, 'chargeback', psp, 'acceptance', 'accepting', 1,
           $2::timestamptz, $2::timestamptz, $3::timestamptz
         from disputes where dispute_id = $1`,
        [id, world.clock.now(), addMs(world.clock.now(), 40 * secondMs)],
      );
      expect(await accept(id)).toMatchObject({ status: 202, json: { state: 'accepting' } });
      expect((await submit(id)).status).toBe(409);
      atStripe.acceptances = 1;
      world.clock.passMs(inFlightMs);
      await settle();
      expect((await shown(id)).status).toBe('accepted');
      expect(atStripe.acceptCalls).toBe(0);
    });

    it('not of a stage that is over', async () => {
      const id = await lost();
      await report({ stage: 'pre_arbitration', ...later() });
      world.clock.passMs(inFlightMs);
      await settle();
      expect((await shown(id)).acceptance).toMatchObject({ state: 'unknown', stage: 'chargeback' });
    });
  });

  it('that Stripe refuses may be tried again, unless its record says that it was accepted', async () => {
    const id = await report();
    stripe.world.disputes.failNext('refused');
    expect(await accept(id)).toEqual({
      status: 502,
      json: { detail: 'It was not accepted: Stripe answered HTTP 400 invalid_request_error' },
    });
    expect((await shown(id)).status).toBe('needs_response');
    // Somebody closed it in Stripe's dashboard.
    atStripe.acceptances = 1;
    expect((await accept(id)).json.state).toBe('accepted');
    expect(atStripe.acceptCalls).toBe(1);
  });

  it('is not accepted beside evidence that is submitted or whose answer was lost', async () => {
    const answered = await report();
    await submit(answered);
    expect(await accept(answered)).toEqual({
      status: 409,
      json: {
        detail: 'Evidence was submitted, so this stage of the dispute already has its answer.',
      },
    });
    expect((await shown(answered)).accept_obstacle.kind).toBe('answered');
    pspDisputeId += '_b';
    const second = stripe.world.disputes.open(pspDisputeId);
    const doubtful = await report();
    await post(doubtful, 'submit', { stage_only: true });
    stripe.world.disputes.failNext('lost_before');
    expect((await submit(doubtful)).status).toBe(202);
    expect((await accept(doubtful)).status).toBe(409);
    expect((await shown(doubtful)).accept_obstacle.kind).toBe('answering');
    // Once it is certain that it never arrived, the dispute may be given up.
    world.clock.passMs(inFlightMs);
    expect((await accept(doubtful)).json.state).toBe('accepted');
    expect([atStripe.acceptCalls, second.acceptances, second.submissions]).toEqual([0, 1, 0]);
  });

  it('with evidence that was only staged is accepted, and then takes none', async () => {
    const id = await report();
    await post(id, 'submit', { stage_only: true });
    expect((await accept(id)).json.state).toBe('accepted');
    expect(await submit(id)).toEqual({
      status: 409,
      json: { detail: 'The dispute was accepted, so this stage already has its answer.' },
    });
    expect([atStripe.acceptances, atStripe.submissions]).toEqual([1, 0]);
  });
});

describe('a dispute at Adyen, which has no record of it to ask', () => {
  let adyen: Awaited<ReturnType<typeof startAdyenServer>>;
  let account: PspAdapter;
  let atAdyen: TestDispute;
  beforeAll(async () => {
    adyen = await startAdyenServer();
    account = createAdyenAdapter({ baseUrl: adyen.url, deadlineMs: 5_000, clock: world.clock });
    world.accounts.set('adyen', account.connect(adyen.credentials));
  });
  afterAll(async () => {
    await account.close();
    await adyen.close();
  });
  beforeEach(() => {
    atAdyen = adyen.disputes.open(pspDisputeId);
  });

  it('whose answer was lost waits for the webhook, and nothing is sent meanwhile', async () => {
    const id = await report({ psp: 'adyen' });
    adyen.disputes.failNext('lost_after');
    expect(await accept(id)).toMatchObject({ status: 202, json: { state: 'unknown' } });
    world.clock.passMs(inFlightMs);
    await settle();
    expect((await accept(id)).status).toBe(202);
    await report({ psp: 'adyen', status: 'accepted', ...later() });
    expect(await accept(id)).toMatchObject({ status: 200, json: { state: 'accepted' } });
    expect([atAdyen.acceptances, atAdyen.acceptCalls]).toEqual([1, 1]);
  });
});

describe('nothing is accepted', () => {
  it.each([
    [
      'after the deadline of the PSP',
      { respond_by: '2020-01-01T00:00:00Z' },
      'The PSP accepted answers until 2020-01-01T00:00:00.000Z.',
      'past_deadline',
    ],
    [
      'of a dispute that is over',
      { status: 'won' },
      'The dispute cannot be accepted any more: it is won.',
      'not_open',
    ],
    [
      'of a fraud warning',
      { kind: 'fraud_warning', stage: undefined, status: undefined },
      'A fraud warning cannot be accepted; a refund may keep it from becoming a dispute.',
      'no_dispute',
    ],
    [
      'at a PSP without a connection',
      { psp: 'paypal' },
      "There is no connection to PayPal. Connect it, or: Accept it in the PSP's dashboard.",
      'not_connected',
    ],
    [
      'at a PSP without an API',
      { psp: 'worldpay' },
      "Worldpay has no API to accept disputes. Accept it in the PSP's dashboard.",
      'by_hand',
    ],
    [
      'in a stage that the PSP lets nobody accept',
      { stage: 'inquiry' },
      'In an inquiry no money has moved: refund the charge at Stripe, which ends it.',
      'not_in_this_stage',
    ],
  ])('%s, and that is said before', async (_name, changes, detail, kind) => {
    const id = await report(changes);
    expect((await shown(id)).accept_obstacle).toEqual({ kind, message: detail });
    expect(await accept(id)).toEqual({ status: 409, json: { detail } });
    expect((await shown(id)).acceptance).toBeUndefined();
    expect(atStripe.acceptCalls).toBe(0);
  });

  it('of nobody, or of another merchant', async () => {
    expect((await accept('dis_of_nobody')).status).toBe(404);
    const id = await report();
    const { authorization } = world.second;
    const answer = await world.call('POST', `/v1/disputes/${id}/accept`, {}, { authorization });
    expect(answer.status).toBe(404);
    expect(atStripe.acceptCalls).toBe(0);
  });
});

it('each step stands in the audit log, with who took it', async () => {
  const id = await report();
  stripe.world.disputes.failNext('refused');
  await accept(id);
  await accept(id);
  const lines = await world.rows(
    `select actor, action from audit_log where detail ->> 'dispute_id' = $1 order by line`,
    [id],
  );
  expect(lines).toEqual(
    ['accepting', 'acceptance_failed', 'accepting', 'accepted'].map((step) => ({
      actor: 'merchant',
      action: `dispute.${step}`,
    })),
  );
});

it('the database lets a stage have one answer, whatever a release from before writes', async () => {
  const id = await report();
  await accept(id);
  const write = (set: string) =>
    world.rows(`update dispute_submissions set ${set} where dispute_id = $1`, [id]);
  await expect(
    write(`state = 'staging', content_hash = repeat('0', 64), fence = fence + 1`),
  ).rejects.toThrow(/dispute_submissions_kind_state/);
  await expect(
    world.rows(
      `insert into dispute_submissions (merchant_id, dispute_id, stage, psp, state, content_hash,
         fence, created_at, updated_at)
       select merchant_id, dispute_id, stage, psp, 'staging', repeat('0', 64), 1, updated_at, updated_at
       from dispute_submissions where dispute_id = $1`,
      [id],
    ),
  ).rejects.toThrow(/dispute_submissions_pkey/);
});
