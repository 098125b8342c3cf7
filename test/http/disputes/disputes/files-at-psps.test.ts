import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Psp } from '../../../../src/domain/psps.ts';
import type { PspAdapter } from '../../../../src/psp/adapter.ts';
import { createAdyenAdapter } from '../../../../src/psp/adyen/adapter.ts';
import { createBraintreeAdapter } from '../../../../src/psp/braintree/adapter.ts';
import { type AnalyticsWorld, openAnalyticsWorld } from '../../../kits/analytics-world.ts';
import { flightsOnly } from '../../../kits/psps/adyen-disputes.ts';
import { startAdyenServer } from '../../../kits/psps/adyen-server.ts';
import { type BraintreeServer, startBraintreeServer } from '../../../kits/psps/braintree-server.ts';
import type { TestDispute } from '../../../kits/psps/test-disputes.ts';
import { reportDispute } from '../../../kits/report-dispute.ts';

let world: AnalyticsWorld;
let adyen: Awaited<ReturnType<typeof startAdyenServer>>;
let braintree: BraintreeServer;
const adapters: PspAdapter[] = [];
beforeAll(async () => {
  world = await openAnalyticsWorld();
  adyen = await startAdyenServer();
  braintree = await startBraintreeServer(() => world.clock.now());
  const at = (baseUrl: string) => ({ baseUrl, deadlineMs: 5_000, clock: world.clock });
  const [toAdyen, toBraintree] = [
    createAdyenAdapter(at(adyen.url)),
    createBraintreeAdapter(at(braintree.url)),
  ];
  adapters.push(toAdyen, toBraintree);
  world.accounts.set('adyen', toAdyen.connect(adyen.credentials));
  world.accounts.set('braintree', toBraintree.connect(braintree.credentials));
});
afterAll(async () => {
  await Promise.all(adapters.map((adapter) => adapter.close()));
  await adyen.close();
  await braintree.close();
  await world.close();
});

let disputes = 0;
let id: string;
beforeEach(() => {
  disputes += 1;
});

function report(psp: Psp, pspDisputeId: string): Promise<string> {
  const named = { psp, psp_dispute_id: pspDisputeId, charge_id: `ch_${disputes}` };
  return reportDispute(world, { ...named, network: 'visa', reason_code: '13.1' });
}

// Their order is that of their times.
async function attach(kind: string): Promise<{ readonly id: string; readonly goes_to: string }> {
  world.clock.passMs(1_000);
  const path = `/v1/disputes/${id}/attachments?kind=${kind}`;
  const bytes = Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    randomBytes(900),
    Buffer.from('\n%%EOF\n'),
  ]);
  const { status, text } = await world.call('POST', path, bytes, {
    'content-type': 'application/pdf',
  });
  if (status !== 200) throw new Error(text);
  return JSON.parse(text);
}

async function submit(body?: object) {
  const { status, text } = await world.call('POST', `/v1/disputes/${id}/submit`, body);
  return { status, json: JSON.parse(text), text };
}

const remove = (file: string) => world.call('DELETE', `/v1/disputes/${id}/attachments/${file}`);

