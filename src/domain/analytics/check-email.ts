/** The two forms of an internationalised domain name (UTS 46); '' where it has none. */
export interface DomainNames {
  toAscii(domain: string): string;
  toUnicode(domain: string): string;
}

export type EmailCheck =
  /** The local part as it came (NFC), the domain in lower case and in Unicode, no display name. */
  | { readonly kind: 'valid'; readonly email: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Longest address in bytes of UTF-8 (RFC 3696, errata 1690). */
const addressBytes = 254;
/** Far more than an address with a display name has: no more is looked at. */
const textLength = 2048;

/** What stands in angle brackets behind a display name. */
const named = /^(?:"[^"]*"\s*|[^<>@"]*)<([^<>]*)>$/;
// RFC 5322 3.2.3 atext with the period, and RFC 6531 3.3: everything from U+0080.
const localPart = /^(?!\.)[a-zA-Z0-9_!#$%&'*+\-/=?^`{|}~.\u{80}-\u{10FFFF}]+(?<!\.)$/u;
const domainPart = /^[a-z0-9\-.\u{80}-\u{10FFFF}]+$/u;
/** Labels of RFC 1035 2.3.4, at least two, the last of which is no number. */
const hostName =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!-)[a-z0-9-]{0,62}[a-z]$/;
/** Names that no mail can go to (RFC 6761 and the registry of special-use domain names). */
const special = /\.(?:arpa|invalid|local|localhost|onion|test)$/;
/** Blanks, controls and what has no shape; a combining mark has nothing before it to combine with. */
const unsafe = /[\p{Z}\p{C}]|^\p{M}/u;
const encoder = new TextEncoder();

/**
 * Judges an e-mail address, which a display name may stand before, and gives it the form in which
 * captures of one customer are compared. Quoted local parts and addresses in brackets are refused: no
 * checkout has such customers.
 */
export function checkEmail(text: string, names: DomainNames): EmailCheck {
  if (text.length > textLength) return invalid('The email address is too long.');
  const bare = text.trim();
  const address = (named.exec(bare)?.[1] ?? bare).trim();
  const at = address.lastIndexOf('@');
  if (at < 0) return invalid('An email address must have an @-sign.');
  const local = address.slice(0, at).normalize('NFC');
  if (local === '') return invalid('There must be something before the @-sign.');
  if (!localPart.test(local) || local.includes('..') || unsafe.test(local)) {
    return invalid('The part before the @-sign is not valid.');
  }
  const domain = readDomain(address.slice(at + 1), names);
  if (domain.kind === 'invalid') return domain;
  const email = `${local}@${domain.unicode}`;
  const isTooLong = [address, email, `${local}@${domain.ascii}`].some(
    (form) => encoder.encode(form).length > addressBytes,
  );
  return isTooLong ? invalid('The email address is too long.') : { kind: 'valid', email };
}

type ReadDomain =
  | { readonly kind: 'domain'; readonly unicode: string; readonly ascii: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/** A host name with a period, inside a real top-level domain. */
function readDomain(text: string, names: DomainNames): ReadDomain {
  if (text === '') return invalid('There must be something after the @-sign.');
  // The ideographic period separates labels too (UTS 46).
  const domain = text.normalize('NFKC').replaceAll('\u3002', '.').toLowerCase();
  const isReadable = domainPart.test(domain) && !unsafe.test(text);
  const ascii = isReadable ? names.toAscii(domain) : '';
  if (isReadable && !domain.includes('.')) {
    return invalid('The part after the @-sign is not valid. It should have a period.');
  }
  if (!hostName.test(ascii) || special.test(ascii)) {
    return invalid('The part after the @-sign is not valid.');
  }
  return { kind: 'domain', unicode: names.toUnicode(ascii), ascii };
}

function invalid(reason: string): { readonly kind: 'invalid'; readonly reason: string } {
  return { kind: 'invalid', reason };
}
