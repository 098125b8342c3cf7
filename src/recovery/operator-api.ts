import type { CredentialScope } from '../domain/access/scopes.ts';
import type { Merchant, MerchantAuth, PolicySettings } from '../domain/merchant.ts';
import type { Money } from '../domain/money.ts';
import type { AccountMode, Psp } from '../domain/psps.ts';
import type { AccountingApi } from './accounting/accounting-api.ts';
import type { AlertsApi } from './alerts/alerts-api.ts';
import type { RedeliverOutcome, RetryOutcome, StopOutcome } from './api.ts';
import type { BulkApi } from './bulk/bulk-ports.ts';
import type { EndpointsApi } from './endpoints/endpoint-ports.ts';
import type { ResolveByHandInput, ResolveByHandOutcome } from './engine/resolve-by-hand.ts';
import type { ResolveOutcome } from './incidents/resolve-incident.ts';
import type { KeysApi } from './keys/key-ports.ts';
import type { MessagesApi } from './messages/messages-api.ts';
import type { PolicyApi } from './policy-api.ts';
import type { CredentialsCheck } from './psp-ports.ts';
import type { ReconciliationApi } from './reconciliation/reconciliation-api.ts';
import type { ReplaysApi } from './replays/replay-ports.ts';
import type { SignatureTest, SignatureVerdict } from './reports/webhooks.ts';
import type { WorkKey } from './set-aside/set-aside-ports.ts';

/**
 * What the operator may have done; what he may read, `src/operator/` asks the store. Unknown merchants
 * give undefined; refused input is an AppError.
 */
export interface OperatorApi
  extends AdminApi,
    PaymentActions,
    PolicyApi,
    AccountingApi,
    KeysApi,
    ReplaysApi,
    EndpointsApi,
    BulkApi,
    ReconciliationApi,
    AlertsApi,
    MessagesApi {
  /** Calls one of the merchant's addresses as the engine does, and touches no payment. */
  testEndpoint(merchantId: string, endpoint: EndpointKind): Promise<EndpointTest | undefined>;
  /** Judges a webhook that somebody received, by the merchant's valid secrets. */
  testSignature(input: SignatureTest & { merchantId: string }): Promise<SignatureVerdict>;
  /** Settles a charge whose answer was lost by what a person saw at the PSP. */
  resolveUnknownCharge(input: ResolveByHandInput): Promise<ResolveByHandOutcome>;
  refundIncident(input: { incidentId: string; reason: string }): Promise<ResolveOutcome>;
  dismissIncident(input: { incidentId: string; reason: string }): Promise<ResolveOutcome>;
  /** False where no such work is set aside. */
  retrySetAside(input: WorkKey): Promise<boolean>;
}

/** The operator's part of the work that needs no engine: merchants and credentials. */
export interface AdminApi {
  createMerchant(input: NewMerchant): Promise<CreatedMerchant>;
  /** `standing`: the policy that the change's own was made over. @throws AppError conflict where another one stands by now */
  changeMerchant(
    merchantId: string,
    change: MerchantChange,
    standing?: PolicySettings,
  ): Promise<MerchantView | undefined>;
  /** Connects one PSP, or changes its credentials; the others stay. They are tested first. */
  connectPsp(merchantId: string, connection: PspConnection): Promise<PspConnectionView | undefined>;
  /** Tests a connection as it is kept. */
  testPsp(merchantId: string, psp: Psp): Promise<PspConnectionView | undefined>;
  /** Undefined where there is no such connection. */
  disconnectPsp(merchantId: string, psp: Psp): Promise<DisconnectedPsp | undefined>;
  /** A new credential beside the present ones; its text is shown in this answer alone. */
  issueCredential(
    merchantId: string,
    wanted: WantedCredential,
  ): Promise<IssuedCredential | undefined>;
  /** A new credential; the present ones of its kind, or the one that it replaces, end after `overlapMs`. */
  rotateCredential(
    merchantId: string,
    wanted: WantedCredential & { readonly replaces?: string },
    overlapMs: number,
  ): Promise<IssuedCredential | undefined>;
  /** Ends one at once. False where it is not there or has ended. */
  revokeCredential(merchantId: string, credentialId: string): Promise<boolean>;
}

/** What operators do to single payments and events. */
export interface PaymentActions {
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
  /** To the merchant's own webhook address, or to a further endpoint that has had the event. */
  replayDelivery(input: {
    merchantId: string;
    eventId: string;
    endpointId?: string;
  }): Promise<RedeliverOutcome>;
}

export interface NewMerchant {
  readonly name: string;
  readonly retryStatusUrl: string;
  readonly webhookUrl: string;
  readonly auth: MerchantAuth;
  readonly psps: readonly PspConnection[];
  readonly policy: PolicySettings;
  /** UTC, unless told otherwise. */
  readonly timeZone?: string;
  readonly endOfDunning: boolean;
  readonly incidentEvents?: boolean;
  readonly customerActionEvents?: boolean;
  /** Null: none. */
  readonly customerPageUrl?: string | null;
  readonly webhookQuickSends?: boolean;
  /** Null: never. */
  readonly webhookPauseAfterDays?: number | null;
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
  /** What the PSP's own pages call it. */
  readonly label: string;
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
  readonly timeZone?: string;
  readonly endOfDunning?: boolean;
  readonly incidentEvents?: boolean;
  readonly customerActionEvents?: boolean;
  readonly customerPageUrl?: string | null;
  readonly webhookQuickSends?: boolean;
  readonly webhookPauseAfterDays?: number | null;
}

/** `moving`: on its way to another cell. `moved`: it is there, and what is left here are copies. */
export const moveStates = ['moving', 'moved'] as const;

/** A merchant's way out of this cell. */
export interface MerchantMove {
  readonly state: (typeof moveStates)[number];
  /** The other cell's name, where it has one. */
  readonly toCell?: string;
  /** When the move began; once it is over, when it was. */
  readonly since: Date;
}

/** A merchant without its secrets; `authType` says how calls to it are authenticated. */
export interface MerchantView extends Merchant {
  readonly authType: MerchantAuth['type'];
  readonly updatedAt: Date;
  /** Absent: it is here, and stays. */
  readonly move?: MerchantMove;
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

/** What a new credential is to be. */
export interface WantedCredential {
  readonly kind: CredentialKind;
  /** Default: all. */
  readonly scopes?: readonly CredentialScope[];
  readonly name?: string;
  /** Default: for ever. */
  readonly validMs?: number;
}

export interface CredentialView {
  readonly credentialId: string;
  readonly kind: CredentialKind;
  /** The text's public beginning and end, such as `rk_test_3f…9x2c`. */
  readonly hint: string;
  /** What a key or a password may be used for; a signing secret has none. */
  readonly scopes?: readonly CredentialScope[];
  /** Which system holds it, in words. */
  readonly name?: string;
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
  readonly message: string;
  /** What to mend. */
  readonly advice?: string;
}
