import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMs, dayMs, minuteMs } from '../../../../src/domain/clock.ts';
import type { PspAdapter } from '../../../../src/psp/adapter.ts';
import { createAdyenAdapter } from '../../../../src/psp/adyen/adapter.ts';
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
  world.accounts.set('worldpay', { evidence: worldpayEvidence });
  await world.submit({ ...checkout, charge_id: 'ch_1' });
});
afterAll(() => open.close());

const checkout = { customer_email: 'jane@example.com', ipv4_address: '8.8.4.4', psp: 'stripe' };
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

async function submit(id: string, body?: object) {
  const { status, text } = await world.call('POST', `/v1/disputes/${id}/submit`, body);
  return { status, json: JSON.parse(text) };
}

async function shownSubmission(id: string) {
  const { text } = await world.call('GET', `/v1/disputes/${id}`);
  return JSON.parse(text).submission;
}

describe('a dispute at Stripe', () => {
  it('is staged first, then submitted, once', async () => {
    const id = await report();
    const staged = await submit(id, { stage_only: true });
    expect([staged.status, staged.json.state]).toEqual([200, 'staged']);
    expect([atStripe.staged.length, atStripe.submissions]).toEqual([1, 0]);
    expect(atStripe.staged[0]).toMatchObject({
      customer_purchase_ip: '8.8.4.4',
      customer_email_address: 'jane@example.com',
    });
    const first = await submit(id);
    expect(first).toMatchObject({
      status: 200,
      json: { state: 'submitted', stage: 'chargeback', psp: 'stripe' },
    });
    world.clock.passMs(1_000);
    expect(await submit(id)).toEqual(first);
    expect(await submit(id, { stage_only: true })).toEqual(first);
    expect(atStripe.submissions).toBe(1);
    expect(await shownSubmission(id)).toEqual(first.json);
    const { text } = await world.call('GET', `/v1/disputes/${id}/evidence`);
    expect(JSON.parse(text).content_hash).toBe(first.json.content_hash);
  });

  it('that was answered is shown its answer again, whatever has become of its account', async () => {
    const id = await report();
    const first = await submit(id);
    const account = world.accounts.get('stripe');
    world.accounts.delete('stripe');
    const again = await submit(id);
    if (account !== undefined) world.accounts.set('stripe', account);
    expect(again).toEqual(first);
  });

  it('is submitted once, whoever asks at once', async () => {
    const id = await report();
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(id)));
    expect(answers.map(({ status }) => status).sort()).toContain(200);
    expect(answers.every(({ status }) => status === 200 || status === 202)).toBe(true);
    expect(atStripe.submissions).toBe(1);
    expect((await submit(id)).json.state).toBe('submitted');
  });

  it("has a second answer in its next stage, whose row is another one's", async () => {
    const id = await report();
    await submit(id);
    atStripe.submissions = 0;
    const occurred_at = addMs(world.clock.now(), 1_000).toISOString();
    await report({ stage: 'pre_arbitration', occurred_at });
    expect((await submit(id)).json).toMatchObject({ state: 'submitted', stage: 'pre_arbitration' });
    expect(atStripe.submissions).toBe(1);
  });

  it('whose answer was lost but arrived is found in the record of Stripe', async () => {
    const id = await report();
    await submit(id, { stage_only: true });
    stripe.world.disputes.failNext('lost_after');
    expect((await submit(id)).json.state).toBe('submitted');
    expect(atStripe.submissions).toBe(1);
  });

  it('whose answer was lost is not sent again before it is certain that it did not arrive', async () => {
    const id = await report();
    await submit(id, { stage_only: true });
    stripe.world.disputes.failNext('lost_before');
    const lost = await submit(id);
    expect(lost).toMatchObject({ status: 202, json: { state: 'unknown' } });
    expect(lost.json.reason).toMatch(/connection/);
    expect((await submit(id)).status).toBe(202);
    // It arrives late after all: the record says so, and nothing is sent.
    atStripe.submissions = 1;
    world.clock.passMs(inFlightMs);
    expect((await submit(id)).json.state).toBe('submitted');
    expect(atStripe.submissions).toBe(1);
  });

  it('whose answer never arrived is sent again once that is certain', async () => {
    const id = await report();
    await submit(id, { stage_only: true });
    stripe.world.disputes.failNext('lost_before');
    expect((await submit(id)).status).toBe(202);
    world.clock.passMs(inFlightMs);
    expect((await submit(id)).json.state).toBe('submitted');
    expect(atStripe.submissions).toBe(1);
  });

  it('whose sender died is resolved by the record', async () => {
    const id = await report();
    await submit(id, { stage_only: true });
    await world.rows(
      `update dispute_submissions set state = 'submitting', updated_at = $2 where dispute_id = $1`,
      [id, world.clock.now()],
    );
    expect(await submit(id)).toMatchObject({ status: 202, json: { state: 'submitting' } });
    atStripe.submissions = 1;
    world.clock.passMs(inFlightMs);
    expect((await submit(id)).json.state).toBe('submitted');
    expect(atStripe.submissions).toBe(1);
  });

  it('that was lost and that Stripe reports as under review was answered', async () => {
    const id = await report();
    await submit(id, { stage_only: true });
    stripe.world.disputes.failNext('lost_before');
    await submit(id);
    const occurred_at = addMs(world.clock.now(), 1_000).toISOString();
    await report({ status: 'under_review', occurred_at });
    expect(await submit(id)).toMatchObject({ status: 200, json: { state: 'submitted' } });
    expect(atStripe.submissions).toBe(0);
  });

  describe('is resolved without anybody asking', () => {
    const resolve = () => world.answers.resolveDue({ at: world.clock.now(), limit: 20 });
    async function nextLookUp(id: string): Promise<Date | null> {
      const [row] = await world.rows(
        'select next_look_up_at from dispute_submissions where dispute_id = $1',
        [id],
      );
      return row?.next_look_up_at as Date | null;
    }

    async function untilNext(id: string): Promise<number> {
      const at = await nextLookUp(id);
      return at === null ? 0 : at.getTime() - world.clock.now().getTime();
    }

    async function lost(): Promise<string> {
      const id = await report();
      await submit(id, { stage_only: true });
      stripe.world.disputes.failNext('lost_before');
      expect((await submit(id)).status).toBe(202);
      return id;
    }

    it('as submitted, where the record has it, not before it is due', async () => {
      const id = await lost();
      atStripe.submissions = 1;
      await resolve();
      expect(await shownSubmission(id)).toMatchObject({ state: 'unknown' });
      world.clock.passMs(inFlightMs);
      await resolve();
      expect(await shownSubmission(id)).toMatchObject({ state: 'submitted' });
      expect(await nextLookUp(id)).toBeNull();
    });

    it('as failed, where it never arrived: nothing is sent', async () => {
      const id = await lost();
      world.clock.passMs(inFlightMs);
      await resolve();
      expect(await shownSubmission(id)).toMatchObject({
        state: 'failed',
        reason: "The PSP's record shows no answer. Submit it again.",
      });
      expect(atStripe.submissions).toBe(0);
      expect((await submit(id)).json.state).toBe('submitted');
    });

    it('by what the PSP tells meanwhile', async () => {
      const id = await lost();
      const occurred_at = addMs(world.clock.now(), 1_000).toISOString();
      await report({ status: 'under_review', occurred_at });
      world.clock.passMs(inFlightMs);
      await resolve();
      expect(await shownSubmission(id)).toMatchObject({ state: 'submitted' });
    });

    it('or waits, longer each time, until it is left to a person', async () => {
      const id = await lost();
      const account = world.accounts.get('stripe');
      world.accounts.delete('stripe');
      const waits: number[] = [];
      for (let round = 0; round < 20; round += 1) {
        world.clock.passMs(await untilNext(id));
        await resolve();
        waits.push((await untilNext(id)) / minuteMs);
      }
      expect(waits.slice(0, 4)).toEqual([1, 2, 4, 8]);
      expect([Math.max(...waits), waits.at(-1)]).toEqual([720, 0]);
      expect(await shownSubmission(id)).toMatchObject({ state: 'unknown' });
      if (account !== undefined) world.accounts.set('stripe', account);
    });

    it('not of a stage that is over', async () => {
      const id = await lost();
      const occurred_at = addMs(world.clock.now(), 1_000).toISOString();
      await report({ stage: 'pre_arbitration', status: 'under_review', occurred_at });
      world.clock.passMs(inFlightMs);
      await resolve();
      expect(await shownSubmission(id)).toMatchObject({ state: 'unknown', stage: 'chargeback' });
      expect(await nextLookUp(id)).toBeNull();
    });
  });

  it('that Stripe refuses may be tried again', async () => {
    const id = await report();
    stripe.world.disputes.failNext('refused');
    const refused = await submit(id);
    expect(refused).toEqual({
      status: 502,
      json: {
        detail: 'The PSP did not take it: Stripe answered HTTP 400 invalid_request_error',
      },
    });
    expect(await shownSubmission(id)).toMatchObject({ state: 'failed' });
    expect((await submit(id)).json.state).toBe('submitted');
  });
});

