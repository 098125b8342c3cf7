import { type Fault, fieldRequired } from '../../../domain/json/fault.ts';
import { isObject } from '../../../domain/json/is-object.ts';
import { limits } from '../../../domain/limits.ts';
import {
  currencyExponent,
  decimalText,
  maxAmountMinor,
  minorFromDecimal,
} from '../../../domain/money.ts';
import { neverCharged, pspFacts, psps } from '../../../domain/psps.ts';
import type { Reporter } from '../caller.ts';

/**
 * What the schema of a payment event cannot say. The value may have any shape: a field of another
 * type than expected is the schema's to report.
 */
export function paymentFaults(value: unknown, caller: Reporter): readonly Fault[] {
  if (!isObject(value)) return [];
  const faults: Fault[] = [];
  const { transactions, custom } = value;
  if (Array.isArray(transactions)) addTransactionFaults(faults, transactions, caller);
  addCustomFault(faults, custom);
  return faults;
}

type Fields = Readonly<Record<string, unknown>>;

function addTransactionFaults(faults: Fault[], items: readonly unknown[], caller: Reporter): void {
  const isFailed = items.every((item) => isObject(item) && item.success === false);
  const first = items[0];
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) continue;
    const at = `transactions.${index}`;
    addAmountFault(faults, item, isFailed, at);
    addWantedFaults(faults, item, at);
    addExpiryFault(faults, item, at);
    if (isFailed && isObject(first)) addCurrencyFault(faults, item, first, at);
  }
  if (isFailed && isObject(first)) addPspFault(faults, first, caller);
}

/** Amounts are exact in their currency. A failed one is above zero: else nothing is to recover. */
function addAmountFault(faults: Fault[], item: Fields, isFailed: boolean, at: string): void {
  const { amount, currency } = item;
  if (typeof amount !== 'number' || typeof currency !== 'string') return;
  const result = minorFromDecimal(amount, currency);
  if ('fault' in result) {
    faults.push({ at: `${at}.amount`, text: amountText(result.fault, currency) });
  } else if (isFailed && result.amountMinor === 0) {
    faults.push({ at: `${at}.amount`, text: 'Input should be greater than 0' });
  }
}

type AmountFault = Extract<ReturnType<typeof minorFromDecimal>, { fault: unknown }>['fault'];

function amountText(fault: AmountFault, currency: string): string {
  const decimals = currencyExponent(currency);
  switch (fault) {
    case 'not_a_number':
      return 'Input should be a valid number';
    case 'negative':
      return 'Input should be greater than or equal to 0';
    case 'too_many_decimals':
      return `Input should have at most ${decimals} decimals in ${currency}`;
    case 'too_large':
      return `Input should be at most ${decimalText({ amountMinor: maxAmountMinor, currency })}`;
  }
}

function addWantedFaults(faults: Fault[], item: Fields, at: string): void {
  const psp = psps.find((name) => name === item.psp);
  if (psp === undefined) return;
  for (const field of pspFacts[psp].wantedOfCharges) {
    if (item[field] === undefined) faults.push({ at: `${at}.${field}`, text: fieldRequired });
  }
}

/** Half of a card's last month says nothing. */
function addExpiryFault(faults: Fault[], item: Fields, at: string): void {
  const given = ['expiration_month', 'expiration_year'].filter((name) => item[name] !== undefined);
  if (given.length !== 1) return;
  const missing = given[0] === 'expiration_month' ? 'expiration_year' : 'expiration_month';
  faults.push({ at: `${at}.${missing}`, text: fieldRequired });
}

/** One invoice is owed in one currency; what is charged again is the first transaction's. */
function addCurrencyFault(faults: Fault[], item: Fields, first: Fields, at: string): void {
  const { currency } = first;
  if (typeof currency !== 'string' || typeof item.currency !== 'string') return;
  if (item.currency === currency) return;
  const text = `Input should be '${currency}', the currency of the first transaction`;
  faults.push({ at: `${at}.currency`, text });
}

/** The first transaction is the one that is charged again, so its PSP must be one we can reach. */
function addPspFault(faults: Fault[], { psp: given }: Fields, caller: Reporter): void {
  const psp = psps.find((name) => name === given);
  if (psp === undefined) return;
  if (neverCharged.includes(psp)) {
    const text =
      `Recoup cannot charge through ${psp}, so it cannot recover this payment. Report it with the ` +
      `PSP that charged the method; successful payments may be reported with ${psp}.`;
    faults.push({ at: 'transactions.0.psp', text });
    return;
  }
  const connected = caller.psps.filter((name) => !neverCharged.includes(name));
  if (connected.includes(psp)) return;
  const yours = connected.length === 0 ? 'You have none.' : `Yours: ${connected.join(', ')}.`;
  const text = `A failed payment can be recovered only at a PSP that you have connected. ${yours}`;
  faults.push({ at: 'transactions.0.psp', text });
}

/** Bytes of the object's JSON, since that is what travels with each call and event. */
function addCustomFault(faults: Fault[], custom: unknown): void {
  if (!isObject(custom)) return;
  if (Buffer.byteLength(JSON.stringify(custom)) <= limits.customBytes) return;
  faults.push({
    at: 'custom',
    text: `Object should have at most ${limits.customBytes} bytes of JSON`,
  });
}
