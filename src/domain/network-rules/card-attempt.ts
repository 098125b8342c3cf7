import type { CardNetwork } from '../declines/decline-codes.ts';
import type { RuledNetwork } from './ruled-network.ts';

/** Who set a charge off: the cardholder, or the merchant without them. */
export type Initiator = 'cit' | 'mit';

/** What stands in for the card: its number, or a network token. */
export type CredentialForm = 'pan' | 'token';

/** `sent`: on its way or its answer was lost; it counts as a decline until more is known. */
export type CardAttemptOutcome = 'sent' | 'approved' | 'declined';

/** One charge of a card at an acceptor, ours or one that the merchant reported. */
export interface CardAttempt {
  /** Names the charge; the same one is never counted twice. */
  readonly id: string;
  readonly invoiceId: string;
  readonly at: Date;
  readonly initiator: Initiator;
  readonly credential: CredentialForm;
  readonly outcome: CardAttemptOutcome;
  /** ISO 8583 DE 39, or the reason code of a direct debit. */
  readonly networkCode?: string;
  /** Mastercard's merchant advice code. */
  readonly adviceCode?: string;
}

/** What the rules ask of a card. Countries are ISO 3166 codes of two letters. */
export interface CardFacts {
  readonly network: RuledNetwork;
  readonly credential: CredentialForm;
  readonly issuerCountry?: string;
  readonly acquirerCountry?: string;
  /**
   * When the merchant last said that what stands behind the method was replaced. What was said of
   * the card before it was said of another one. Left out where a fingerprint that
   * was learned since names the card itself.
   */
  readonly renewedAt?: Date;
}

/** What the answer to a charge tells of the card that was charged. */
export interface ChargedCard {
  /** The same text for the same card at one PSP, whichever of its methods stands for it. */
  readonly fingerprint?: string;
  readonly network?: CardNetwork;
  readonly credentialForm?: CredentialForm;
}

/** A charge that is to be judged. */
export interface ProposedCharge extends CardFacts {
  readonly invoiceId: string;
  readonly at: Date;
  readonly initiator: Initiator;
  readonly amountMinor: number;
  readonly currency: string;
}
