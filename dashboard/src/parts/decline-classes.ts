/** What a first decline means for the next try, in words; docs/declines.md explains each. */
export const declineClassLabels: Readonly<Record<string, string>> = {
  later: 'Soft decline',
  technical: 'Processing error',
  fix_data: 'Card details outdated',
  customer_action: 'Customer action required',
  never: 'Hard decline',
  review: 'Merchant configuration',
};

/** The order in which they are drawn. */
export const declineClasses = Object.keys(declineClassLabels);
