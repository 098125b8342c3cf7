import { present } from '../domain/present.ts';
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
    ...present({
      scheme: row.scheme ?? undefined,
      fundingSource: row.funding_source ?? undefined,
      bin: row.bin ?? undefined,
      issuerCountry: row.issuer_country ?? undefined,
    }),
  };
}
