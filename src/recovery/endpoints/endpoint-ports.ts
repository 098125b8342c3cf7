import type { MerchantAuth } from '../../domain/merchant.ts';
import type { EventType } from '../../domain/states.ts';
import type { PausedBy } from '../../domain/webhooks/endpoint-pause.ts';
import type { EndpointSecrets, WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { AuditEntry } from '../admin/ports.ts';
import type { EndpointTest } from '../operator-api.ts';

export interface EndpointKey {
  readonly merchantId: string;
  readonly endpointId: string;
}

/** What is chosen for an endpoint. */
export interface EndpointSettings {
  readonly url: string;
  readonly eventTypes: readonly EventType[];
  readonly quickSends: boolean;
  /** Null: it is never paused by itself. */
  readonly pauseAfterDays: number | null;
}

export interface NewEndpoint extends EndpointSettings {
  readonly merchantId: string;
  readonly auth: MerchantAuth;
  readonly headers: Readonly<Record<string, string>>;
}

/** `auth` and `headers` replace what was there as a whole. */
export type EndpointChange = Partial<Omit<NewEndpoint, 'merchantId'>>;

/** An endpoint with a signing secret of its own, shown once. */
export interface SignedEndpoint {
  readonly endpoint: WebhookEndpoint;
  readonly signingSecret: string;
}

export interface EndpointsApi {
  createEndpoint(input: NewEndpoint): Promise<SignedEndpoint>;
  /** Undefined, here and below, where the merchant has no such endpoint. */
  changeEndpoint(key: EndpointKey, change: EndpointChange): Promise<WebhookEndpoint | undefined>;
  /** What is on its way to it is sent no more. */
  removeEndpoint(key: EndpointKey): Promise<boolean>;
  /** A new signing secret; the present ones end after `overlapMs`. */
  rotateEndpointSecret(key: EndpointKey, overlapMs: number): Promise<SignedEndpoint | undefined>;
  /** `primary` names the merchant's own webhook address. False: it is paused already. */
  pauseEndpoint(key: EndpointKey): Promise<boolean | undefined>;
  /** What was kept is sent at once. False: it is not paused. */
  resumeEndpoint(key: EndpointKey): Promise<boolean | undefined>;
  testFurtherEndpoint(key: EndpointKey): Promise<EndpointTest | undefined>;
}

/** Secrets of an endpoint as they are sealed, the newest first. */
export interface StoredEndpointSecrets {
  readonly auth: MerchantAuth;
  readonly headers: Readonly<Record<string, string>>;
  readonly signingSecrets: readonly { readonly text: string; readonly endsAt?: string }[];
}

export interface OpenedEndpoint {
  readonly endpoint: WebhookEndpoint;
  readonly secrets: StoredEndpointSecrets;
}

/** Each write is one transaction, together with its line of the audit log. */
export interface EndpointStore {
  open(key: EndpointKey): Promise<OpenedEndpoint | undefined>;
  insert(input: {
    readonly settings: EndpointSettings;
    readonly key: EndpointKey;
    readonly secrets: StoredEndpointSecrets;
    readonly most: number;
    readonly audit: AuditEntry;
  }): Promise<WebhookEndpoint | 'no_merchant' | 'too_many'>;
  /** `changed`: it is no longer as it was at `readAt`, its last change then. */
  change(input: {
    readonly key: EndpointKey;
    readonly settings: Partial<EndpointSettings>;
    readonly secrets?: StoredEndpointSecrets;
    readonly readAt: Date;
    readonly audit: AuditEntry;
  }): Promise<WebhookEndpoint | 'changed'>;
  remove(input: { readonly key: EndpointKey; readonly audit: AuditEntry }): Promise<boolean>;
  pause(input: {
    readonly key: EndpointKey;
    readonly by: PausedBy;
    readonly audit: AuditEntry;
  }): Promise<boolean | undefined>;
  resume(input: {
    readonly key: EndpointKey;
    readonly audit: AuditEntry;
  }): Promise<boolean | undefined>;
}

/** Further endpoints as sends look them up. */
export interface Endpoints {
  /** Undefined for one that is removed. */
  findEndpoint(key: EndpointKey): Promise<SendableEndpoint | undefined>;
}

export interface SendableEndpoint {
  readonly endpoint: Pick<WebhookEndpoint, 'url' | 'quickSends'>;
  readonly secrets: EndpointSecrets;
}
