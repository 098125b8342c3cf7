import { describe, expect, it } from 'vitest';
import { buildPacket } from '../../../../src/disputes/evidence/build-packet.ts';
import type { PacketContent } from '../../../../src/disputes/evidence/packet.ts';
import type { PacketFacts } from '../../../../src/disputes/evidence/packet-facts.ts';
import {
  addressText,
  eventText,
  summaryText,
} from '../../../../src/disputes/evidence/renderers/packet-texts.ts';
import { renderAdyen } from '../../../../src/disputes/evidence/renderers/render-adyen.ts';
import { renderBraintree } from '../../../../src/disputes/evidence/renderers/render-braintree.ts';
import { renderCheckout } from '../../../../src/disputes/evidence/renderers/render-checkout.ts';
import {
  charactersOf,
  renderStripe,
} from '../../../../src/disputes/evidence/renderers/render-stripe.ts';
import { takeNotes } from '../../../../src/disputes/evidence/renderers/rendered.ts';
import type { Psp } from '../../../../src/domain/psps.ts';
import { disputedCharge, elements, priorPair } from '../../../kits/dispute-cases.ts';
import { packetFacts } from '../../../kits/packet-cases.ts';

function contentAt(psp: Psp, changes: Partial<PacketFacts> = {}): PacketContent {
  const all = { psp, elements };
  return buildPacket(
    packetFacts({ disputed: disputedCharge(all), candidates: priorPair(all), ...changes }),
  ).content;
}

describe('what is left out of an answer', () => {
  it('is cut at its limit, between characters, and told', () => {
    const notes = takeNotes();
    expect(notes.cut('a', 'x'.repeat(10), 10)).toBe('x'.repeat(10));
    expect(notes.leftOut).toEqual([]);
    expect(notes.cut('b', 'x'.repeat(11), 10)).toBe(`${'x'.repeat(6)} […]`);
    expect(notes.cut('c', `xxxxx😀${'x'.repeat(9)}`, 10)).toBe('xxxxx […]');
    expect(notes.leftOut).toEqual([
      { field: 'b', why: 'cut to the 10 characters that the PSP takes, of 11' },
      { field: 'c', why: 'cut to the 10 characters that the PSP takes, of 16' },
    ]);
  });

  it('is the timeline at Checkout.com, where there is one', () => {
    const fields = (content: PacketContent) =>
      renderCheckout(content).leftOut.map(({ field }) => field);
    const content = contentAt('checkout');
    expect(fields(content)).toContain('timeline');
    expect(fields({ ...content, timeline: [] })).not.toContain('timeline');
  });

  it('is compelling evidence at Checkout.com without Visa’s rules, or what they want', () => {
    const content = contentAt('checkout');
    const whyOf = (change: Partial<PacketContent>) => {
      const { body, leftOut } = renderCheckout({ ...content, ...change });
      expect(body).toBeUndefined();
      return leftOut.find(({ field }) => field === 'compelling_evidence')?.why;
    };
    const { verdict } = content;
    const visa = 'the dispute does not meet Visa Compelling Evidence 3.0';
    expect(whyOf({ verdict: { ...verdict, eligible: false } })).toBe(visa);
    const ruleSet = { ...verdict.ruleSet, id: 'mastercard_first_party_trust' as const };
    const other =
      'Visa Compelling Evidence 3.0 is not for this reason, or the reason code is not known';
    expect(whyOf({ verdict: { ...verdict, ruleSet } })).toBe(other);
    const reason = { network: 'visa', code: '13.1', family: 'consumer' } as const;
    const dispute = { ...content.dispute, reason };
    expect(whyOf({ dispute, verdict: { ...verdict, eligible: false } })).toBe(other);
    const { merchandiseOrServices: _, ...bare } = content;
    expect(renderCheckout(bare).body).toBeUndefined();
  });

  it('is the reason for compelling evidence at Adyen that the verdict does not bear out', () => {
    const reason = (
      defenseReasonCode: string,
      requirementLevel = 'Required',
      available = false,
    ) => ({
      defenseReasonCode,
      defenseDocumentTypes: [{ defenseDocumentTypeCode: 'D', requirementLevel, available }],
    });
    const offered = [reason('Compelling'), reason('General', 'AlternativeRequired')];
    const ineligible = contentAt('adyen', { candidates: [] });
    expect(renderAdyen(ineligible, offered)).toEqual({
      body: {
        defenseReasonCode: 'General',
        documents: [{ defenseDocumentTypeCode: 'D', content: 'packet_pdf' }],
      },
      leftOut: [{ field: 'Compelling', why: 'the verdict is not eligible' }],
    });
    expect(renderAdyen(contentAt('adyen'), offered).leftOut).toEqual([]);
    // One that is not asked for is no document to give.
    expect(renderAdyen(ineligible, [reason('Other', 'Optional')]).leftOut).toEqual([
      { field: 'Other', why: 'it asks for no document' },
      { field: 'defenseReasonCode', why: 'Adyen offers no reason that the packet satisfies' },
    ]);
  });

  it('is the renewal at Braintree without an earlier charge that has its number', () => {
    const content = contentAt('braintree');
    const renewed = { ...content, charge: { ...content.charge, initiatedBy: 'merchant' as const } };
    const recurring = (given: PacketContent) =>
      renderBraintree(given)
        .body.filter(({ category }) => category.startsWith('RECURRING_'))
        .map(({ category, content: text }) => [
          category.replace('RECURRING_TRANSACTION_', ''),
          text,
        ]);
    const [prior] = content.priors;
    expect(recurring(renewed)).toEqual([
      ['ARN', prior?.arn],
      ['DATE_TIME', prior?.processedAt],
      ['ID', prior?.id],
    ]);
    expect(recurring(content)).toEqual([]);
    const without = { ...renewed, priors: renewed.priors.map((one) => ({ ...one, arn: '' })) };
    expect(recurring(without)).toEqual([]);
    expect(renderBraintree(without).leftOut).toContainEqual({
      field: 'RECURRING_TRANSACTION_ARN',
      why: 'no earlier charge with an ARN',
    });
  });

  it('is a text at Stripe that is empty', () => {
    const content = contentAt('stripe', { timeline: [], customer: { name: '' } });
    const { productDescription: _, ...charge } = content.charge;
    const { body, leftOut } = renderStripe({ ...content, charge });
    expect(body).not.toHaveProperty('access_activity_log');
    expect(body).not.toHaveProperty('product_description');
    expect(body).not.toHaveProperty('customer_name');
    expect(leftOut.map(({ field }) => field)).not.toContain('access_activity_log');
    expect(charactersOf({ a: 'xy', b: ['z', null, 7], c: { d: 'w' } })).toBe(4);
  });
});

