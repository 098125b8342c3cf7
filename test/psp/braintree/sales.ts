/** A charge, and the settled sale that it came to. */
export const request = {
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  idempotencyKey: 'key-1',
  amountMinor: 1_223,
  currency: 'USD',
  paymentMethodId: 'tok_1',
};

export const sale = {
  id: 'tx_1',
  orderId: 'key-1',
  type: 'sale',
  status: 'settled',
  amount: '12.23',
  currencyIsoCode: 'USD',
  createdAt: '2026-11-02T09:00:00Z',
};

/** What the sale says of its money. */
export const told = { amountMinor: 1_223, currency: 'USD' };

/** Braintree's own check refused it as a repetition. */
export const duplicate = { status: 'gateway_rejected', gatewayRejectionReason: 'duplicate' };
