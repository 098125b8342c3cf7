import type { Decline } from '../../domain/declines/decline.ts';
import type { NamedTemplate } from '../../domain/messages/built-in-templates.ts';
import type { MessageSettings } from '../../domain/messages/message-settings.ts';
import type { MessageReason } from '../../domain/messages/message-template.ts';
import type { MessageArm, TellFacts, Telling } from '../../policy/messages/when-to-tell.ts';

export const customerMessageStates = ['sending', 'sent', 'refused', 'bounced', 'given_up'] as const;
export type CustomerMessageState = (typeof customerMessageStates)[number];

export const suppressionReasons = ['stopped', 'bounced', 'complained', 'operator'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** A payment that waits for its customer, of a merchant that has them written to, and is not begun yet. */
export interface NewThread {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly customerId: string;
  readonly isReachable: boolean;
  readonly holdoutShare: number;
}

/** A message that was begun and has no answer yet. */
export interface OpenMessage {
  readonly messageId: string;
  readonly number: number;
  readonly tries: number;
  readonly unanswered: number;
}

/** A payment whose customer may have to be written to now, taken under a lease. */
export interface DueThread {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly invoiceId: string;
  readonly fence: number;
  readonly facts: TellFacts;
  readonly settings: MessageSettings;
  readonly customerPageUrl?: string;
  readonly templates: readonly NamedTemplate[];
  /** What was declined last. */
  readonly decline: Decline;
  readonly amountMinor: number;
  readonly currency: string;
  readonly addressHash?: string;
  readonly language?: string;
  readonly open?: OpenMessage;
}

/** One message to one customer, as it is handed to the mail server. */
export interface CustomerMail {
  readonly messageId: string;
  readonly from: string;
  readonly replyTo?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Stops messages by one request, without a question (RFC 8058). */
  readonly stopUrl: string;
}

/**
 * `refused`: this recipient does not exist, or takes nothing. `later`: the server took nothing, for a reason
 * of its own or of the moment. `unclear`: the answer was lost, so it may have been taken.
 */
export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused' | 'later' | 'unclear'; readonly detail: string };

/** Hands a message over. It never rejects for what the other side does. */
export type SendMail = (mail: CustomerMail) => Promise<MailOutcome>;

interface OfThread {
  readonly thread: Pick<DueThread, 'merchantId' | 'invoiceId' | 'fence'>;
  readonly at: Date;
}

/** What sends messages keeps. A lost lease changes nothing. */
export interface MessageStore {
  /** Payments that began to wait, up to `limit`. */
  findNew(limit: number): Promise<readonly NewThread[]>;
  begin(threads: readonly (NewThread & { readonly arm: MessageArm })[], at: Date): Promise<void>;
  claimDue(input: {
    readonly at: Date;
    readonly leaseUntil: Date;
    readonly limit: number;
  }): Promise<readonly DueThread[]>;
  /** Opens the customer's address; undefined where it is there no more. */
  openAddress(thread: Pick<DueThread, 'merchantId' | 'invoiceId'>): Promise<string | undefined>;
  /**
   * Writes a send down before it is made, if the payment still waits for its customer at this moment, and
   * the address is not suppressed. False where not, or where the lease was lost.
   */
  intend(
    input: OfThread & {
      readonly messageId: string;
      readonly number: number;
      readonly reason: MessageReason;
      readonly language: string;
      readonly addressHash: string;
    },
  ): Promise<boolean>;
  /** What became of a send: `nextLookAt` when the thread is looked at again. */
  recordSend(
    input: OfThread & {
      readonly messageId: string;
      readonly outcome: MailOutcome;
      /** Whether it is not sent again, where it was not sent. */
      readonly givesUp: boolean;
      readonly nextLookAt: Date;
    },
  ): Promise<void>;
  /** Nothing is sent now. An open message of an ended thread is given up. */
  recordTelling(
    input: OfThread & { readonly telling: Exclude<Telling, { kind: 'send' }> },
  ): Promise<void>;
  /**
   * Removes addresses last reported before `before`, of customers without a payment that is open and without a
   * card that ends before a renewal after `at`.
   */
  forgetAddresses(times: { readonly before: Date; readonly at: Date }): Promise<void>;
}
