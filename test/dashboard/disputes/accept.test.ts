import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectSound, pressIn, useDashboard } from '../../kits/dashboard.ts';
import { disputedMerchant } from '../../kits/disputed-merchant.ts';
import { startFakeMerchant } from '../../kits/fake-merchant.ts';
import { type StripeServer, startStripeServer } from '../../kits/psps/stripe-server.ts';

const open: { close(): Promise<void> }[] = [];
let stripe: StripeServer;
let merchant: Awaited<ReturnType<typeof disputedMerchant>>;
const dashboard = useDashboard(async () => {
  stripe = await startStripeServer();
  open.push(stripe);
  return { STRIPE_URL: stripe.url };
});
afterAll(() => Promise.all(open.map((part) => part.close())));
beforeAll(async () => {
  const server = await startFakeMerchant();
  open.push(server);
  merchant = await disputedMerchant(dashboard.service, { stripe, server });
});

async function openDispute(pspDisputeId: string, changes: object = {}) {
  const id = await merchant.dispute(pspDisputeId, changes);
  const page = await dashboard.open(`/disputes/${id}`);
  await page.getByRole('heading', { name: pspDisputeId }).waitFor();
  const atStripe = stripe.world.disputes.find(pspDisputeId);
  if (atStripe === undefined) throw new Error('it is not at Stripe');
  return { page, atStripe, path: `/disputes/${id}` };
}

describe('a dispute', () => {
  test('is accepted after a question that says how much is given away, and where, for good', async () => {
    const { page, atStripe } = await openDispute('du_given');
    await page.getByRole('button', { name: 'Accept the dispute' }).click();
    const dialog = page.getByRole('dialog', { name: 'Accept the dispute?' });
    const words = await dialog.innerText();
    expect(words).toContain('Gives €49.00 back to the customer’s bank through Stripe');
    expect(words).toContain('cannot be undone');
    await expectSound(page, 'dispute-accept');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(atStripe.acceptCalls).toBe(0);
    await page.getByRole('button', { name: 'Accept the dispute' }).click();
    await pressIn(dialog, 'Accept, for good', { toast: 'The dispute is accepted.' });
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('accepted').waitFor();
    expect(await page.getByRole('button', { name: 'Submit the evidence' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Accept the dispute' }).count()).toBe(0);
    expect([atStripe.acceptances, atStripe.acceptCalls]).toEqual([1, 1]);
    await expectSound(page, 'dispute-accepted');
  });

  test('that two tabs accept at once is accepted once', async () => {
    const { page, atStripe, path } = await openDispute('du_twice');
    const other = await dashboard.open(path);
    await Promise.all(
      [page, other].map(async (tab) => {
        await tab.getByRole('button', { name: 'Accept the dispute' }).click();
        const dialog = tab.getByRole('dialog', { name: 'Accept the dispute?' });
        await pressIn(dialog, 'Accept, for good');
      }),
    );
    await page.getByRole('region', { name: 'History' }).getByText('accepted').waitFor();
    expect([atStripe.acceptances, atStripe.acceptCalls]).toEqual([1, 1]);
  });

  test('that the processor refuses to give up says why in the dialog, and stays open', async () => {
    const { page, atStripe } = await openDispute('du_refused');
    stripe.world.disputes.failNext('refused');
    await page.getByRole('button', { name: 'Accept the dispute' }).click();
    const dialog = page.getByRole('dialog', { name: 'Accept the dispute?' });
    await dialog.getByRole('button', { name: 'Accept, for good' }).click();
    await dialog.getByText(/It was not accepted: Stripe answered HTTP 400/).waitFor();
    expect(atStripe.acceptances).toBe(0);
    await pressIn(dialog, 'Cancel');
    await page.getByText('Acceptance of the chargeback').waitFor();
    expect(await page.getByRole('button', { name: 'Accept the dispute' }).count()).toBe(1);
  });

  test('that cannot be accepted says so before anybody asks', async () => {
    const { page } = await openDispute('du_inquiry', { stage: 'inquiry' });
    await page.getByText(/It cannot be accepted here\. In an inquiry no money has moved/).waitFor();
    expect(await page.getByRole('button', { name: 'Accept the dispute' }).count()).toBe(0);
    await expectSound(page, 'dispute-not-accepted');
  });
});
