import { afterAll, expect, test } from 'vitest';
import { type FakeMerchant, startFakeMerchant } from '../kits/fake-merchant.ts';
import { type StripeServer, startStripeServer } from '../kits/psps/stripe-server.ts';
import { type Service, useServices } from '../kits/service.ts';
import {
  advance,
  call,
  createMerchant,
  expectStatus,
  operatorApi,
  serviceNow,
} from '../kits/service-calls.ts';

const services = useServices();
const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((part) => part.close())));

/** A merchant with an open dispute at Stripe, in a data directory that outlives the service. */
async function disputedMerchant() {
  const stripe: StripeServer = await startStripeServer({ now: () => new Date() });
  const server: FakeMerchant = await startFakeMerchant();
  open.push(stripe, server);
  const dataDir = await services.dataDir();
  const start = () => services.start({ dataDir, env: { STRIPE_URL: stripe.url } });
  const service = await start();
  const { merchantId } = await createMerchant(service, server, {
    psps: [{ psp: 'stripe', ...stripe.credentials }],
  });
  const issued = await expectStatus(
    operatorApi(service).post(`/api/merchants/${merchantId}/credentials`, {
      kind: 'disputes_password',
    }),
    201,
  );
  const atStripe = stripe.world.disputes.open('du_killed');
  const now = (await serviceNow(service)).toISOString();
  const reported = await call(`${service.disputesUrl}/v1/disputes`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${merchantId}:${issued.text}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      ...{ psp: 'stripe', psp_dispute_id: 'du_killed', kind: 'dispute' },
      ...{ stage: 'chargeback', status: 'needs_response', amount: 49, currency: 'EUR' },
      ...{ occurred_at: now, opened_at: now },
    }),
  });
  expect(reported.status).toBe(200);
  const [listed] = (await expectStatus(operatorApi(service).get('/api/disputes'), 200)).items;
  const path = `/api/disputes/${listed.id}`;
  return { stripe, service, start, atStripe, path };
}

/** Kills the service in the moment in which Stripe has its call. */
async function killInTheCall(
  { stripe, service, path }: Pick<World, 'stripe' | 'service' | 'path'>,
  arrives: boolean,
): Promise<void> {
  const killed = new Promise<void>((resolve) => {
    stripe.beforeNext('/close', () => {
      void service.kill().then(resolve);
      if (!arrives) stripe.world.disputes.failNext('lost_before');
    });
  });
  const clicked = operatorApi(service).post(`${path}/accept`, {});
  await expect(clicked).rejects.toThrow();
  await killed;
}

type World = Awaited<ReturnType<typeof disputedMerchant>>;

/** A call may be on its way for twelve time limits of a PSP: six minutes. */
const settledWithinMinutes = 8;

/** Lets the service's time pass until the job that settles answers has looked. */
async function settled(service: Service, path: string) {
  const shown = () => expectStatus(operatorApi(service).get(path), 200);
  for (let minute = 0; minute < settledWithinMinutes; minute += 1) {
    const dispute = await shown();
    if (['accepted', 'failed'].includes(dispute.acceptance.state)) return dispute;
    await advance(service, 'PT1M');
  }
  return shown();
}

test('a service that is killed while Stripe takes an acceptance never asks for it again', async () => {
  const world = await disputedMerchant();
  await killInTheCall(world, true);
  const service = await world.start();
  const click = () => operatorApi(service).post(`${world.path}/accept`, {});
  const again = await expectStatus(click(), 202);
  expect(again.state).toBe('accepting');
  expect(await settled(service, world.path)).toMatchObject({
    status: 'accepted',
    acceptance: { state: 'accepted' },
  });
  expect((await expectStatus(click(), 200)).state).toBe('accepted');
  expect([world.atStripe.acceptances, world.atStripe.acceptCalls]).toEqual([1, 1]);
});

test('where the call never took effect, it is asked for again by a person alone', async () => {
  const world = await disputedMerchant();
  await killInTheCall(world, false);
  const service = await world.start();
  expect(await settled(service, world.path)).toMatchObject({
    status: 'needs_response',
    acceptance: { state: 'failed' },
  });
  expect([world.atStripe.acceptances, world.atStripe.acceptCalls]).toEqual([0, 1]);
  const click = operatorApi(service).post(`${world.path}/accept`, {});
  expect((await expectStatus(click, 200)).state).toBe('accepted');
  expect([world.atStripe.acceptances, world.atStripe.acceptCalls]).toEqual([1, 2]);
});
