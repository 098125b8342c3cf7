import type { Money } from '../../money.ts';
import type { Psp } from '../../psps.ts';
import type { DisputeNetwork } from '../normalise/dispute-network.ts';
import type { ReasonFamily } from '../normalise/reason-codes.ts';
import type { CheckoutElements } from './elements.ts';

/** A charge as the rules see it. */
export interface EvidenceTransaction {
  /** The PSP's id of the charge. */
  readonly id: string;
  readonly psp: Psp;
  /** What the card or its token is known by: a fingerprint, never a card number. */
  readonly credential: string;
  /** When it was processed; only its UTC day counts. */
  readonly processedAt: Date;
  readonly money: Money;
  /** Acquirer reference number. */
  readonly arn?: string;
  /** The statement descriptor. */
  readonly descriptor?: string;
  readonly productDescription?: string;
  /** A renewal or a retry is the merchant's; the first charge at a checkout is the customer's. */
  readonly initiatedBy: 'customer' | 'merchant';
  /** What it inherited is of the same customer, but nothing says that that checkout gave its mandate. */
  readonly isOtherMandate?: boolean;
  readonly elements: CheckoutElements;
}

/** A charge that may prove that the cardholder knew the merchant. */
export interface PriorTransaction extends EvidenceTransaction {
  readonly isPaid: boolean;
  readonly isDisputed: boolean;
  readonly hasFraudReport: boolean;
  /** A charge that only tries whether a card works, such as one of zero. */
  readonly isValidation: boolean;
}

/** Why it is disputed; some PSPs name neither a network nor its code. */
export interface DisputeReason {
  readonly network: DisputeNetwork | 'unknown';
  readonly code: string;
  readonly family: ReasonFamily | 'unknown';
}

/** The charge that is disputed, with its dispute. */
export interface DisputedTransaction extends EvidenceTransaction {
  readonly reason: DisputeReason;
  readonly disputedAt: Date;
  readonly merchandiseOrServices?: 'merchandise' | 'services';
}
