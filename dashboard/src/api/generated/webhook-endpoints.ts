// Generated from openapi/operator.json by npm run generate; do not edit.
import type { AuthTypeJson, MerchantAuthJson } from './merchants.ts';

/** An address that events of the merchant are sent to, without its secrets. */
export type WebhookEndpointJson = {
  /** primary: the merchant's own webhook address. */
  readonly id: string;
  readonly url: string;
  readonly event_types: readonly EventTypeJson[];
  /** Whether what it does not accept is sent again within the first hour, too. */
  readonly quick_sends: boolean;
  readonly auth: EndpointAuthJson;
  /** Headers that its calls carry besides; their values are secrets. */
  readonly header_names: readonly string[];
  /** Days of nothing but failures after which it is paused. */
  readonly pause_after_days?: number;
  /** Since when it is sent nothing. */
  readonly paused_at?: string;
  /** failures: by Recoup, after days of nothing but failures. */
  readonly paused_by?: 'operator' | 'failures';
  /** When it was created. */
  readonly created_at: string;
};

export type EventTypeJson = 'retry_result' | 'end_of_dunning' | 'incident' | 'customer_action_required' | 'customer_action_resolved';

export type EndpointAuthJson = {
  /** The method. */
  readonly type: AuthTypeJson;
};

/** The endpoint with a signing secret of its own. */
export type SignedWebhookEndpointJson = WebhookEndpointJson & {
  /** Signs what it is sent; never shown again. */
  readonly signing_secret: string;
};

/** How first sends went, by the time at which their events were recorded. */
export type EndpointSuccessJson = {
  /** The length of a step. */
  readonly step: 'hour' | 'day';
  readonly points: readonly EndpointSuccessPointJson[];
};

export type EndpointSuccessPointJson = {
  /** When the step begins. */
  readonly at: string;
  /** Events of the step that were sent once at least. */
  readonly sent: number;
  /** Of them accepted at their first send. */
  readonly accepted: number;
  /** Of up to 200 answers that accepted events of the step. */
  readonly duration_ms?: AnswerTimesJson;
};

export type AnswerTimesJson = {
  readonly median: number;
  readonly p95: number;
};

export type ListMerchantEndpointsAnswer = {
  readonly items: readonly WebhookEndpointJson[];
};

export type CreateEndpointBody = {
  /** Where its events are sent. */
  readonly url: string;
  /** Events of types that the merchant does not ask for are not recorded at all. */
  readonly event_types: readonly EventTypeJson[];
  /** How calls to the merchant's server are authenticated. Default: none. */
  readonly auth?: MerchantAuthJson;
  /** Headers that its calls carry besides, by their names. Their values are kept as secrets. None that Recoup or HTTP sets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether what it does not accept is sent again after 5 s, 1 min, 10 min and 1 h too, before the 12 hours. Default: false. */
  readonly quick_sends?: boolean;
  /** Days of nothing but failures after which it is paused; 0: never. Default: 5. */
  readonly pause_after_days?: number;
};

export type ChangeEndpointBody = {
  /** Where its events are sent. */
  readonly url?: string;
  /** Events of types that the merchant does not ask for are not recorded at all. */
  readonly event_types?: readonly EventTypeJson[];
  /** How calls to the merchant's server are authenticated. Default: none. */
  readonly auth?: MerchantAuthJson;
  /** Headers that its calls carry besides, by their names. Their values are kept as secrets. None that Recoup or HTTP sets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether what it does not accept is sent again after 5 s, 1 min, 10 min and 1 h too, before the 12 hours. Default: false. */
  readonly quick_sends?: boolean;
  /** Days of nothing but failures after which it is paused; 0: never. Default: 5. */
  readonly pause_after_days?: number;
};

export type RotateEndpointSecretBody = {
  /** How long existing ones stay valid, as an ISO 8601 duration: PT0S ends them at once, P90D is the most. Default: P1D. */
  readonly overlap?: string;
};

export type PauseEndpointAnswer = {
  /** false: it was so already. */
  readonly paused: boolean;
};

export type ResumeEndpointAnswer = {
  /** false: it was so already. */
  readonly resumed: boolean;
};

export type ShowEndpointSuccessQuery = {
  /** How many, today included; of one or two the hours are shown. */
  readonly days?: number;
};
