/** Whose rows a report is of. */
export interface OfMerchants {
  /** Absent: every merchant's. */
  readonly merchantIds?: readonly string[];
}