describe('a dispute at Adyen, which has no record of answers to ask', () => {
  let adyen: Awaited<ReturnType<typeof startAdyenServer>>;
  let account: PspAdapter;
  let atAdyen: TestDispute;
  let id: string;
  beforeAll(async () => {
    adyen = await startAdyenServer();
    const { url: baseUrl } = adyen;
    account = createAdyenAdapter({ baseUrl, deadlineMs: 5_000, clock: world.clock });
    world.accounts.set('adyen', account.connect(adyen.credentials));
  });
  afterAll(async () => {
    await account.close();
    await adyen.close();
  });
  beforeEach(async () => {
    atAdyen = adyen.disputes.open(pspDisputeId);
    id = await report({ psp: 'adyen' });
    await submit(id, { stage_only: true });
  });

  it('is defended with the reason for which its document was staged', async () => {
    expect(atAdyen.staged).toHaveLength(1);
    expect((await submit(id)).json.state).toBe('submitted');
    expect(atAdyen.submissions).toBe(1);
  });

  it('stays unknown where its answer was lost: asking again notes nothing and sends nothing', async () => {
    adyen.disputes.failNext('lost_before');
    expect(await submit(id)).toMatchObject({ status: 202, json: { state: 'unknown' } });
    const steps = () =>
      world.rows('select fence, updated_at from dispute_submissions where dispute_id = $1', [id]);
    const before = await steps();
    world.clock.passMs(inFlightMs);
    expect(await submit(id)).toMatchObject({ status: 202, json: { state: 'unknown' } });
    expect(await steps()).toEqual(before);
    expect(atAdyen.submissions).toBe(0);
  });
});

