/** What is known of a method beside its id. */
export interface PaymentMethodRow {
  readonly payment_method_id: string;
  readonly scheme: string | null;
  readonly funding_source: string | null;
  readonly bin: string | null;
  readonly issuer_country: string | null;
}

export function paymentMethodFacts(row: PaymentMethodRow) {
  return {
    paymentMethodId: row.payment_method_id,
    ...(row.scheme === null ? {} : { scheme: row.scheme }),
    ...(row.funding_source === null ? {} : { fundingSource: row.funding_source }),
    ...(row.bin === null ? {} : { bin: row.bin }),
    ...(row.issuer_country === null ? {} : { issuerCountry: row.issuer_country }),
  };
}
