import type { CredentialScope } from '../../domain/access/scopes.ts';
import type { Merchant, MerchantAuth, PolicySettings } from '../../domain/merchant.ts';
import type { JsonObject } from '../../domain/payment.ts';
import type { Psp } from '../../domain/psps.ts';
import type { CredentialKind, MerchantChange, MerchantView, NewMerchant } from '../operator-api.ts';
import type { KeptPspConnection, PlacedConnection, PspAccountStore } from './psp-account-ports.ts';

/** One line of the audit log. It never holds a secret, and no personal data. */
export interface AuditEntry {
  readonly action: string;
  /** What it was done to. */
  readonly detail: JsonObject;
  /** Values as they were, by their names. */
  readonly before?: JsonObject;
  /** The values after. */
  readonly after?: JsonObject;
  readonly at: Date;
}

/** A credential to be kept: hashed where others show it to us, sealed where we sign with it. */
export interface NewCredential {
  readonly credentialId: string;
  readonly kind: CredentialKind;
  readonly text: string;
  readonly createdAt: Date;
  /** Of keys and passwords. Default: those of the one that it replaces, or all. */
  readonly scopes?: readonly CredentialScope[];
  /** Default: that of the one that it replaces. */
  readonly name?: string;
  readonly expiresAt?: Date;
}

export interface NewMerchantRecord extends Omit<NewMerchant, 'psps'> {
  readonly merchantId: string;
  readonly psps: readonly PlacedConnection[];
  readonly credentials: readonly NewCredential[];
  readonly audit: AuditEntry;
}

export interface AddCredential {
  readonly merchantId: string;
  readonly credential: NewCredential;
  /** When the others of its kind are to end, unless they end sooner. Absent: they stay. */
  readonly endOthersAt?: Date;
  /** Of the others the only one that ends. */
  readonly replaces?: string;
  /** The most that may be valid beside the new one at its creation. */
  readonly maxOthers: number;
  readonly audit: AuditEntry;
}

/** What it became, or why it was not kept. */
export type AddedCredential =
  | Pick<NewCredential, 'scopes' | 'name'>
  | 'no_merchant'
  | 'too_many'
  /** What it should replace is not there, or ended. */
  | 'nothing_to_replace';

export interface EndCredential {
  readonly merchantId: string;
  readonly credentialId: string;
  readonly audit: AuditEntry;
}

/** Each write is one transaction, together with its line of the audit log. */
export interface AdminStore extends PspAccountStore {
  insertMerchant(record: NewMerchantRecord): Promise<void>;
  findMerchant(merchantId: string): Promise<MerchantView | undefined>;
  /**
   * `changed`: a connection is no longer the one that its place was judged by. `policy_changed`: the policy is no
   * longer `standing`, which the new one was made over.
   */
  changeMerchant(input: {
    merchantId: string;
    change: Omit<MerchantChange, 'psps'>;
    psps?: readonly PlacedConnection[];
    standing?: PolicySettings;
    audit: AuditEntry;
  }): Promise<MerchantView | 'changed' | 'policy_changed' | undefined>;
  addCredential(input: AddCredential): Promise<AddedCredential>;
  /** `last_signing_secret`: refused, webhooks could not be signed any more when those have ended that end. */
  endCredential(input: EndCredential): Promise<'ended' | 'not_there' | 'last_signing_secret'>;
}

/** Actions that change nothing of the merchant's own rows: a line of the audit log alone. */
export interface ActionLog {
  noteAction(input: { merchantId: string; audit: AuditEntry }): Promise<void>;
}

/** A credential as it was found by its hash; it is valid unless it has ended. */
export interface FoundCredential {
  readonly merchantId: string;
  readonly credentialId: string;
  readonly scopes: readonly CredentialScope[];
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
}

/** An API key, with what its calls need. */
export interface FoundApiKey extends FoundCredential {
  readonly psps: readonly Psp[];
}

export interface ReadSecrets {
  readonly auth: MerchantAuth;
  /** Newest first. */
  readonly signingSecrets: readonly { readonly text: string; readonly expiresAt?: Date }[];
}

/** A merchant as it was read at one moment; what is sealed is opened when it is asked for. */
export interface MerchantRecord {
  readonly merchant: Merchant;
  /** @throws AppError encryption_key_wrong where a secret does not open */
  openSecrets(): Promise<ReadSecrets>;
  /** Connections whose credentials are still there. @throws AppError encryption_key_wrong */
  openConnections(): Promise<readonly KeptPspConnection[]>;
}

/** The reads that every call and every attempt needs. */
export interface MerchantReads {
  /** With the secrets that are valid at that time; undefined for an unknown merchant. */
  readMerchant(merchantId: string, validAt: Date): Promise<MerchantRecord | undefined>;
  findApiKey(hash: string): Promise<FoundApiKey | undefined>;
  findDisputesPassword(hash: string): Promise<FoundCredential | undefined>;
  /** Notes a use, unless one less than `atMostEveryMs` ago is noted. */
  noteUse(input: {
    merchantId: string;
    credentialId: string;
    at: Date;
    atMostEveryMs: number;
  }): Promise<void>;
}

/** The keyed hash of a credential's text, in hexadecimal: what is kept in the text's place. */
export type HashCredential = (text: string) => string;

/** Credentials that another cell has issued, and those of merchants that have left this one. */
export interface IssuedElsewhere {
  /** The name of this cell, which its own credentials bear; empty where it is none. */
  readonly cell: string;
  /** How a cell hashes what it issues; undefined where no merchant came from there. */
  hasherOf(cell: string): Promise<HashCredential | undefined>;
  /** The merchant that has left, whose credential this was. */
  findMoved(hash: string): Promise<string | undefined>;
}

/** Whether an address, of 1 to 2048 characters, may be kept for a merchant and called. */
export type CheckMerchantUrl = (url: string) => Promise<MerchantUrlVerdict>;
export type MerchantUrlVerdict =
  | { readonly kind: 'ok' }
  /** `detail` is a sentence that says why. */
  | { readonly kind: 'refused'; readonly detail: string };
