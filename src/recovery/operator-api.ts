import type { Merchant, MerchantAuth, PolicySettings } from '../domain/merchant.ts';
import type { Money } from '../domain/money.ts';
import type { AccountMode, Psp } from '../domain/psps.ts';
import type { DeliveryState, PaymentState } from '../domain/states.ts';
import type { AccountingApi } from './accounting/accounting-api.ts';
import type {
  DeliveryView,
  InvoiceOf,
  Page,
  PaymentSummary,
  PaymentView,
  RedeliverOutcome,
  RetryOutcome,
  StopOutcome,
} from './api.ts';
import type { ResolveByHandInput, ResolveByHandOutcome } from './engine/resolve-by-hand.ts';
import type { Incident, ListIncidents } from './incidents/incident-ports.ts';
import type { ResolveOutcome } from './incidents/resolve-incident.ts';
import type { PolicyApi } from './policy-api.ts';
import type { CredentialsCheck } from './psp-ports.ts';
import type { ReconciliationApi } from './reconciliation/reconciliation-api.ts';
import type { Overview, OverviewQuery, RetryMap, RetryMapQuery } from './reports/overview.ts';
import type { PaymentTimeline } from './reports/payment-story.ts';
import type {
  DeliveryDetail,
  EndpointHealth,
  ReplayBegun,
  ReplayProgress,
  ReplayScope,
  SignatureTest,
  SignatureVerdict,
} from './reports/webhooks.ts';
import type { ListSetAside, SetAside, WorkKey } from './set-aside/set-aside-ports.ts';
import type { UpliftQuery, UpliftReport } from './uplift.ts';

/** What the operator may ask. Unknown merchants give undefined; refused input is an AppError. */
export interface OperatorApi
  extends AdminApi,
    PaymentActions,
    WebhookViews,
    OverviewViews,
    PolicyApi,
    AccountingApi,
    ReconciliationApi {
  /** Calls one of the merchant's addresses as the engine does, and touches no payment. */
  testEndpoint(merchantId: string, endpoint: EndpointKind): Promise<EndpointTest | undefined>;
  /** Resolves a charge whose answer was lost by what a person saw at the PSP. */
  resolveUnknownCharge(input: ResolveByHandInput): Promise<ResolveByHandOutcome>;
  /** The newest first. */
  listIncidents(input: ListIncidents): Promise<Page<Incident>>;
  findIncident(incidentId: string): Promise<Incident | undefined>;
  refundIncident(input: { incidentId: string; reason: string }): Promise<ResolveOutcome>;
  dismissIncident(input: { incidentId: string; reason: string }): Promise<ResolveOutcome>;
  /** The longest set aside first. */
  listSetAside(input: ListSetAside): Promise<Page<SetAside>>;
  /** False where no such work is set aside. */
  retrySetAside(input: WorkKey): Promise<boolean>;
}

/** The operator's part of the work that needs no engine: merchants, credentials and reports. */
export interface AdminApi {
  createMerchant(input: NewMerchant): Promise<CreatedMerchant>;
  showMerchant(merchantId: string): Promise<MerchantView | undefined>;
  listMerchants(input: { cursor?: string; limit: number }): Promise<Page<MerchantView>>;
  changeMerchant(merchantId: string, change: MerchantChange): Promise<MerchantView | undefined>;
  /** Every PSP that can be connected, with the credentials of a connection to it. */
  listPsps(): Promise<SupportedPsps>;
  /** Connects one PSP, or changes its credentials; the others stay. They are tested first. */
  connectPsp(merchantId: string, connection: PspConnection): Promise<PspConnectionView | undefined>;
  /** Tests a connection as it is kept. */
  testPsp(merchantId: string, psp: Psp): Promise<PspConnectionView | undefined>;
  /** Undefined where there is no such connection. */
  disconnectPsp(merchantId: string, psp: Psp): Promise<DisconnectedPsp | undefined>;
  /** Every account that was ever connected, with what is open at it. */
  listPspAccounts(merchantId: string): Promise<readonly PspAccountView[] | undefined>;
  listCredentials(merchantId: string): Promise<readonly CredentialView[] | undefined>;
  /** A new credential beside the present ones; its text is shown in this answer alone. */
  issueCredential(merchantId: string, kind: CredentialKind): Promise<IssuedCredential | undefined>;
  /** A new credential; the present ones of its kind end after `overlapMs`. */
  rotateCredential(
    merchantId: string,
    kind: CredentialKind,
    overlapMs: number,
  ): Promise<IssuedCredential | undefined>;
  /** Ends one at once. False where it is not there or has ended. */
  revokeCredential(merchantId: string, credentialId: string): Promise<boolean>;
  listDeliveries(input: ListDeliveries): Promise<Page<OperatorDelivery>>;
  /**
   * Has every exhausted delivery created since sent again, in the background. Asked again while
   * that goes on, it changes nothing; after it, it takes what is left.
   */
  replayExhausted(input: { merchantId: string; since: Date }): Promise<ReplayBegun>;
  listPayments(input: OperatorListPayments): Promise<Page<PaymentSummary & { merchantId: string }>>;
  /** What the learned policy recovers over the holdout, with intervals. */
  showUplift(input: UpliftQuery): Promise<UpliftReport>;
}

