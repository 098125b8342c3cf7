import { type ErrorCode, errorRegistry } from '../errors.ts';

/** One thing wrong with a request: where, as a dotted path such as `transactions.0.amount`, and what. */
export interface Fault {
  /** The location; `body` for the whole body, a header's or a query parameter's name otherwise. */
  readonly at: string;
  readonly text: string;
  /** Where it is one of its own kind; an invalid request otherwise. */
  readonly code?: ErrorCode;
}

/** The location of a whole body. */
export const wholeBody = 'body';

/** The text for a field that has to be there. */
export const fieldRequired = 'Field required';

/** A card's number in the place of an id: what it is and what to do, with the code. */
export function cardNumberFault(at: string): Fault {
  const code = 'card_number_refused';
  const { what, action } = errorRegistry[code];
  return { at, text: `${what} ${action} [${code}]`, code };
}
