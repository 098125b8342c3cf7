import { badCharacters, tooMany, unsafeCharacters } from './email-messages.ts';

/** The two forms of an internationalised domain name (UTS 46); '' where it has none. */
export interface DomainNames {
  toAscii(domain: string): string;
  toUnicode(domain: string): string;
}

export type DomainCheck =
  | { readonly kind: 'valid'; readonly domain: string; readonly asciiDomain: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Longest name, as it is written, and label in bytes (RFC 1035 2.3.4). */
const domainBytes = 253;
const labelBytes = 63;

/** Names that no mail can go to (RFC 6761 and the registry of special-use domain names). */
const specialNames = ['arpa', 'invalid', 'local', 'localhost', 'onion', 'test'];

const character = /[a-zA-Z0-9\-.\u{80}-\u{10FFFF}]/u;
const isAscii = /^[ -~]*$/;

/** Judges the part after the @-sign: a host name with a period, inside a real top-level domain. */
export function checkDomain(domain: string, names: DomainNames): DomainCheck {
  if (domain === '') return invalid('There must be something after the @-sign.');
  if (domain.startsWith('[') && domain.endsWith(']')) {
    return invalid('A bracketed IP address after the @-sign is not allowed here.');
  }
  const bad = badCharacters(domain, character);
  if (bad !== '') return invalid(`The part after the @-sign contains invalid characters: ${bad}.`);
  const unsafe = unsafeCharacters(domain);
  if (unsafe !== undefined) return invalid(unsafe);
  // The ideographic and the wide period separate labels too (UTS 46).
  const plain = domain.normalize('NFKC').replaceAll('\u3002', '.').toLowerCase();
  const edge = edgeFault(plain);
  if (edge !== undefined) return invalid(edge);
  return checkName(plain, names);
}

function invalid(reason: string): { readonly kind: 'invalid'; readonly reason: string } {
  return { kind: 'invalid', reason };
}

function edgeFault(domain: string): string | undefined {
  for (const [sign, word] of [
    ['.', 'period'],
    ['-', 'hyphen'],
  ] as const) {
    if (domain.endsWith(sign)) return `An email address cannot end with a ${word}.`;
    if (domain.startsWith(sign)) {
      return `An email address cannot have a ${word} immediately after the @-sign.`;
    }
    if (sign === '.' && domain.includes('..')) {
      return 'An email address cannot have two periods in a row.';
    }
  }
  if (domain.includes('.-') || domain.includes('-.')) {
    return 'An email address cannot have a period and a hyphen next to each other.';
  }
  if (domain.split('.').some((label) => /^(?!xn)..--/u.test(label))) {
    return 'An email address cannot have two letters followed by two dashes immediately after the @-sign or after a period, except Punycode.';
  }
  return undefined;
}

function checkName(domain: string, names: DomainNames): DomainCheck {
  const isPlain = isAscii.test(domain);
  const isEncoded = !isPlain || domain.includes('xn--');
  const asciiDomain = isEncoded ? names.toAscii(domain) : domain;
  if (asciiDomain === '') return invalid('The part after the @-sign is invalid.');
  const fault = lengthFault(asciiDomain) ?? placeFault(asciiDomain);
  if (fault !== undefined) return invalid(fault);
  const unicode = isEncoded ? names.toUnicode(asciiDomain) : asciiDomain;
  return { kind: 'valid', domain: unicode, asciiDomain };
}

function lengthFault(domain: string): string | undefined {
  const over = domain.length - domainBytes;
  if (over > 0) return `The email address is too long after the @-sign ${tooMany(over)}.`;
  const label = domain.split('.').find((each) => each.length > labelBytes);
  if (label === undefined) return undefined;
  const words = tooMany(label.length - labelBytes);
  return `After the @-sign, periods cannot be separated by so many characters ${words}.`;
}

function placeFault(domain: string): string | undefined {
  if (!domain.includes('.')) {
    return 'The part after the @-sign is not valid. It should have a period.';
  }
  if (!/[a-z]$/.test(domain)) {
    return 'The part after the @-sign is not valid. It is not within a valid top-level domain.';
  }
  if (specialNames.some((name) => domain.endsWith(`.${name}`))) {
    return 'The part after the @-sign is a special-use or reserved name that cannot be used with email.';
  }
  return undefined;
}
