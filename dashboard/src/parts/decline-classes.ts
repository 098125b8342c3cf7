/** What a first decline means for the next try, in words; docs/declines.md explains each. */
export const declineClassLabels: Readonly<Record<string, string>> = {
  later: 'May succeed later',
  technical: 'No answer from the issuer',
  fix_data: 'Card data out of date',
  customer_action: 'Payer must act',
  never: 'Never charge this card',
  review: 'Check the set-up',
};

/** The order in which they are drawn. */
export const declineClasses = Object.keys(declineClassLabels);
