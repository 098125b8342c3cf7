import { afterAll, beforeAll, expect, test } from 'vitest';
import { choose, expectSound, pressIn, useDashboard } from '../../kits/dashboard.ts';
import { disputedMerchant } from '../../kits/disputed-merchant.ts';
import { startFakeMerchant } from '../../kits/fake-merchant.ts';
import { type StripeServer, startStripeServer } from '../../kits/psps/stripe-server.ts';
import { expectStatus, operatorApi } from '../../kits/service-calls.ts';

const open: { close(): Promise<void> }[] = [];
let stripe: StripeServer;
let id: string;
let undatedId: string;
const dashboard = useDashboard(async () => {
  stripe = await startStripeServer();
  open.push(stripe);
  return { STRIPE_URL: stripe.url };
});
afterAll(() => Promise.all(open.map((part) => part.close())));
beforeAll(async () => {
  const { service } = dashboard;
  const server = await startFakeMerchant();
  open.push(server);
  const merchant = await disputedMerchant(service, { stripe, server });
  id = await merchant.dispute('du_of_ann');
  await merchant.dispute('du_of_nobody');
  const unknown = { network: undefined, reason_code: undefined, respond_by: undefined };
  undatedId = await merchant.dispute('du_undated', { psp: 'sandbox', ...unknown });
  for (const name of ['Ann', 'Bob']) {
    const who = { name, role: 'disputes' };
    await expectStatus(operatorApi(service).post('/api/operators', who), 201);
  }
});

test('a dispute is given to somebody on its page, and found by whose work it is', async () => {
  const page = await dashboard.open(`/disputes/${id}`);
  await choose(page, 'Assigned to', 'Ann');
  await page.getByRole('status').getByText('Ann works on it.').waitFor();
  await page.reload();
  await page.getByRole('combobox', { name: 'Assigned to' }).getByText('Ann').waitFor();
  await expectSound(page, 'dispute-assigned');
  await page.goto(new URL('/disputes', page.url()).href);
  const table = page.getByRole('table', { name: 'Disputes', exact: true });
  await table.getByRole('row', { name: /du_of_ann.* Ann / }).waitFor();
  await table.getByRole('row', { name: /du_of_nobody.*nobody/ }).waitFor();
  await expectSound(page, 'disputes-assigned');
  const shown = () => table.locator('[data-row]').allInnerTexts();
  await choose(page, 'Assigned to', 'Nobody');
  await expect.poll(shown).toEqual(['du_of_nobody', 'du_undated']);
  await choose(page, 'Assigned to', 'Ann');
  await expect.poll(shown).toEqual(['du_of_ann']);
  // Bob has none.
  await choose(page, 'Assigned to', 'Bob');
  await page.getByRole('heading', { name: 'No dispute needs an answer' }).waitFor();
  await page.goto(new URL(`/disputes/${id}`, page.url()).href);
  await choose(page, 'Assigned to', 'Nobody');
  await page.getByRole('status').getByText('Nobody works on it.').waitFor();
});

test('one whose deadline nobody told is not said to need no answer', async () => {
  const page = await dashboard.open(`/disputes/${undatedId}`);
  await page.getByText('not known: look it up there').waitFor();
  await page.goto(new URL('/disputes', page.url()).href);
  const table = page.getByRole('table', { name: 'Disputes', exact: true });
  await table.getByRole('row', { name: /du_undated.*not known/ }).waitFor();
});

test('a note is written, stands with its author, and is removed after a question', async () => {
  const page = await dashboard.open(`/disputes/${id}`);
  const notes = page.getByRole('region', { name: 'Notes' });
  await notes.getByText('Nobody has noted anything yet.').waitFor();
  const add = notes.getByRole('button', { name: 'Add the note' });
  expect(await add.isDisabled()).toBe(true);
  await notes.getByRole('textbox', { name: 'New note' }).fill('rung: \u0007');
  await add.click();
  await notes.getByText('New note: Enter 1 to 2000 characters').waitFor();
  for (const text of ['Called the customer.\nNo answer.', 'The carrier has the signature.']) {
    await notes.getByRole('textbox', { name: 'New note' }).fill(text);
    await add.click();
    await notes
      .locator('.note-text')
      .filter({ hasText: text.slice(0, 12) })
      .waitFor();
    const typed = () => notes.getByRole('textbox', { name: 'New note' }).inputValue();
    await expect.poll(typed).toBe('');
  }
  // A double click is one note.
  await notes.getByRole('textbox', { name: 'New note' }).fill('Rung twice.');
  await add.dblclick();
  const twice = notes.getByRole('listitem').filter({ hasText: 'Rung twice.' });
  await twice.first().waitFor();
  await page.reload();
  await notes.getByText('The carrier has the signature.').waitFor();
  expect(await twice.count()).toBe(1);
  await twice.getByRole('button', { name: /^Remove/ }).click();
  await pressIn(page.getByRole('dialog', { name: 'Remove the note?' }), 'Remove');
  await twice.waitFor({ state: 'detached' });
  await page.reload();
  await expect
    .poll(() => notes.locator('.note-text').allInnerTexts())
    .toEqual(['Called the customer.\nNo answer.', 'The carrier has the signature.']);
  await expectSound(page, 'dispute-notes');
  await notes
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Remove the note?' });
  await dialog.waitFor();
  await expectSound(page, 'dispute-note-removed');
  await pressIn(dialog, 'Remove');
  await expect
    .poll(() => notes.locator('.note-text').allInnerTexts())
    .toEqual(['The carrier has the signature.']);
});
