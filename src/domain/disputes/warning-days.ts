/** Days left at which is warned of a dispute's deadline: a week to gather the evidence, then the last calls. */
export const disputeWarningDays = [7, 3, 1] as const;