describe('files for Adyen', () => {
  let atAdyen: TestDispute;
  beforeEach(async () => {
    atAdyen = adyen.disputes.open(`ADY${disputes}`);
    id = await report('adyen', `ADY${disputes}`);
  });
  const types = () =>
    (atAdyen.staged as { defenseDocumentTypeCode: string }[]).map(
      (one) => one.defenseDocumentTypeCode,
    );

  it('say where they may go, and are documents of the reason that has most of them', async () => {
    const { goes_to: place } = await attach('receipt');
    expect(place).toContain('TIDorInvoice');
    expect(place).toContain('as far as the reason that Adyen offers has it');
    expect((await submit({ stage_only: true })).json.state).toBe('staged');
    expect(types()).toEqual(['DefenseMaterial', 'TIDorInvoice']);
    expect((await submit()).json.state).toBe('submitted');
    expect(atAdyen.submissions).toBe(1);
  });

  it('of a type that it does not take stay here, which is said before and of the evidence', async () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR....IEND', 'latin1');
    const path = `/v1/disputes/${id}/attachments?kind=receipt`;
    const added = await world.call('POST', path, png, { 'content-type': 'image/png' });
    const why = 'Adyen does not accept PNG: convert it to PDF.';
    expect(JSON.parse(added.text).why_not).toBe(why);
    const { text } = await world.call('GET', `/v1/disputes/${id}/evidence`);
    expect(JSON.parse(text).psp_evidence.left_out).toContainEqual({
      field: 'attachment 1 (receipt)',
      why,
    });
    expect((await submit()).json.state).toBe('submitted');
    expect(types()).toEqual(['DefenseMaterial']);
  });

  it('that are taken away leave no document there, and the others their own', async () => {
    const receipt = await attach('receipt');
    await submit({ stage_only: true });
    await remove(receipt.id);
    await attach('service_documentation');
    expect((await submit({ stage_only: true })).json.state).toBe('staged');
    expect(types()).toEqual(['DefenseMaterial', 'GoodsOrServicesProvided']);
    expect((await submit()).json.state).toBe('submitted');
  });

  it('for which no reason has documents are told of before anything is sent', async () => {
    for (const kind of ['receipt', 'contract', 'other']) await attach(kind);
    const { status, text } = await submit();
    expect(status).toBe(409);
    expect(text).toMatch(/SupplyDefenseMaterial: it has no document for attachment 3 \(\w+\)/);
    expect([atAdyen.staged, atAdyen.submissions]).toEqual([[], 0]);
    const shown = JSON.parse((await world.call('GET', `/v1/disputes/${id}`)).text);
    expect(shown.submission).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('No reason that Adyen offers can be used.'),
    });
  });

  it('that are required and missing are named before anything is sent', async () => {
    const pspDisputeId = `ADY${disputes}${flightsOnly}`;
    const flights = adyen.disputes.open(pspDisputeId);
    id = await report('adyen', pspDisputeId);
    const { status, text } = await submit();
    expect(status).toBe(409);
    expect(text).toContain('AIRLINECOMPELLINGEVIDENCE: it requires FlightTookPlace');
    expect([flights.staged, flights.submissions]).toEqual([[], 0]);
  });

  it('one of which it refuses lie there again in full once that one is gone', async () => {
    const receipt = await attach('receipt');
    await submit({ stage_only: true });
    const other = await attach('contract');
    adyen.disputes.refuseNextFile();
    expect((await submit()).status).toBe(502);
    await remove(other.id);
    await remove(receipt.id);
    expect((await submit()).json.state).toBe('submitted');
    expect(types()).toEqual(['DefenseMaterial']);
  });
});

describe('files for Braintree', () => {
  let atBraintree: TestDispute;
  beforeEach(async () => {
    atBraintree = braintree.disputes.open(`bt_${disputes}`);
    braintree.disputes.files.length = 0;
    id = await report('braintree', `bt_${disputes}`);
  });
  const categories = () =>
    (atBraintree.staged as { document_upload_id?: string; category: string }[])
      .filter((piece) => piece.document_upload_id !== undefined)
      .map(({ category }) => category);

  it('are uploaded once, added once, and sent on', async () => {
    await attach('shipping_documentation');
    await attach('receipt');
    await submit({ stage_only: true });
    expect(categories()).toEqual(['PROOF_OF_DELIVERY', 'GENERAL']);
    await attach('contract');
    expect((await submit()).json.state).toBe('submitted');
    expect(categories()).toEqual(['PROOF_OF_DELIVERY', 'GENERAL', 'GENERAL']);
    expect(braintree.disputes.files).toHaveLength(3);
    expect(atBraintree.submissions).toBe(1);
  });

  it('that are taken away here are removed there', async () => {
    const receipt = await attach('receipt');
    await attach('shipping_documentation');
    await submit({ stage_only: true });
    await remove(receipt.id);
    expect((await submit()).json.state).toBe('submitted');
    expect(categories()).toEqual(['PROOF_OF_DELIVERY']);
  });
});
