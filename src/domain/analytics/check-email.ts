import { checkDomain, type DomainNames } from './email-domain.ts';
import { badCharacters, tooMany, unsafeCharacters } from './email-messages.ts';

export type EmailCheck =
  /** The local part as it came (NFC), the domain in lower case and in Unicode, no display name. */
  | { readonly kind: 'valid'; readonly email: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Longest text that is looked at, a display name included (Pydantic's own limit). */
const textLength = 2048;
/** Longest address in bytes of UTF-8 (RFC 3696, errata 1690). */
const addressBytes = 254;

/**
 * Judges an e-mail address as python-email-validator 2 does under Pydantic: surrounding blanks and a
 * display name are taken off, the local part may hold any Unicode letter (RFC 6531), quoting it and
 * addresses in brackets are refused. Its reasons are given in its words, since merchants' clients
 * show them.
 */
export function checkEmail(text: string, names: DomainNames): EmailCheck {
  if ([...text].length > textLength) {
    return invalid(`Length must not exceed ${textLength} characters`);
  }
  const bare = addressOf(text.trim());
  if (bare.kind === 'invalid') return bare;
  const at = splitAt(bare.address);
  if (at < 0) return invalid(noAtSign(bare.address));
  const local = bare.address.slice(0, at);
  const domain = bare.address.slice(at + 1);
  const fault = localFault(local);
  if (fault !== undefined) return invalid(fault);
  const checked = checkDomain(domain, names);
  if (checked.kind === 'invalid') return checked;
  const normalLocal = local.normalize('NFC');
  const email = `${keptCase(normalLocal)}@${checked.domain}`;
  const long = lengthFault(bare.address, email, `${normalLocal}@${checked.asciiDomain}`);
  return long === undefined ? { kind: 'valid', email } : invalid(long);
}

function invalid(reason: string): { readonly kind: 'invalid'; readonly reason: string } {
  return { kind: 'invalid', reason };
}

const nameCharacter = /[\p{L}\p{N}_.!#$%&'*+\-/=?^`{|}~\s]/u;

/** What stands in angle brackets behind a display name, quoted or not, or else the whole text. */
function addressOf(
  text: string,
): { kind: 'bare'; address: string } | { kind: 'invalid'; reason: string } {
  const quoteEnd = text.startsWith('"') ? text.indexOf('"', 1) : -1;
  const open = text.indexOf('<', quoteEnd + 1);
  const at = text.indexOf('@');
  if (open < 0 || (at >= 0 && at < open && quoteEnd < at)) return { kind: 'bare', address: text };
  if (!text.endsWith('>')) {
    return invalid(
      'An open angle bracket at the start of the email address has to be followed by a close angle bracket at the end.',
    );
  }
  const name = text.slice(0, open).trim();
  const isQuoted = quoteEnd > 0 && name.length === quoteEnd + 1;
  const bad = isQuoted ? '' : badCharacters(name, nameCharacter);
  if (bad !== '') {
    return invalid(`The display name contains invalid characters when not quoted: ${bad}.`);
  }
  return { kind: 'bare', address: text.slice(open + 1, -1).trim() };
}

/** The @-sign that ends the local part: one in a quoted local part is part of it. -1 for none. */
function splitAt(address: string): number {
  let isQuoted = false;
  for (let index = 0; index < address.length; index += 1) {
    const character = address[index];
    if (isQuoted && character === '\\') index += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === '@' && !isQuoted) return index;
  }
  return -1;
}

function noAtSign(address: string): string {
  if (address.includes('\uFF20')) {
    return 'The email address has the "full-width" at-sign (@) character instead of a regular at-sign.';
  }
  return 'An email address must have an @-sign.';
}

// RFC 5322 3.2.3 atext with the period, and RFC 6531 3.3: everything from U+0080.
const localCharacter = /[a-zA-Z0-9_!#$%&'*+\-/=?^`{|}~.\u{80}-\u{10FFFF}]/u;

function localFault(local: string): string | undefined {
  if (local === '') return 'There must be something before the @-sign.';
  if (local.startsWith('"') && local.endsWith('"') && local.length > 1) {
    return 'Quoting the part before the @-sign is not allowed here.';
  }
  const bad = badCharacters(local, localCharacter);
  if (bad !== '') {
    return `The email address contains invalid characters before the @-sign: ${bad}.`;
  }
  if (local.endsWith('.')) {
    return 'An email address cannot have a period immediately before the @-sign.';
  }
  if (local.startsWith('.')) return 'An email address cannot start with a period.';
  if (local.includes('..')) return 'An email address cannot have two periods in a row.';
  return unsafeCharacters(local.normalize('NFC'));
}

/** Mailboxes that every domain has in any case (RFC 2142). */
const commonMailboxes = new Set(
  'info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp'.split(
    ' ',
  ),
);

function keptCase(local: string): string {
  const lower = local.toLowerCase();
  return commonMailboxes.has(lower) ? lower : local;
}

const encoder = new TextEncoder();

/** The address as it came, as it is kept and as it goes over the wire may not be too long. */
function lengthFault(given: string, email: string, ascii: string): string | undefined {
  const over = encoder.encode(given).length - addressBytes;
  if (over > 0) return `The email address is too long ${tooManyOf(given, over)}.`;
  const [afterwards, how] =
    encoder.encode(email).length > addressBytes
      ? [email, 'after normalization']
      : [ascii, 'when the part after the @-sign is converted to IDNA ASCII'];
  const bytes = encoder.encode(afterwards).length - addressBytes;
  if (bytes <= 0) return undefined;
  return `The email address is too long ${how} (${bytes} byte${bytes > 1 ? 's' : ''} too many).`;
}

/** Where a character may have several bytes, how many are too many is known within bounds only. */
function tooManyOf(text: string, overBytes: number): string {
  const widest = Math.max(...[...text].map((character) => encoder.encode(character).length));
  const min = Math.max(1, Math.floor(overBytes / widest));
  if (min === overBytes) return tooMany(overBytes);
  return `(${min}-${overBytes} characters too many)`;
}
