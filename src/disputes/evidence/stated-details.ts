/** What a merchant states of one charge. */
export interface StatedCharge {
  /** Acquirer reference number. */
  readonly arn?: string;
  /** The statement descriptor. */
  readonly descriptor?: string;
  readonly productDescription?: string;
}

/** What only the merchant can say of a dispute's charges. */
export interface StatedDetails {
  /** What was sold: of the disputed charge, and of the charges of its subscription. */
  readonly productDescription?: string;
  readonly merchandiseOrServices?: 'merchandise' | 'services';
  /** When the goods or the service were given to the customer; ISO 8601. */
  readonly providedAt?: string;
  /** Of all the charges. */
  readonly descriptor?: string;
  /** Whether customers sign in with the e-mail address that checkouts captured. */
  readonly emailIsLogin?: boolean;
  /** By the PSP's id of the charge. */
  readonly charges?: Readonly<Record<string, StatedCharge>>;
}