describe('texts of a packet', () => {
  it('have of an address what there is, in one line', () => {
    const address = { line1: 'High Street 1', city: 'Leeds', postalCode: 'LS1', country: 'GB' };
    expect(addressText(address)).toBe('High Street 1, LS1 Leeds, GB');
    expect(addressText({ ...address, line2: ' ', state: 'Yorks' })).toBe(
      'High Street 1, LS1 Leeds, Yorks, GB',
    );
  });

  it('have of an event what there is, in one line', () => {
    const event = {
      at: '2026-06-01T12:34:56.000Z',
      kind: 'webhook_delivery',
      words: 'told',
    } as const;
    expect(eventText(event)).toBe('2026-06-01 12:34 UTC webhook delivery: told');
    const money = { amountMinor: 900, currency: 'EUR' };
    const whole = {
      ...event,
      reference: 're_1',
      money,
      merchantAgreedAt: '2026-06-01T11:00:00.000Z',
    };
    expect(eventText(whole)).toBe(
      '2026-06-01 12:34 UTC webhook delivery: told, 9.00 EUR, re_1, the merchant agreed at 2026-06-01 11:00 UTC',
    );
  });

  it('sum up what was charged and sold, and the earlier charges where they speak for it', () => {
    const content = contentAt('stripe');
    const lines = summaryText(content).split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(/^Acme Software Ltd: charge ch_disputed: 49\.00 EUR on 2026-06-01/);
    expect(lines[2]).toBe('Refunded: 9.00 EUR on 2026-06-02, refund re_1.');
    expect(lines[3]).toMatch(/two undisputed earlier charges of the same card share .* with it:$/);
    expect(lines[3]).not.toContain('not confirmed');
    expect(lines.slice(4).every((line) => line.startsWith('- ch_prior_'))).toBe(true);
    const { verdict } = content;
    expect(
      summaryText({ ...content, verdict: { ...verdict, eligible: false } }).split('\n'),
    ).toHaveLength(3);
    const ruleSet = { ...verdict.ruleSet, unconfirmed: true };
    expect(summaryText({ ...content, verdict: { ...verdict, ruleSet } })).toContain(
      '(figures not confirmed by the network)',
    );
    const { productDescription: _, arn: __, ...charge } = content.charge;
    expect(summaryText({ ...content, charge })).toContain('What was sold: not described.');
    expect(summaryText({ ...content, charge }).split('\n')[0]).not.toContain('ARN');
  });
});