/** What operators see and do of single payments and events. */
export interface PaymentActions {
  showPayment(input: { merchantId: string; invoiceId: string }): Promise<PaymentView | undefined>;
  /** The payment and everything that touched it, in order. */
  showTimeline(input: InvoiceOf): Promise<PaymentTimeline | undefined>;
  retryPayment(input: {
    merchantId: string;
    invoiceId: string;
    retryAt?: Date;
  }): Promise<RetryOutcome>;
  stopPayment(input: {
    merchantId: string;
    invoiceId: string;
    reason: string;
  }): Promise<StopOutcome>;
  replayDelivery(input: { merchantId: string; eventId: string }): Promise<RedeliverOutcome>;
}

/** How webhooks do, and whether one is genuine. */
export interface WebhookViews {
  /** How the webhook endpoints do, those that fail first. */
  listEndpoints(input: { merchantId?: string }): Promise<readonly EndpointHealth[]>;
  /** An event as it is sent, with every send. */
  showDelivery(input: { merchantId: string; eventId: string }): Promise<DeliveryDetail | undefined>;
  /** How the deliveries created since, and before `until`, stand that are not delivered. */
  countExhausted(input: ReplayScope): Promise<ReplayProgress>;
  /** Judges a webhook that somebody received, by the merchant's valid secrets. */
  testSignature(input: SignatureTest & { merchantId: string }): Promise<SignatureVerdict>;
}

/** What the service has done, in sums. They may lag; reading brings them on. */
export interface OverviewViews {
  /** Sums of what was recovered, and what needs a person. */
  showOverview(input: Omit<OverviewQuery, 'now'>): Promise<Overview>;
  /** Success of charges by when and why. */
  showRetryMap(input: RetryMapQuery): Promise<RetryMap>;
}

/** Of charges at `from` or later and before `to`; an end that is left out is open. */
export interface FeesQuery {
  readonly merchantId: string;
  readonly from?: Date;
  readonly to?: Date;
}

/** Fees of one rule in one currency, in micros of its major unit: some are tenths of a cent. */
export interface FeeTotal {
  readonly network: string;
  readonly rule: string;
  readonly currency: string;
  /** Of charges that were made, ours and those that merchants reported. */
  readonly expectedMicros: number;
  readonly expectedCount: number;
  /** Of charges that the rule refused. */
  readonly avoidedMicros: number;
  readonly avoidedCount: number;
}

export interface ListCardsNearLimit {
  readonly merchantId?: string;
  /** The end of the 30 days. */
  readonly at: Date;
  readonly cursor?: string;
  readonly limit: number;
}

/** A card and how much of a network's limit over 30 days it has used. */
export interface CardNearLimit {
  readonly merchantId: string;
  /** Its fingerprint, or the id of its method; never a number. */
  readonly card: string;
  readonly acceptor: string;
  readonly network: string;
  /** What is counted apart from the card's other charges. */
  readonly counter?: string;
  readonly tries: number;
  readonly most: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** Of the last try. */
  readonly paymentMethodId: string;
  readonly invoiceId: string;
}

export interface ListUnknownCharges {
  /** Absent: every merchant's, the operator's own report. */
  readonly merchantId?: string;
  readonly cursor?: string;
  readonly limit: number;
}

/** All that is known of a charge that may have been made. */
export interface UnknownChargeView {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly attemptId: string;
  readonly psp: Psp;
  /** What the PSP was sent to know it by: a person finds it there under this. */
  readonly idempotencyKey: string;
  readonly paymentMethodId: string;
  readonly pspCustomerId?: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly sentAt: Date;
  readonly lookUps: number;
  /** What the last look-up said. */
  readonly reason?: string;
  /** Absent: the PSP is asked no more, and a person has to resolve it. */
  readonly nextLookUpAt?: Date;
}

export interface InvariantView {
  /** Such as `one_success_per_invoice`. */
  readonly name: string;
  readonly promise: string;
  readonly breaches: number;
}

export interface NewMerchant {
  readonly name: string;
  readonly retryStatusUrl: string;
  readonly webhookUrl: string;
  readonly auth: MerchantAuth;
  readonly psps: readonly PspConnection[];
  readonly policy: PolicySettings;
  readonly endOfDunning: boolean;
  readonly incidentEvents?: boolean;
}