describe('nothing is sent', () => {
  it.each([
    [
      'after the deadline of the PSP',
      { respond_by: '2020-01-01T00:00:00Z' },
      'The PSP accepted answers until 2020-01-01T00:00:00.000Z.',
    ],
    ['of a dispute that is over', { status: 'lost' }, 'The dispute awaits no answer: it is lost.'],
    [
      'to a fraud warning',
      { kind: 'fraud_warning', stage: undefined, status: undefined },
      'A fraud warning cannot be answered; if it becomes a dispute, that can be.',
    ],
    [
      'to a PSP without a connection',
      { psp: 'paypal' },
      "There is no connection to PayPal. Connect it, or: Give it the evidence's PDF by hand.",
    ],
    [
      'to a PSP without an API',
      { psp: 'worldpay' },
      "Worldpay has no API for answers to disputes. Give it the evidence's PDF by hand.",
    ],
    [
      'without an amount',
      { amount: undefined, currency: undefined, charge_id: 'ch_gone' },
      'The amount in dispute is not known. Report it with POST /v1/disputes.',
    ],
  ])('%s', async (_name, changes, detail) => {
    const id = await report(changes);
    expect(await submit(id)).toEqual({ status: 409, json: { detail } });
    expect(await shownSubmission(id)).toBeUndefined();
    expect(atStripe.staged).toEqual([]);
  });

  it('where the deadline was reckoned and not said, it is sent', async () => {
    const long = addMs(world.clock.now(), -100 * dayMs).toISOString();
    const id = await report({ respond_by: undefined, occurred_at: long, opened_at: long });
    expect((await submit(id)).json.state).toBe('submitted');
  });

  it('of a dispute of nobody, or of another merchant', async () => {
    expect((await submit('dis_of_nobody')).status).toBe(404);
    const id = await report();
    const { authorization } = world.second;
    const answer = await world.call('POST', `/v1/disputes/${id}/submit`, {}, { authorization });
    expect(answer.status).toBe(404);
  });

  it('for a body of another form', async () => {
    const id = await report();
    expect((await submit(id, { stage_only: 'yes' })).status).toBe(422);
  });
});

it('each step stands in the audit log', async () => {
  const id = await report();
  await submit(id);
  const lines = await world.rows(
    `select actor, action from audit_log where detail ->> 'dispute_id' = $1 order by at, action`,
    [id],
  );
  expect(lines.map(({ action }) => action).sort()).toEqual([
    'dispute.staged',
    'dispute.staging',
    'dispute.submitted',
    'dispute.submitting',
  ]);
});
