import { isDeepStrictEqual } from 'node:util';
import { limits } from '../../../domain/limits.ts';
import { maxAmountMinor } from '../../../domain/money.ts';
import type { JsonObject } from '../../../domain/payment.ts';
import type { SandboxCharge, SandboxToken } from './charge.ts';

/** The parameters of a charge, checked; a card verification number is already left behind. */
export type ChargeInput = Pick<
  SandboxCharge,
  | 'merchant'
  | 'invoice'
  | 'amount'
  | 'currency'
  | 'payment_method'
  | 'customer'
  | 'previous_network_transaction_id'
  | 'metadata'
  | 'token'
  | 'billing_address_fields'
>;

/** Thrown by the readers below and caught in `readChargeInput`; never leaves this file. */
class InputFault extends Error {
  readonly param: string;

  constructor(param: string, words: string) {
    super(`${param} ${words}`);
    this.param = param;
  }
}

/** The parameters of a request body, or what is wrong with the first bad one. */
export function readChargeInput(
  body: unknown,
): { readonly input: ChargeInput } | { readonly param: string; readonly message: string } {
  try {
    return { input: inputOf(object(body, 'body')) };
  } catch (error) {
    if (error instanceof InputFault) return { param: error.param, message: `${error.message}.` };
    throw error;
  }
}

/** Whether a kept charge was asked for with the same parameters, object keys in any order. */
export function isSameInput(charge: SandboxCharge, input: ChargeInput): boolean {
  return Object.entries(input).every(([name, value]) =>
    isDeepStrictEqual(asJson(charge[name as keyof ChargeInput]), asJson(value)),
  );
}

/** A charge read from the ledger lacks the fields that a fresh one holds as undefined. */
function asJson(value: unknown): unknown {
  return typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value;
}

function inputOf(body: JsonObject): ChargeInput {
  return {
    merchant: text(body, 'merchant'),
    invoice: text(body, 'invoice'),
    amount: amount(body),
    currency: currency(body),
    payment_method: text(body, 'payment_method'),
    customer: optionalText(body, 'customer'),
    previous_network_transaction_id: optionalText(body, 'network_transaction_id'),
    metadata: metadata(body),
    token: token(optionalObject(body, 'token')),
    billing_address_fields: fieldNames(optionalObject(body, 'billing_address')),
  };
}

function amount(body: JsonObject): number {
  const value = body.amount;
  if (!Number.isSafeInteger(value) || typeof value !== 'number' || value <= 0) {
    throw new InputFault('amount', 'must be a positive integer of minor units');
  }
  if (value > maxAmountMinor) throw new InputFault('amount', `must be at most ${maxAmountMinor}`);
  return value;
}

function currency(body: JsonObject): string {
  const value = body.currency;
  if (typeof value !== 'string' || !/^[A-Z]{3}$/.test(value)) {
    throw new InputFault('currency', 'must be three upper-case letters');
  }
  return value;
}

/** Kept and compared whole, so its depth has an end; of the other objects only fields are read. */
function metadata(body: JsonObject): JsonObject | undefined {
  const value = optionalObject(body, 'metadata');
  if (isDeeperThan(value, limits.requestBodyDepth)) {
    throw new InputFault('metadata', `must not nest deeper than ${limits.requestBodyDepth} levels`);
  }
  return value;
}

function token(value: JsonObject | undefined): SandboxToken | undefined {
  if (value === undefined) return undefined;
  const code = optionalText(value, 'card_validation_number');
  return {
    id: optionalText(value, 'id'),
    expiration_month: optionalText(value, 'expiration_month'),
    expiration_year: optionalText(value, 'expiration_year'),
    card_code_given: code !== undefined,
  };
}

function fieldNames(value: JsonObject | undefined): readonly string[] | undefined {
  return value === undefined ? undefined : Object.keys(value).sort();
}

function text(body: JsonObject, name: string): string {
  const value = optionalText(body, name);
  if (value === undefined) throw new InputFault(name, 'is required');
  return value;
}

function optionalText(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length === 0 || value.length > limits.idLength) {
    throw new InputFault(name, `must be a string of 1 to ${limits.idLength} characters`);
  }
  return value;
}

function optionalObject(body: JsonObject, name: string): JsonObject | undefined {
  const value = body[name];
  return value === undefined || value === null ? undefined : object(value, name);
}

function object(value: unknown, name: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InputFault(name, 'must be an object');
  }
  return value as JsonObject;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}
