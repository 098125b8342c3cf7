/** Why statements are not to be believed, each with what the reader should do. */
export const statementFaults = {
  not_a_statement: {
    message: 'This is no statement',
    action: 'Pass the statements as the API answered them, each as an object or as its JSON text.',
  },
  other_merchant: {
    message: 'The statement is of another merchant than the one before',
    action: 'Verify the statements of one merchant at a time.',
  },
  day_missing: {
    message: 'The statement does not follow on the day before',
    action: 'Pass every day, in order. If the service does not have one, ask its operator for it.',
  },
  wrong_hash: {
    message: 'The hash is not that of the statement: it was changed',
    action: 'Keep both texts and ask the operator of the service what changed, and why.',
  },
  broken_chain: {
    message: 'The statement does not carry the hash of the day before: one of them was replaced',
    action: 'Compare with the hash that you kept, and ask the operator of the service.',
  },
} as const;

export type StatementFault = keyof typeof statementFaults;

/** A statement that is not what was made on its day. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  readonly reason: StatementFault;
  /** The day of the statement at fault, where it says one. */
  readonly day: string | undefined;
  /** What to do about it. */
  readonly action: string;

  constructor(reason: StatementFault, day?: string) {
    super(`${statementFaults[reason].message}${day === undefined ? '' : ` (${day})`} [${reason}]`);
    this.reason = reason;
    this.day = day;
    this.action = statementFaults[reason].action;
  }
}
