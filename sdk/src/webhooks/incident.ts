/** The charge as one of the two records has it. */
export interface IncidentSide {
  /** In the words of that side, such as `succeeded`, `declined`, `not_made`. */
  readonly state?: string;
  readonly psp_transaction_id?: string;
  /** In major units of `currency`. */
  readonly amount?: number;
  /** ISO 4217. */
  readonly currency?: string;
  /** False: a test charge. */
  readonly is_live?: boolean;
  /** When it was sent, made or reported; RFC 3339 in UTC. */
  readonly at?: string;
}

/**
 * The records of a charge contradict each other, for merchants that asked the operator for this event.
 * Nothing more is charged for the invoice until the operator has decided.
 */
export interface Incident {
  /** When it was found, RFC 3339 in UTC. */
  readonly timestamp?: string;
  readonly incident_id?: string;
  /** What does not fit; more may be added. */
  readonly kind?:
    | 'contradiction'
    | 'two_successes'
    | 'amount_differs'
    | 'mode_differs'
    | 'missing_at_psp'
    | 'missing_here'
    | 'state_differs'
    | (string & {});
  readonly invoice_id?: string;
  /** Whose charge it is, such as `stripe`. */
  readonly psp?: string;
  /** The service's key of the charge, or its id at the PSP. */
  readonly charge?: string;
  /** What is the matter, in a sentence. */
  readonly detail?: string;
  /** The charge as the service's record has it. */
  readonly ours?: IncidentSide;
  /** The charge as the PSP's record has it. */
  readonly theirs?: IncidentSide;
  /** Your own fields, as you reported them. */
  readonly custom?: Readonly<Record<string, unknown>>;
}
