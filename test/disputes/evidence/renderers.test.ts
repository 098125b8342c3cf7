import { describe, expect, test } from 'vitest';
import { buildPacket } from '../../../src/disputes/evidence/build-packet.ts';
import type { PacketFacts } from '../../../src/disputes/evidence/packet-facts.ts';
import { renderBraintree } from '../../../src/disputes/evidence/renderers/render-braintree.ts';
import { renderCheckout } from '../../../src/disputes/evidence/renderers/render-checkout.ts';
import {
  paypalNotesLimit,
  renderPaypal,
} from '../../../src/disputes/evidence/renderers/render-paypal.ts';
import {
  charactersOf,
  renderStripe,
  stripeTextLimit,
  stripeTotalLimit,
} from '../../../src/disputes/evidence/renderers/render-stripe.ts';
import type { Psp } from '../../../src/domain/psps.ts';
import { daysBeforeCharge, disputedCharge, elements, priorPair } from '../../kits/dispute-cases.ts';
import { packetFacts } from '../../kits/packet-cases.ts';

const shippingAddress = {
  line1: 'High Street 1',
  city: 'Leeds',
  state: 'West Yorkshire',
  postalCode: 'LS1',
  country: 'GB',
};

function contentAt(psp: Psp, changes: Partial<PacketFacts> = {}) {
  const all = { psp, elements: { ...elements, login: 'jane', shippingAddress } };
  return buildPacket(
    packetFacts({ disputed: disputedCharge(all), candidates: priorPair(all), ...changes }),
  ).content;
}

const longTimeline = Array.from({ length: 3_000 }, (_, index) => ({
  at: daysBeforeCharge(index / 24),
  kind: 'renewal' as const,
  words: `Event ${index} ${'x'.repeat(60)}`,
}));

describe('Stripe', () => {
  test('gets both the ordinary fields and the enhanced evidence', () => {
    const { body, leftOut } = renderStripe(contentAt('stripe'));
    expect(leftOut).toEqual([]);
    expect(body).toMatchObject({
      customer_email_address: 'jane@example.com',
      customer_purchase_ip: '81.2.69.142',
      service_date: '2026-06-01',
      shipping_address: 'High Street 1, LS1 Leeds, West Yorkshire, GB',
    });
    const charge = {
      customer_account_id: 'jane',
      customer_device_id: 'device-0123456789',
      customer_email_address: 'jane@example.com',
      customer_purchase_ip: '81.2.69.142',
      product_description: 'Acme Pro, one month',
      shipping_address: {
        line1: 'High Street 1',
        city: 'Leeds',
        state: 'West Yorkshire',
        postal_code: 'LS1',
        country: 'GB',
      },
    };
    expect(body.enhanced_evidence?.visa_compelling_evidence_3).toEqual({
      disputed_transaction: { ...charge, merchandise_or_services: 'services' },
      prior_undisputed_transactions: [
        { charge: 'ch_prior_1', ...charge },
        { charge: 'ch_prior_2', ...charge },
      ],
    });
  });

  test('what is not equal over the three charges stays out of the enhanced evidence', () => {
    const of = (deviceId: string) => ({ elements: { ...elements, deviceId } });
    const content = buildPacket(
      packetFacts({
        disputed: disputedCharge(of('device-aaaaaaaaaaaa')),
        candidates: priorPair(of('device-bbbbbbbbbbbb')),
      }),
    ).content;
    const { body, leftOut } = renderStripe(content);
    expect(content.verdict.eligible).toBe(true);
    expect(JSON.stringify(body.enhanced_evidence)).not.toContain('device-');
    expect(leftOut).toEqual([
      {
        field: 'enhanced_evidence.visa_compelling_evidence_3: device id',
        why: 'not equal over the charges, or refused',
      },
    ]);
  });

  test('no enhanced evidence where the verdict is not eligible', () => {
    const { body, leftOut } = renderStripe(contentAt('stripe', { candidates: [] }));
    expect(body.enhanced_evidence).toBeUndefined();
    expect(body.customer_purchase_ip).toBe('81.2.69.142');
    expect(leftOut.map(({ field }) => field)).toEqual([
      'enhanced_evidence.visa_compelling_evidence_3',
    ]);
  });

  test('no text passes 20,000 characters, nor all together 150,000', () => {
    const productDescription = 'A long description 😀. '.repeat(4_000);
    const changes = { productDescription };
    const content = buildPacket(
      packetFacts({
        disputed: disputedCharge(changes),
        candidates: priorPair(changes),
        timeline: longTimeline,
      }),
    ).content;
    const { body, leftOut } = renderStripe(content);
    expect(charactersOf(body)).toBeLessThanOrEqual(stripeTotalLimit);
    expect(charactersOf(body)).toBeGreaterThan(100_000);
    expect(body.access_activity_log?.length).toBeLessThanOrEqual(stripeTextLimit);
    expect(body.product_description?.length).toBeLessThanOrEqual(stripeTextLimit);
    expect(body.product_description?.isWellFormed()).toBe(true);
    expect(leftOut.map(({ field }) => field)).toContain('access_activity_log');
    expect(leftOut.map(({ field }) => field)).toContain('product_description');
  });

  test('texts give way where the fixed fields leave no room', () => {
    const name = 'n'.repeat(149_950);
    const { body, leftOut } = renderStripe(contentAt('stripe', { customer: { name } }));
    expect(body.access_activity_log).toBeUndefined();
    expect(leftOut).toContainEqual({
      field: 'access_activity_log',
      why: 'no room in the 150,000 characters of all texts',
    });
  });
});

