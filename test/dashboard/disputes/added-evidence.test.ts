import { beforeAll, expect, test } from 'vitest';
import { dayMs } from '../../../src/domain/clock.ts';
import { choose, expectSound, pressIn, useDashboard } from '../../kits/dashboard.ts';
import { startFakeMerchant } from '../../kits/fake-merchant.ts';
import {
  call,
  createMerchant,
  expectStatus,
  operatorApi,
  serviceNow,
} from '../../kits/service-calls.ts';

const dashboard = useDashboard();

/** A dispute that awaits its answer. */
beforeAll(async () => {
  const { service } = dashboard;
  const server = await startFakeMerchant();
  const { merchantId } = await createMerchant(service, server, { name: 'Acme' });
  await server.close();
  const { text } = await expectStatus(
    operatorApi(service).post(`/api/merchants/${merchantId}/credentials`, {
      kind: 'disputes_password',
    }),
    201,
  );
  const basic = Buffer.from(`${merchantId}:${text}`).toString('base64');
  const now = (await serviceNow(service)).toISOString();
  await expectStatus(
    call(`${service.disputesUrl}/v1/disputes`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        psp: 'paypal',
        psp_dispute_id: 'PP-D-1',
        kind: 'dispute',
        stage: 'chargeback',
        status: 'needs_response',
        occurred_at: now,
        opened_at: now,
        respond_by: new Date(Date.parse(now) + 5 * dayMs).toISOString(),
        amount: 49,
        currency: 'EUR',
        transaction_id: '8RT1',
      }),
    }),
    200,
  );
});

async function openAdded() {
  const page = await dashboard.open('/disputes');
  await page.getByRole('link', { name: 'PP-D-1' }).click();
  await page.getByRole('button', { name: 'Add to the evidence' }).click();
  const letter = page.getByRole('textbox', { name: 'Letter to the issuer' });
  await letter.waitFor();
  return { page, letter };
}

test('a letter says what is left and where it goes, is kept, and stands in the evidence', async () => {
  const { page, letter } = await openAdded();
  const save = page.getByRole('button', { name: 'Save the letter' });
  expect(await save.isDisabled()).toBe(true);
  await letter.fill('Dear bank,\nthe customer used the service on 3 June.');
  await page.getByText('19,949 characters left.').waitFor();
  await page.getByText('The processor’s own field takes 2,000.').waitFor();
  await save.click();
  await page.getByText('The letter is kept.').waitFor();
  await page.getByText('It goes to the notes of MERCHANT_RESPONSE.').waitFor();
  await expectSound(page, 'dispute-letter');
  await page.getByRole('button', { name: 'Preview the evidence' }).click();
  await page.getByText('As PayPal gets it').click();
  await page.getByText('MERCHANT_RESPONSE').last().waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Add to the evidence' }).click();
  await letter.waitFor();
  expect(await letter.inputValue()).toBe('Dear bank,\nthe customer used the service on 3 June.');
});

test('a letter that is too long says by how much, and is not sent', async () => {
  const { page, letter } = await openAdded();
  await letter.fill('x'.repeat(2_001));
  await page.getByText('a longer letter goes into the PDF').waitFor();
  await letter.fill('x'.repeat(20_003));
  await page.getByText('3 characters too many.').waitFor();
  await letter.fill('x'.repeat(20_001));
  await page.getByText('1 character too many.').waitFor();
  expect(await page.getByRole('button', { name: 'Save the letter' }).isDisabled()).toBe(true);
  expect(await letter.getAttribute('aria-invalid')).toBe('true');
  await letter.fill(`${'x\n'.repeat(401)}x`);
  await page.getByRole('button', { name: 'Save the letter' }).click();
  await page.getByText('A rebuttal may have at most 400 lines; this one has 402.').waitFor();
});

