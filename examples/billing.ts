/** Stands for your billing system in every example: what is owed. Yours does not forget it. */
interface Invoice {
  readonly open: boolean;
}

const names = ['express', 'fastify', 'hono', 'node-http', 'edge', 'next'];
const invoices = new Map<string, Invoice>(names.map((name) => [`in_${name}`, { open: true }]));

/** Undefined where there is no such invoice. */
export function findInvoice(invoiceId: string): Invoice | undefined {
  return invoices.get(invoiceId);
}

export function markPaid(invoiceId: string): void {
  invoices.set(invoiceId, { open: false });
}