describe('Braintree', () => {
  test('gets each prior as a numbered group of categories', () => {
    const { body } = renderBraintree(contentAt('braintree'));
    const first = body.filter(({ sequenceNumber }) => sequenceNumber === 1);
    expect(
      first.map(({ category }) => category.replace('PRIOR_NON_DISPUTED_TRANSACTION_', '')),
    ).toEqual([...['ARN', 'DATE_TIME', 'ID', 'EMAIL_ADDRESS', 'IP_ADDRESS', 'PHYSICAL_ADDRESS']]);
    const words = 'Device of the charge: id device-0123456789';
    expect(body).toContainEqual({ category: 'GENERAL', content: expect.stringContaining(words) });
    expect(body.map(({ category }) => category)).not.toContain('DEVICE_ID');
    expect(body).toContainEqual({ category: 'PURCHASER_IP_ADDRESS', content: '81.2.69.142' });
  });

  test('leaves out a prior without its ARN, and says so', () => {
    const { body, leftOut } = renderBraintree(
      contentAt('braintree', { candidates: priorPair({ arn: '' }) }),
    );
    expect(body.filter(({ category }) => category.startsWith('PRIOR_'))).toEqual([]);
    expect(leftOut.map(({ field }) => field)).toContain('prior ch_prior_1');
  });

  test('leaves out a prior without an e-mail, IP or postal address, and says so', () => {
    const content = contentAt('braintree');
    const [first, ...others] = content.priors;
    if (first === undefined) throw new Error('the packet has priors');
    const bare = { ...first, elements: { deviceId: 'd', emailIsLogin: false, inherited: [] } };
    const { body, leftOut } = renderBraintree({ ...content, priors: [bare, ...others] });
    const numbers = body.flatMap(({ sequenceNumber }) => sequenceNumber ?? []);
    expect([...new Set(numbers)]).toEqual([2]);
    expect(leftOut).toContainEqual({
      field: `prior ${first.id}`,
      why: 'Braintree refuses a prior without an e-mail, IP or postal address (95727)',
    });
  });
});

describe('Checkout.com', () => {
  test('gets compelling evidence with two historical transactions', () => {
    const { body } = renderCheckout(contentAt('checkout'));
    expect(body?.compelling_evidence).toEqual({
      merchandise_or_service: 'Services',
      merchandise_or_service_desc: 'Acme Pro, one month',
      merchandise_or_service_provided_date: '2026-06-01T12:00:00.000Z',
      user_id: 'jane',
      ip_address: '81.2.69.142',
      device_id: 'device-0123456789',
      shipping_address: {
        address: 'High Street 1',
        city: 'Leeds',
        state_region: 'West Yorkshire',
        postal_code: 'LS1',
        country: 'GB',
      },
      historical_transactions: [
        {
          historical_arn: '74537604221222100000001',
          merchandise_or_service_desc: 'Acme Pro, one month',
        },
        {
          historical_arn: '74537604221222100000001',
          merchandise_or_service_desc: 'Acme Pro, one month',
        },
      ],
    });
  });

  test('cuts descriptions to 5,000 characters, and drops a login of 51 and a device of 65', () => {
    const changes = {
      psp: 'checkout' as const,
      productDescription: 'd'.repeat(5_001),
      elements: {
        ...elements,
        shippingAddress,
        login: 'l'.repeat(51),
        deviceId: `device-${'x'.repeat(58)}`,
      },
    };
    const { body, leftOut } = renderCheckout(
      contentAt('checkout', { disputed: disputedCharge(changes), candidates: priorPair(changes) }),
    );
    const evidence = body?.compelling_evidence;
    expect(evidence?.merchandise_or_service_desc).toHaveLength(5_000);
    expect(evidence?.user_id).toBeUndefined();
    expect(evidence?.device_id).toBeUndefined();
    expect(leftOut.map(({ field }) => field)).toEqual([
      ...['device id', 'e-mail', 'login', 'description of ch_disputed'],
      ...['description of ch_prior_1', 'description of ch_prior_2', 'timeline'],
    ]);
  });

  test('gets nothing without the day on which it was provided', () => {
    const { providedAt: _, ...facts } = packetFacts();
    const all = { psp: 'checkout' as const, elements };
    const { content } = buildPacket({
      ...facts,
      disputed: disputedCharge(all),
      candidates: priorPair(all),
    });
    expect(renderCheckout(content).body).toBeUndefined();
  });
});