test('a letter that somebody else saved meanwhile is shown, and not replaced unseen', async () => {
  const [mine, theirs] = [await openAdded(), await openAdded()];
  await mine.letter.fill('My letter.');
  await theirs.letter.fill('Their letter.');
  await theirs.page.getByRole('button', { name: 'Save the letter' }).click();
  await theirs.page.getByText('The letter is kept.').waitFor();
  await mine.page.getByRole('button', { name: 'Save the letter' }).click();
  const other = mine.page.getByRole('region', { name: 'The letter was changed' });
  await other.getByText('Their letter.').waitFor();
  await expectSound(mine.page, 'dispute-letter-changed');
  await other.getByRole('button', { name: 'Use theirs' }).click();
  expect(await mine.letter.inputValue()).toBe('Their letter.');
  await mine.letter.fill('Their letter, and mine.');
  await mine.page.getByRole('button', { name: 'Save the letter' }).click();
  await mine.page.getByText('The letter is kept.').waitFor();
  await theirs.letter.fill('Theirs again.');
  await theirs.page.getByRole('button', { name: 'Save the letter' }).click();
  await theirs.page.getByText('Their letter, and mine.').waitFor();
  await theirs.page.getByRole('button', { name: 'Continue with mine' }).click();
  await theirs.page.getByRole('button', { name: 'Save the letter' }).click();
  await theirs.page.getByText('The letter is kept.').last().waitFor();
  await mine.page.reload();
  await mine.page.getByRole('button', { name: 'Add to the evidence' }).click();
  await mine.letter.waitFor();
  expect(await mine.letter.inputValue()).toBe('Theirs again.');
});

test('a refused letter is named by its label', async () => {
  const { page, letter } = await openAdded();
  await letter.fill('Dear bank\u0000');
  await page.getByRole('button', { name: 'Save the letter' }).click();
  await page.getByText('Letter to the issuer: String should not contain NUL').waitFor();
});

const pdf = (text: string) => ({
  name: `${text}.pdf`,
  mimeType: 'application/pdf',
  buffer: Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`),
});

test('files are added by a button, say where they go, are saved and removed', async () => {
  const { page } = await openAdded();
  const files = page.getByRole('region', { name: 'Files' });
  await files.getByText('There is no file yet.').waitFor();
  await choose(page, 'What it shows', 'Contract');
  await files.locator('input[type=file]').setInputFiles([pdf('Terms'), pdf('Order')]);
  await page.getByText('The files are added.').waitFor();
  const list = files.getByRole('listitem');
  await list.first().waitFor();
  expect(await list.count()).toBe(2);
  expect(await files.innerText()).toContain('Contract, 21 bytes');
  expect(await files.innerText()).toContain('goes to COPY_OF_CONTRACT');
  await expectSound(page, 'dispute-files');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    files.getByRole('button', { name: 'Terms.pdf', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Terms.pdf');
  await files.getByRole('button', { name: 'Remove Terms.pdf' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove the file?' });
  await dialog.waitFor();
  await expectSound(page, 'dispute-remove-file');
  await pressIn(dialog, 'Remove');
  await page.getByText('The file is removed.').waitFor();
  await expect.poll(() => list.count()).toBe(1);
});

test('files are dropped, and what is none or too large is refused in words', async () => {
  const { page } = await openAdded();
  const files = page.getByRole('region', { name: 'Files' });
  await files.waitFor();
  const drop = async (name: string, text: string) => {
    // Read in the page, whose names this side does not have.
    const file = `new File([${JSON.stringify(text)}], ${JSON.stringify(name)})`;
    const transfer = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(${file}); return data; })()`,
    );
    await files.locator('.file-drop').dispatchEvent('drop', { dataTransfer: transfer });
  };
  await drop('Dropped.pdf', '%PDF-1.7\ndropped\n%%EOF\n');
  await files.getByRole('button', { name: 'Dropped.pdf', exact: true }).waitFor();
  await drop('page.pdf', '<html>no</html>');
  await files.getByText('The bytes are not those of a PDF, a PNG or a JPEG.').waitFor();
  await drop('large.pdf', `%PDF-1.7${' '.repeat(5_000_000)}%%EOF`);
  await files.getByText('large.pdf has 5,000,013 bytes; a file may have 5,000,000.').waitFor();
  await expectSound(page, 'dispute-files-refused');
});
