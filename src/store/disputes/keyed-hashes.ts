import { createHmac, type KeyObject } from 'node:crypto';
import { type Analytics, idFields } from '../../domain/analytics/analytics.ts';
import { base32 } from '../../domain/ids.ts';

/** What is hashed; it is part of the hash, so that no two uses can be compared. */
type Use = 'capture' | 'customer' | 'email' | 'ip';

function keyedHash(key: KeyObject, use: Use, text: string): Buffer {
  return createHmac('sha256', key).update(`${use}\0${text}`).digest();
}

const idBytes = 15;

/** The id that this content has at this merchant: 120 bits of its keyed hash. */
export function analyticsIdOf(identity: KeyObject, analytics: Analytics): string {
  const { customerEmail, ipv4Address, psp, userAgent, ids } = analytics;
  const content = [customerEmail, ipv4Address, psp, userAgent, ...idFields.map((id) => ids[id])];
  // JSON writes an absent one as null, which no text is.
  const hash = keyedHash(identity, 'capture', JSON.stringify(content));
  return `ana_${base32(hash.subarray(0, idBytes))}`;
}

/** A person as analytics records name them: by the customer id, or else by the e-mail address. */
export interface SubjectName {
  readonly kind: 'customer' | 'email';
  readonly hash: Buffer;
}

export function subjectOf(identity: KeyObject, analytics: Analytics): SubjectName {
  const customerId = analytics.ids.customer_id;
  if (customerId !== undefined) return customerSubject(identity, customerId);
  return { kind: 'email', hash: emailIndex(identity, analytics.customerEmail) };
}

export function customerSubject(identity: KeyObject, customerId: string): SubjectName {
  return { kind: 'customer', hash: keyedHash(identity, 'customer', customerId) };
}

/** Equal for addresses that differ in case alone: nearly every mail server takes them for one. */
export function emailIndex(key: KeyObject, email: string): Buffer {
  return keyedHash(key, 'email', email.toLowerCase());
}

export function ipIndex(key: KeyObject, address: string): Buffer {
  return keyedHash(key, 'ip', address);
}
