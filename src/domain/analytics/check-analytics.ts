import { holdsCardNumber, maskCardNumbers } from '../cards/card-numbers.ts';
import { cardNumberFault } from '../json/fault.ts';
import { limits } from '../limits.ts';
import type { Json } from '../payment.ts';
import { present } from '../present.ts';
import { type Psp, psps } from '../psps.ts';
import { type Analytics, type IdField, idFields, paymentIdFields } from './analytics.ts';
import { checkEmail, type DomainNames } from './check-email.ts';
import { isIpv4 } from './ipv4.ts';
import {
  bodyItem,
  bodyMissing,
  bodyNotAnObject,
  fieldItem,
  type ValidationItem,
} from './validation-item.ts';

export type AnalyticsCheck =
  | { readonly kind: 'valid'; readonly analytics: Analytics }
  | { readonly kind: 'invalid'; readonly detail: readonly ValidationItem[] };

type Body = Readonly<Record<string, Json>>;
type Read<Value> = { readonly value: Value } | { readonly item: ValidationItem };

/**
 * Judges an analytics record in the form that merchants' clients know from FastAPI, with Pydantic 2's
 * types: every fault of a field in the order of the fields, and the rule over all of them only when
 * each is in order. Unknown fields are ignored; null stands for an optional field that is not there.
 */
export function checkAnalytics(body: Json, names: DomainNames): AnalyticsCheck {
  if (body === null) return invalid([bodyMissing]);
  if (typeof body !== 'object' || Array.isArray(body)) return invalid([bodyNotAnObject]);
  const fields = body as Body;
  const email = readEmail(own(fields, 'customer_email'), names);
  const address = readAddress(own(fields, 'ipv4_address'));
  const psp = readPsp(own(fields, 'psp'));
  const userAgent = readText(fields, 'user_agent', limits.userAgentLength);
  const ids = idFields.map((field) => [field, readId(fields, field)] as const);
  const reads = [email, address, psp, userAgent, ...ids.map(([, read]) => read)];
  const items = reads.flatMap((read) => ('item' in read ? [read.item] : []));
  if (!('value' in email && 'value' in address && 'value' in psp && 'value' in userAgent)) {
    return invalid(items);
  }
  if (items.length > 0) return invalid(items);
  const given = Object.fromEntries(ids.flatMap(givenId)) as Partial<Record<IdField, string>>;
  if (!paymentIdFields.some((field) => given[field] !== undefined)) return invalid([noPaymentId]);
  const analytics: Analytics = {
    customerEmail: email.value,
    ipv4Address: address.value,
    psp: psp.value,
    ...present({ userAgent: userAgent.value && maskCardNumbers(userAgent.value) }),
    ids: given,
  };
  return { kind: 'valid', analytics };
}

const noPaymentId = bodyItem(
  'value_error',
  `Value error, at least one of ${paymentIdFields.join(', ')} must be present`,
);

function invalid(detail: readonly ValidationItem[]): AnalyticsCheck {
  return { kind: 'invalid', detail };
}

/** A member of the object itself: a body may name `constructor`, which every object has. */
function own(body: Body, field: string): Json | undefined {
  return Object.hasOwn(body, field) ? body[field] : undefined;
}

function givenId([field, read]: readonly [IdField, Read<string | undefined>]) {
  return 'value' in read && read.value !== undefined ? [[field, read.value] as const] : [];
}

function readEmail(value: Json | undefined, names: DomainNames): Read<string> {
  const field = 'customer_email';
  if (value === undefined) return missing(field);
  if (typeof value !== 'string') return notAString(field);
  if (!isKeepable(value)) return notUnicode(field);
  const check = checkEmail(value, names);
  if (check.kind === 'valid') {
    return holdsCardNumber(check.email) ? cardNumber(field) : { value: check.email };
  }
  const msg = `value is not a valid email address: ${check.reason}`;
  return { item: fieldItem(field, 'value_error', msg) };
}

/** Numbers are refused too, although Python takes 16909060 for 1.2.3.4: nobody means that. */
function readAddress(value: Json | undefined): Read<string> {
  const field = 'ipv4_address';
  if (value === undefined) return missing(field);
  if (typeof value === 'string' && isIpv4(value)) return { value };
  return { item: fieldItem(field, 'ip_v4_address', 'Input is not a valid IPv4 address') };
}

const quotedPsps = psps.map((psp) => `'${psp}'`);
const pspList = `${quotedPsps.slice(0, -1).join(', ')} or ${quotedPsps.at(-1)}`;

function readPsp(value: Json | undefined): Read<Psp> {
  const field = 'psp';
  if (value === undefined) return missing(field);
  const psp = psps.find((each) => each === value);
  if (psp !== undefined) return { value: psp };
  return { item: fieldItem(field, 'enum', `Input should be ${pspList}`) };
}

/** An optional text. An empty one says as much as an absent one. */
function readText(body: Body, field: string, maxLength: number): Read<string | undefined> {
  const value = own(body, field);
  if (value === undefined || value === null || value === '') return { value: undefined };
  if (typeof value !== 'string') return notAString(field);
  if (!isKeepable(value)) return notUnicode(field);
  if ([...value].length <= maxLength) return { value };
  const msg = `String should have at most ${maxLength} characters`;
  return { item: fieldItem(field, 'string_too_long', msg) };
}

function readId(body: Body, field: IdField): Read<string | undefined> {
  const read = readText(body, field, limits.idLength);
  if (!('value' in read) || read.value === undefined) return read;
  const isNetworks = field === 'network_transaction_id';
  const isCard = holdsCardNumber(read.value, isNetworks ? 'network_transaction' : undefined);
  return isCard ? cardNumber(field) : read;
}

function cardNumber(field: string): { item: ValidationItem } {
  const { text, code } = cardNumberFault(field);
  return { item: fieldItem(field, code ?? 'value_error', text) };
}

function missing(field: string): { item: ValidationItem } {
  return { item: fieldItem(field, 'missing', 'Field required') };
}

function notAString(field: string): { item: ValidationItem } {
  return { item: fieldItem(field, 'string_type', 'Input should be a valid string') };
}

/** PostgreSQL keeps no NUL character, and UTF-8 has no lone surrogate. */
function isKeepable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function notUnicode(field: string): { item: ValidationItem } {
  const msg = 'Input should be a valid string, unable to parse raw data as a unicode string';
  return { item: fieldItem(field, 'string_unicode', msg) };
}