/** Credentials of a PSP connection, by that PSP's own names; the sandbox has none. */
export interface PspConnection {
  readonly psp: Psp;
  readonly credentials: Readonly<Record<string, string>>;
}

/** A connection and what its PSP said when it was tested just now. */
export interface PspConnectionView {
  readonly psp: Psp;
  readonly check: CredentialsCheck;
  readonly checkedAt: Date;
  readonly mode: AccountMode;
  /** 1 for the first account there, and one more for each other that replaced it. */
  readonly version: number;
  /** The account that it replaced just now. */
  readonly retired?: { readonly version: number; readonly open?: OpenCharges };
}

/** An account that was removed, and what is still open at it. */
export interface DisconnectedPsp {
  readonly psp: Psp;
  readonly version: number;
  readonly open?: OpenCharges;
}

/** Charges of an account that may have been made: they are under way, or their answer was lost. */
export interface OpenCharges {
  readonly count: number;
  /** One for each currency. */
  readonly amounts: readonly Money[];
  readonly oldestSentAt: Date;
}

/** One account at a PSP, present or past. */
export interface PspAccountView {
  readonly psp: Psp;
  readonly version: number;
  /** Its id there, where the PSP or the credentials name it. */
  readonly account?: string;
  readonly mode: AccountMode;
  readonly state: 'active' | 'retired';
  readonly connectedAt: Date;
  readonly retiredAt?: Date;
  /** Since then its charges cannot be looked up any more. */
  readonly credentialsDestroyedAt?: Date;
  readonly open?: OpenCharges;
}

/** The PSPs that can be connected, each with the credentials of a connection to it. */
export type SupportedPsps = Readonly<Partial<Record<Psp, readonly PspCredentialField[]>>>;

export interface PspCredentialField {
  readonly name: string;
  readonly required: boolean;
  /** Whether the text opens something; others, such as an account's name, do not. */
  readonly secret: boolean;
  /** What it is and where a merchant finds it, in a sentence. */
  readonly meaning: string;
}

export interface MerchantChange {
  readonly name?: string;
  readonly retryStatusUrl?: string;
  readonly webhookUrl?: string;
  readonly auth?: MerchantAuth;
  readonly psps?: readonly PspConnection[];
  readonly policy?: PolicySettings;
  readonly endOfDunning?: boolean;
  readonly incidentEvents?: boolean;
}

/** A merchant without its secrets; `authType` says how calls to it are authenticated. */
export interface MerchantView extends Merchant {
  readonly authType: MerchantAuth['type'];
  readonly updatedAt: Date;
}

/** Shown once: none of these texts can be read again. */
export interface CreatedMerchant {
  readonly merchant: MerchantView;
  readonly recoveryApiKey: string;
  readonly disputesUsername: string;
  readonly disputesPassword: string;
  readonly signingSecret: string;
}

export const credentialKinds = ['recovery_api_key', 'disputes_password', 'signing_secret'] as const;
export type CredentialKind = (typeof credentialKinds)[number];

export interface CredentialView {
  readonly credentialId: string;
  readonly kind: CredentialKind;
  /** The text's public beginning and end, such as `rk_test_3f…9x2c`. */
  readonly hint: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  readonly lastUsedAt?: Date;
}

export interface IssuedCredential extends CredentialView {
  readonly text: string;
}

export const endpointKinds = ['webhook', 'retry_status'] as const;
export type EndpointKind = (typeof endpointKinds)[number];

/** How a test call to a merchant's address went. */
export interface EndpointTest {
  readonly endpoint: EndpointKind;
  readonly sentAt: Date;
  readonly result: 'passed' | 'failed';
  readonly status?: number;
  readonly durationMs: number;
  readonly words: string;
  /** What to mend. */
  readonly advice?: string;
}

export interface ListDeliveries {
  readonly merchantId: string;
  readonly status?: DeliveryState;
  readonly invoiceId?: string;
  readonly cursor?: string;
  readonly limit: number;
}

export interface OperatorDelivery extends DeliveryView {
  readonly invoiceId: string;
  readonly sequence: bigint;
  readonly createdAt: Date;
  readonly log: readonly DeliveryTry[];
}

export interface DeliveryTry {
  readonly number: number;
  readonly sentAt: Date;
  readonly status?: number;
  readonly error?: string;
  readonly durationMs: number;
}

export interface ListPspEvents {
  readonly merchantId: string;
  readonly psp?: Psp;
  readonly cursor?: string;
  readonly limit: number;
}

export interface OperatorListPayments {
  /** Absent: every merchant's, the operator's own report. */
  readonly merchantId?: string;
  readonly status?: PaymentState;
  readonly createdFrom?: Date;
  readonly createdTo?: Date;
  /** Finds the payments with this id in any of their id fields. */
  readonly search?: string;
  readonly cursor?: string;
  readonly limit: number;
}
