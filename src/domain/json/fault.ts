/** One thing wrong with a request: where, as a dotted path such as `transactions.0.amount`, and what. */
export interface Fault {
  /** The location; `body` for the whole body, a header's or a query parameter's name otherwise. */
  readonly at: string;
  readonly text: string;
}

/** The location of a whole body. */
export const wholeBody = 'body';

/** The text for a field that has to be there. */
export const fieldRequired = 'Field required';
