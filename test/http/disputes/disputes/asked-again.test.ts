import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../../../src/domain/clock.ts';
import type { PspAdapter } from '../../../../src/psp/adapter.ts';
import { createPaypalAdapter } from '../../../../src/psp/paypal/adapter.ts';
import { type AnalyticsWorld, openAnalyticsWorld } from '../../../kits/analytics-world.ts';
import {
  type PaypalServer,
  paypalCredentials,
  startPaypalServer,
} from '../../../kits/psps/paypal-server.ts';
import type { TestDispute } from '../../../kits/psps/test-disputes.ts';

let world: AnalyticsWorld;
let paypal: PaypalServer;
let adapter: PspAdapter;
beforeAll(async () => {
  world = await openAnalyticsWorld();
  paypal = await startPaypalServer();
  adapter = createPaypalAdapter({ baseUrl: paypal.url, deadlineMs: 5_000, clock: world.clock });
  world.accounts.set('paypal', adapter.connect(paypalCredentials));
});
afterAll(async () => {
  await adapter.close();
  await paypal.close();
  await world.close();
});

let disputes = 0;
let pspDisputeId: string;
let atPaypal: TestDispute;
beforeEach(() => {
  disputes += 1;
  pspDisputeId = `PP-D-${disputes}`;
  atPaypal = paypal.answered.open(pspDisputeId);
});

async function call(method: string, path: string, body?: object) {
  const { status, text } = await world.call(method, `/v1/disputes${path}`, body);
  return { status, json: JSON.parse(text) };
}

/** What PayPal tells of the dispute, an hour after what it told before. */
async function told(status: 'needs_response' | 'under_review'): Promise<string> {
  world.clock.passMs(hourMs);
  const now = world.clock.now();
  const { json } = await call('POST', '', {
    psp: 'paypal',
    psp_dispute_id: pspDisputeId,
    kind: 'dispute',
    stage: 'chargeback',
    status,
    occurred_at: now.toISOString(),
    opened_at: now.toISOString(),
    respond_by: addMs(now, 10 * dayMs).toISOString(),
    amount: 49,
    currency: 'EUR',
    transaction_id: `8RT${disputes}`,
  });
  return json.id;
}

/** Answered, looked at, and asked for more. */
async function askedAgain(): Promise<string> {
  const id = await told('needs_response');
  expect((await call('POST', `/${id}/submit`)).json.state).toBe('submitted');
  atPaypal.givenAt = world.clock.now().toISOString();
  await told('under_review');
  await told('needs_response');
  atPaypal.asks = 2;
  return id;
}

describe('a dispute that PayPal asks for more evidence of, in the same stage', () => {
  it('is answered once more, and then no more', async () => {
    const id = await askedAgain();
    const shown = await call('GET', `/${id}`);
    expect(shown.json.submission).toMatchObject({ state: 'submitted', is_asked_again: true });
    expect(shown.json.accept_obstacle).toBeUndefined();
    world.clock.passMs(hourMs);
    const again = await call('POST', `/${id}/submit`);
    expect(again).toMatchObject({ status: 200, json: { state: 'submitted' } });
    expect(again.json.submitted_at).toBe(world.clock.now().toISOString());
    expect(await call('POST', `/${id}/submit`)).toEqual(again);
    expect(atPaypal.submissions).toBe(2);
    expect((await call('GET', `/${id}`)).json.submission).not.toHaveProperty('is_asked_again');
  });

  it('takes a new letter to go with it', async () => {
    const id = await askedAgain();
    const letter = { rebuttal: 'The parcel was signed for.' };
    expect((await call('POST', `/${id}/evidence`, letter)).status).toBe(200);
    await call('POST', `/${id}/submit`);
    expect(JSON.stringify(atPaypal.staged)).toContain('The parcel was signed for.');
    expect((await call('POST', `/${id}/evidence`, letter)).status).toBe(409);
  });

  it('is shown its first answer where PayPal awaits nothing, as after one by other means', async () => {
    const id = await askedAgain();
    atPaypal.asks = 1;
    const first = await call('POST', `/${id}/submit`);
    expect(first).toMatchObject({ status: 200, json: { state: 'submitted' } });
    expect(atPaypal.submissions).toBe(1);
  });

  it('whose second answer was lost is not found in the first one', async () => {
    const id = await askedAgain();
    paypal.answered.failNext('lost_before');
    expect((await call('POST', `/${id}/submit`)).json.state).toBe('unknown');
    world.clock.passMs(hourMs);
    expect((await call('POST', `/${id}/submit`)).json.state).toBe('submitted');
    expect(atPaypal.submissions).toBe(2);
  });

  it('may be accepted instead', async () => {
    const id = await askedAgain();
    const accepted = await call('POST', `/${id}/accept`);
    expect(accepted).toMatchObject({ status: 200, json: { state: 'accepted' } });
    expect([atPaypal.submissions, atPaypal.acceptances]).toEqual([1, 1]);
  });
});

it('a dispute that is only told of again has its one answer', async () => {
  const id = await told('needs_response');
  const first = await call('POST', `/${id}/submit`);
  await told('needs_response');
  atPaypal.asks = 2;
  expect(await call('POST', `/${id}/submit`)).toEqual(first);
  expect(atPaypal.submissions).toBe(1);
});
