/** Your billing system: what is owed. */
export const invoices = new Map([['in_next', { open: true }]]);
