/** A delivery address. Networks compare it field by field. */
export interface ShippingAddress {
  readonly line1: string;
  readonly line2?: string;
  readonly city: string;
  readonly state?: string;
  readonly postalCode: string;
  /** ISO 3166-1, two letters. */
  readonly country: string;
}

/** Everything of a customer that Compelling Evidence can compare. */
export const elementNames = [
  'ip',
  'device_id',
  'device_fingerprint',
  'shipping_address',
  'email',
  'login',
] as const;
export type ElementName = (typeof elementNames)[number];

/** What was captured at the checkout of a transaction, in clear text: networks refuse hashes. */
export interface CheckoutElements {
  readonly ip?: string;
  readonly deviceId?: string;
  readonly deviceFingerprint?: string;
  readonly shippingAddress?: ShippingAddress;
  readonly email?: string;
  /** Whether the customer signs in with that e-mail: outside Stripe it counts only then. */
  readonly emailIsLogin: boolean;
  /** What the customer types to sign in. */
  readonly login?: string;
  /** The elements that were not captured for this charge, but at the first one of its mandate. */
  readonly inherited: readonly ElementName[];
}

/**
 * What counts as one element. A device id and a fingerprint of the same device are one: Visa takes
 * no pair of the two.
 */
export type CountedElement = 'ip' | 'device' | 'shipping_address' | 'email' | 'login';

/** What an element counts as. */
export function countedAs(name: ElementName): CountedElement {
  return name === 'device_id' || name === 'device_fingerprint' ? 'device' : name;
}

/** How elements are called in words for people. */
export const elementLabels: Readonly<Record<ElementName | 'device', string>> = {
  ip: 'IP address',
  device: 'device',
  device_id: 'device id',
  device_fingerprint: 'device fingerprint',
  shipping_address: 'shipping address',
  email: 'e-mail',
  login: 'login',
};