describe('PayPal', () => {
  test('gets typed evidence with notes and the ids of refunds', () => {
    const { body } = renderPaypal(contentAt('paypal'));
    expect(body.map(({ evidence_type }) => evidence_type)).toEqual([
      'ORDER_DETAILS',
      'PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED',
      'LAST_VALID_TRANSACTION_DETAILS',
      'PROOF_OF_REFUND',
      'OTHER',
    ]);
    expect(body[3]?.evidence_info?.refund_ids).toEqual(['re_1']);
  });

  test('no notes pass 2,000 characters', () => {
    const { body, leftOut } = renderPaypal(contentAt('paypal', { timeline: longTimeline }));
    for (const { notes = '' } of body) expect(notes.length).toBeLessThanOrEqual(paypalNotesLimit);
    expect(leftOut.map(({ field }) => field)).toContain('OTHER');
  });
});

describe('what a charge has not', () => {
  type Elements = Partial<ReturnType<typeof contentAt>['charge']['elements']>;
  const withElements = (psp: Psp, given: Elements) => {
    const content = contentAt(psp);
    const own = { emailIsLogin: false, inherited: [], ...given };
    return { ...content, charge: { ...content.charge, elements: own } };
  };

  test.each<[Elements, readonly string[], readonly string[]]>([
    [{}, [], []],
    [{ deviceId: 'd' }, ['Device of the charge: id d.'], []],
    [{ deviceFingerprint: 'f' }, ['Device of the charge: fingerprint f.'], []],
    [{ deviceId: 'd', deviceFingerprint: 'f' }, ['Device of the charge: id d, fingerprint f.'], []],
    [{ shippingAddress }, [], ['shipping address']],
    [{ login: 'jane' }, [], ['login']],
    [
      { email: 'a@example.com', ip: '8.8.4.4' },
      ['PURCHASER_EMAIL_ADDRESS', 'PURCHASER_IP_ADDRESS'],
      [],
    ],
  ])('Braintree gets %j as it is, and what has no category is told', (given, sent, left) => {
    const { body, leftOut } = renderBraintree({ ...withElements('braintree', given), priors: [] });
    const own = body.map(({ category, content }) => (category === 'GENERAL' ? content : category));
    const optional = /^(PURCHASER_(EMAIL|IP)_ADDRESS|DEVICE_.*|Device of the charge.*)$/;
    expect(own.filter((one) => optional.test(one))).toEqual(sent);
    expect(leftOut.map(({ field }) => field)).toEqual(left);
  });

  test('Checkout.com gets of an address what it has', () => {
    const sent = (address: typeof shippingAddress & { line2?: string }) => {
      const all = { psp: 'checkout', elements: { ...elements, shippingAddress: address } } as const;
      const { content } = buildPacket(
        packetFacts({ disputed: disputedCharge(all), candidates: priorPair(all) }),
      );
      return renderCheckout(content).body?.compelling_evidence.shipping_address;
    };
    const plain = {
      address: 'High Street 1',
      city: 'Leeds',
      state_region: 'West Yorkshire',
      postal_code: 'LS1',
      country: 'GB',
    };
    expect(sent(shippingAddress)).toStrictEqual(plain);
    expect(sent({ ...shippingAddress, line2: 'Flat 2' })).toStrictEqual({
      ...plain,
      address2: 'Flat 2',
    });
  });
});
