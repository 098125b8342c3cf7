import { describe, expect, it } from 'vitest';
import { buildPacket } from '../../../../src/disputes/evidence/build-packet.ts';
import type { PacketFacts } from '../../../../src/disputes/evidence/packet-facts.ts';
import { renderBraintree } from '../../../../src/disputes/evidence/renderers/render-braintree.ts';
import { renderCheckout } from '../../../../src/disputes/evidence/renderers/render-checkout.ts';
import { renderPaypal } from '../../../../src/disputes/evidence/renderers/render-paypal.ts';
import {
  charactersOf,
  renderStripe,
  stripeTextLimit,
  stripeTotalLimit,
} from '../../../../src/disputes/evidence/renderers/render-stripe.ts';
import { daysBeforeCharge } from '../../../kits/dispute-cases.ts';
import { packetFacts } from '../../../kits/packet-cases.ts';

const contentWith = (changes: Partial<PacketFacts>) => buildPacket(packetFacts(changes)).content;
const letter = 'Dear bank,\nthe customer used the service.';
const longest = 'y'.repeat(20_000);

describe('a rebuttal in the form of each PSP', () => {
  it('begins what Stripe is told, with the summary behind it', () => {
    const { body, leftOut } = renderStripe(contentWith({ rebuttal: letter }));
    expect(body.uncategorized_text?.startsWith(`${letter}\n\nAcme Software Ltd: charge`)).toBe(
      true,
    );
    expect(leftOut).not.toContainEqual(expect.objectContaining({ field: 'summary' }));
  });

  it('fills the field of Stripe to its last character, whole, whatever else there is', () => {
    const timeline = Array.from({ length: 3_000 }, (_, index) => ({
      at: daysBeforeCharge(index / 24),
      kind: 'renewal' as const,
      words: `Event ${index} ${'x'.repeat(60)}`,
    }));
    const { body, leftOut } = renderStripe(contentWith({ rebuttal: longest, timeline }));
    expect(body.uncategorized_text).toBe(longest);
    expect(longest).toHaveLength(stripeTextLimit);
    expect(charactersOf(body)).toBeLessThanOrEqual(stripeTotalLimit);
    expect(leftOut).toContainEqual(expect.objectContaining({ field: 'summary' }));
  });

  it('is a piece of its own at Braintree, before the summary', () => {
    const { body } = renderBraintree(contentWith({ rebuttal: longest }));
    const general = body.filter(({ category }) => category === 'GENERAL');
    expect(general.map(({ content }) => content === longest)).toEqual([true, false, false, false]);
  });

  it('is the merchant’s response at PayPal, which names the PDF where its notes are too short', () => {
    const responseTo = (rebuttal: string) => {
      const { body, leftOut } = renderPaypal(contentWith({ rebuttal }));
      const notes = body.find((one) => one.evidence_type === 'MERCHANT_RESPONSE')?.notes;
      return { notes, isNoted: leftOut.some(({ field }) => field === 'MERCHANT_RESPONSE') };
    };
    const full = 'z'.repeat(2_000);
    expect(responseTo(full)).toEqual({ notes: full, isNoted: false });
    const beyond = responseTo(`${full}z`);
    expect(beyond.notes).toContain('evidence.pdf');
    expect(beyond.isNoted).toBe(true);
  });

  it('is noted at Checkout.com as what the PDF alone holds', () => {
    const { leftOut } = renderCheckout(contentWith({ rebuttal: letter }));
    expect(leftOut).toContainEqual({ field: 'rebuttal', why: 'no field: the PDF holds it' });
  });

  it('is part of what is hashed', () => {
    const hashes = [undefined, letter, `${letter} `].map((rebuttal) => {
      const facts = packetFacts(rebuttal === undefined ? {} : { rebuttal });
      return buildPacket(facts).contentHash;
    });
    expect(new Set(hashes).size).toBe(3);
  });
});
