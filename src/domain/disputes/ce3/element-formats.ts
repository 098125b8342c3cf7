import { type Psp, pspFacts } from '../../psps.ts';
import type { ShippingAddress } from './elements.ts';
import { readInternetAddress } from './internet-address.ts';
import { specialUseOf } from './special-use.ts';

/** A value in the form in which two of them are compared, or why a network would refuse it. */
export type ReadElement =
  | { readonly kind: 'usable'; readonly comparable: string }
  | { readonly kind: 'refused'; readonly why: string };

/** Least characters of a device id (Visa through Kount, Checkout.com). */
const minDeviceIdLength = 15;
/** Least characters of a fingerprint of at least two attributes (Visa through Kount). */
const minFingerprintLength = 20;

/** Public and in clear text, of IPv4 or IPv6; compared by number. */
export function readIp(text: string): ReadElement {
  const address = readInternetAddress(text);
  if (address === undefined) return refused('it is no IP address in clear text');
  const special = specialUseOf(address);
  if (special !== undefined) return refused(`it is not public (${special})`);
  return usable(`${address.bits}/${address.value.toString(16)}`);
}

/** In clear text since 14 October 2023, at least 15 characters, and what the PSP's field holds. */
export function readDeviceId(text: string, psp: Psp): ReadElement {
  const id = text.trim();
  if (id.length < minDeviceIdLength) {
    return refused(`it is shorter than ${minDeviceIdLength} characters`);
  }
  const { name, elements } = pspFacts[psp];
  if (isLonger(id, elements.maxLength.deviceId)) {
    return refused(`it is longer than the ${elements.maxLength.deviceId} characters of ${name}`);
  }
  if (looksHashed(id)) return refused('it looks hashed, and networks want clear text');
  return usable(id);
}

/** At least 20 characters. A fingerprint is a digest by its nature, so its looks say nothing. */
export function readFingerprint(text: string): ReadElement {
  const id = text.trim();
  return id.length < minFingerprintLength
    ? refused(`it is shorter than ${minFingerprintLength} characters`)
    : usable(id);
}

/** What the customer types to sign in. */
export function readLogin(text: string, psp: Psp): ReadElement {
  const login = text.trim();
  if (login === '') return refused('it is empty');
  const { name, elements } = pspFacts[psp];
  if (isLonger(login, elements.maxLength.login)) {
    return refused(`it is longer than the ${elements.maxLength.login} characters of ${name}`);
  }
  return usable(login.toLowerCase());
}

/** Compared without regard to case: mailboxes that differ in it alone are not known in practice. */
export function readEmail(text: string): ReadElement {
  const email = text.trim().toLowerCase();
  return /^[^\s@]+@[^\s@]+$/.test(email) ? usable(email) : refused('it is no e-mail address');
}

/** Every field has to be there, the state or region only where the PSP wants it. */
export function readShippingAddress(address: ShippingAddress, psp: Psp): ReadElement {
  const { line1, line2 = '', city, state = '', postalCode, country } = address;
  const needed = {
    line1,
    city,
    postalCode,
    country,
    ...(pspFacts[psp].elements.wantsState && { state }),
  };
  const empty = Object.entries(needed).filter(([, text]) => text.trim() === '');
  if (empty.length > 0) return refused(`it lacks ${empty.map(([name]) => name).join(', ')}`);
  return usable([line1, line2, city, state, postalCode, country].map(plain).join('|'));
}

/**
 * Whether a text has the length and alphabet of a digest: MD5 and SHA-1 to SHA-512, in hexadecimal
 * or base 64. A UUID without its dashes looks so too, and an issuer could not tell it either.
 */
export function looksHashed(text: string): boolean {
  const hexLengths = [32, 40, 56, 64, 96, 128];
  if (/^[0-9a-f]+$/i.test(text) && hexLengths.includes(text.length)) return true;
  return /^[\w+/-]+={1,2}$/.test(text) && [24, 28, 40, 44, 64, 88].includes(text.length);
}

/** Case, accents, punctuation and blanks differ between two forms of one address. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function isLonger(text: string, max: number | undefined): boolean {
  return max !== undefined && text.length > max;
}

function usable(comparable: string): ReadElement {
  return { kind: 'usable', comparable };
}

function refused(why: string): ReadElement {
  return { kind: 'refused', why };
}
