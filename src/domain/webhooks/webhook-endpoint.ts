import type { MerchantAuth, MerchantSecrets } from '../merchant.ts';
import type { EventType } from '../states.ts';
import type { EndpointPause } from './endpoint-pause.ts';

/** The id of the endpoint that every merchant has: the webhook address of its settings. */
export const primaryEndpointId = 'primary';

/** Endpoints of a merchant beside the first one. Each costs a delivery for each event that it takes. */
export const maxFurtherEndpoints = 10;

/** A further address that some of a merchant's events are sent to. */
export interface WebhookEndpoint {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly url: string;
  /** The events that it takes; it gets no others. */
  readonly eventTypes: readonly EventType[];
  /** Whether what it does not accept is sent again within the first hour, too. */
  readonly quickSends: boolean;
  /** Days of nothing but failures after which it is paused; absent: never. */
  readonly pauseAfterDays?: number;
  readonly pause?: EndpointPause;
  readonly authType: MerchantAuth['type'];
  /** Of the headers that its calls carry besides. */
  readonly headerNames: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What calls to an endpoint need besides its address; opened just before the call. */
export interface EndpointSecrets extends MerchantSecrets {
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Days of nothing but failures after which a new endpoint is paused, unless it is given others. */
export const defaultPauseAfterDays = 5;
/** The longest that an endpoint may ask for. */
export const maxPauseAfterDays = 30;
