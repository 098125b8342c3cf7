import type { NamedTemplate } from '../../domain/messages/built-in-templates.ts';
import type { MessageSettings } from '../../domain/messages/message-settings.ts';
import type { MessageArm, Telling } from '../../policy/messages/when-to-tell.ts';
import type { WarnFacts } from '../../policy/messages/when-to-warn.ts';
import type { MailOutcome, OpenMessage } from './message-ports.ts';

/** A card and the first moment after its last month: once for each of these a customer may be written to. */
export interface CardMonth {
  readonly merchantId: string;
  readonly paymentMethodId: string;
  readonly cardEndsAt: Date;
}

/** A card that a notice is of, of a merchant that has its customers written to, and that is not begun yet. */
export interface NewCard extends CardMonth {
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly isReachable: boolean;
  readonly holdoutShare: number;
}

/** A card whose customer may have to be written to now, taken under a lease. */
export interface DueCard extends CardMonth {
  readonly merchantName: string;
  readonly customerId: string;
  readonly fence: number;
  readonly facts: WarnFacts;
  readonly settings: MessageSettings;
  readonly customerPageUrl?: string;
  readonly templates: readonly NamedTemplate[];
  readonly addressHash?: string;
  readonly language?: string;
  readonly open?: OpenMessage;
}

interface OfCard {
  readonly card: CardMonth & Pick<DueCard, 'fence'>;
  readonly at: Date;
}

/** What sends messages about cards keeps. A lost lease changes nothing. */
export interface CardMessageStore {
  /** Cards that a notice began of, up to `limit`. */
  findNew(limit: number): Promise<readonly NewCard[]>;
  begin(cards: readonly (NewCard & { readonly arm: MessageArm })[], at: Date): Promise<void>;
  claimDue(input: {
    readonly at: Date;
    readonly leaseUntil: Date;
    readonly limit: number;
  }): Promise<readonly DueCard[]>;
  /** Opens the customer's address; undefined where it is there no more. */
  openAddress(card: Pick<DueCard, 'merchantId' | 'customerId'>): Promise<string | undefined>;
  /**
   * Writes a send down before it is made, if the card's notice is still open at this moment, no payment of the
   * customer is being recovered and the address is not suppressed. False where not, or where the lease was lost.
   */
  intend(
    input: OfCard & {
      readonly messageId: string;
      readonly language: string;
      readonly addressHash: string;
    },
  ): Promise<boolean>;
  /** What became of a send. `nextLookAt`: it is sent again then; absent: that was the last. */
  recordSend(
    input: OfCard & {
      readonly messageId: string;
      readonly outcome: MailOutcome;
      readonly nextLookAt?: Date;
    },
  ): Promise<void>;
  /** Nothing is sent now. An open message of a card that is done with is given up. */
  recordTelling(
    input: OfCard & { readonly telling: Exclude<Telling, { kind: 'send' }> },
  ): Promise<void>;
}
