// Generated from openapi/operator.json by npm run generate; do not edit.

/** How calls to the merchant's server are authenticated. Default: none. */
export type MerchantAuthJson = {
  readonly type: 'none';
} | {
  readonly type: 'api_key';
  /** Sent in the header x-api-key. */
  readonly api_key: string;
} | {
  readonly type: 'basic';
  /** The user name of HTTP Basic. */
  readonly username: string;
  /** A secret; never shown again. */
  readonly password: string;
};

/** A processor, with the credentials it needs under that processor's own names. */
export type PspCredentialsJson = {
  /** The processor. */
  readonly psp: PspJson;
} & Readonly<Record<string, string>>;

export type PspJson = 'stripe' | 'adyen' | 'braintree' | 'worldpay' | 'checkout' | 'paypal' | 'recurly' | 'recharge' | 'sandbox';

export type PolicySettingsJson = {
  /** fixed: on the days of fixed_days. even: max_attempts tries evenly over the window. learned: when a model trained on past tries expects most; fixed_days are then the schedule of the payments that it does not plan, and the one it has to beat. */
  readonly kind?: PolicyKindJson;
  /** Days from the failure to the last moment of a try. Default: 28. */
  readonly window_days?: number;
  /** Tries in all. Default: 8. */
  readonly max_attempts?: number;
  /** Days after the failure, ascending, inside the window. Default: an even spread of the tries over it. */
  readonly fixed_days?: readonly number[];
  /** For learned: the share of payments that always stay on fixed_days, to compare with. Default: 0.1. */
  readonly holdout_share?: number;
  /** For learned: the share of payments that the model plans, set by hand. If left out: none until a model is trained, then 10, 50 and 90 %, each step once the payments of the step before did as well as the others. */
  readonly learned_share?: number;
  /** For learned: the share of decisions that take a random time, to learn from. Default: 0.07. */
  readonly explore_share?: number;
};

export type PolicyKindJson = 'fixed' | 'even' | 'learned';

/** The merchant, with secrets that only this answer shows. */
export type CreatedMerchantJson = MerchantJson & {
  /** For x-api-key of the recovery API. */
  readonly recovery_api_key: string;
  /** For HTTP Basic of the disputes API. */
  readonly disputes_username: string;
  readonly disputes_password: string;
  /** The key of the webhook signatures. */
  readonly signing_secret: string;
};

/** The merchant, without its secrets. */
export type MerchantJson = {
  /** The merchant's id, as its creation answered it. */
  readonly id: string;
  readonly name: string;
  readonly retry_status_url: string;
  readonly webhook_url: string;
  /** How calls to the merchant's server are authenticated. */
  readonly auth: {
    /** The method. */
    readonly type: AuthTypeJson;
  };
  readonly psps: readonly {
    /** Which processor charges go through. */
    readonly psp: PspJson;
    /** Where this PSP is to send its webhooks. */
    readonly webhook_url: string;
  }[];
  readonly policy: PolicyJson;
  readonly time_zone: string;
  readonly end_of_dunning: boolean;
  readonly incident_events: boolean;
  readonly customer_action_events: boolean;
  readonly customer_page_url?: string;
  readonly webhook_quick_sends: boolean;
  readonly webhook_pause_after_days?: number;
  /** Since when the webhook address is sent nothing. */
  readonly webhook_paused_at?: string;
  /** When it was created. */
  readonly created_at: string;
  /** When it was last changed. */
  readonly updated_at: string;
  /** Its way to another cell; absent while it is here and stays. */
  readonly move?: MerchantMoveJson;
};

/** The method. */
export type AuthTypeJson = 'none' | 'api_key' | 'basic';

export type PolicyJson = {
  /** The family of schedules. */
  readonly kind: PolicyKindJson;
  readonly window_days: number;
  readonly max_attempts: number;
  readonly fixed_days: readonly number[];
  /** For learned: the share of payments that stay on fixed_days. */
  readonly holdout_share?: number;
  /** For learned: the share of payments that the model plans, set by hand. */
  readonly learned_share?: number;
  /** For learned: the share that its own payments have earned: 0, 0.1, 0.5 or 0.9. */
  readonly learned_step?: number;
  /** For learned: the share of decisions that take a random time. */
  readonly explore_share?: number;
};

/** Its way to another cell; absent while it is here and stays. */
export type MerchantMoveJson = {
  /** Once it has moved, all that is left here are copies. */
  readonly state: 'moving' | 'moved';
  /** The other cell's name, if it has one. */
  readonly to_cell?: string;
  /** When the move began; once it is over, when it ended. */
  readonly since: string;
};

/** How the call went. */
export type EndpointTestJson = {
  /** Which of the merchant's two addresses. */
  readonly endpoint: 'webhook' | 'retry_status';
  /** Whether the engine could use the answer. */
  readonly result: 'passed' | 'failed';
  /** The HTTP status, if there was one. */
  readonly status?: number;
  /** How long the call took. */
  readonly duration_ms: number;
  /** What happened. */
  readonly message: string;
  /** What to mend. */
  readonly advice?: string;
  /** When it was called, in the service's time. */
  readonly sent_at: string;
};

export type StatedMonthJson = {
  /** In UTC. */
  readonly month: string;
  /** Days of the month that are stated. */
  readonly days: number;
  /** Whether the month's last day is stated. */
  readonly complete: boolean;
};

/** What the month came to. */
export type MonthlyStatementJson = {
  readonly month: string;
  /** Days of the month that are stated. */
  readonly days: number;
  /** The last daily statement whose corrections are in the figures. */
  readonly as_of: {
    readonly day: string;
    readonly hash: string;
  };
  /** One for each account and currency. */
  readonly accounts: readonly MonthlyAccountJson[];
  readonly events: MonthlyEventsJson;
  /** Of each account successes, recovered and announced are equal, and events created are the other three together. */
  readonly agrees: boolean;
};

export type MonthlyAccountJson = {
  readonly psp: string;
  /** Which account there; 0: not known. */
  readonly connection_version: number;
  /** Empty for incidents that have no amount. */
  readonly currency: string;
  /** In the minor unit of the currency. */
  readonly attempts: MonthlySumJson;
  /** In the minor unit of the currency. */
  readonly declined: MonthlySumJson;
  /** In the minor unit of the currency. */
  readonly successes: MonthlySumJson;
  /** In the minor unit of the currency. */
  readonly recovered: MonthlySumJson;
  /** In the minor unit of the currency. */
  readonly announced: MonthlySumJson;
  /** In the minor unit of the currency. */
  readonly refunds: MonthlySumJson;
  /** In the minor unit of the currency. */
  readonly incidents: MonthlySumJson;
};

/** In the minor unit of the currency. */
export type MonthlySumJson = {
  readonly count: number;
  readonly amount_minor: number;
};

export type MonthlyEventsJson = {
  readonly created: number;
  readonly delivered: number;
  readonly pending: number;
  readonly given_up: number;
};

export type CreateMerchantBody = {
  /** What people call the merchant. */
  readonly name: string;
  /** Asked before each try; {invoice_id} in its path or query is replaced by the invoice. */
  readonly retry_status_url: string;
  /** Where the results are sent. */
  readonly webhook_url: string;
  /** How calls to the merchant's server are authenticated. Default: none. */
  readonly auth?: MerchantAuthJson;
  readonly psps: readonly PspCredentialsJson[];
  readonly policy?: PolicySettingsJson;
  /** Whether to send the incident event too. Default: false. */
  readonly incident_events?: boolean;
  /** The merchant's own time zone (IANA name), in which days chosen on the dashboard may begin and end. Default: UTC. */
  readonly time_zone?: string;
  /** Whether to send customer_action_required and customer_action_resolved too. Default: false. */
  readonly customer_action_events?: boolean;
  /** Your page for a customer who has to act, with {token} in its path, query or fragment. customer_action_required and messages then carry a signed link to it. Empty: none. */
  readonly customer_page_url?: string;
  /** Whether a webhook that was not acknowledged is sent again after 5 s, 1 min, 10 min and 1 h too, before the 12 hours. Default: false. */
  readonly webhook_quick_sends?: boolean;
  /** Days of nothing but failures after which it is paused; 0: never. Default: 0. */
  readonly webhook_pause_after_days?: number;
  /** Whether to send the end_of_dunning event too. Default: false. */
  readonly end_of_dunning?: boolean;
};

export type ListMerchantsQuery = {
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListMerchantsAnswer = {
  readonly items: readonly MerchantJson[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type ChangeMerchantBody = {
  /** What people call the merchant. */
  readonly name?: string;
  /** Asked before each try; {invoice_id} in its path or query is replaced by the invoice. */
  readonly retry_status_url?: string;
  /** Where the results are sent. */
  readonly webhook_url?: string;
  /** How calls to the merchant's server are authenticated. Default: none. */
  readonly auth?: MerchantAuthJson;
  readonly psps?: readonly PspCredentialsJson[];
  readonly policy?: PolicySettingsJson;
  /** Whether to send the incident event too. Default: false. */
  readonly incident_events?: boolean;
  /** The merchant's own time zone (IANA name), in which days chosen on the dashboard may begin and end. Default: UTC. */
  readonly time_zone?: string;
  /** Whether to send customer_action_required and customer_action_resolved too. Default: false. */
  readonly customer_action_events?: boolean;
  /** Your page for a customer who has to act, with {token} in its path, query or fragment. customer_action_required and messages then carry a signed link to it. Empty: none. */
  readonly customer_page_url?: string;
  /** Whether a webhook that was not acknowledged is sent again after 5 s, 1 min, 10 min and 1 h too, before the 12 hours. Default: false. */
  readonly webhook_quick_sends?: boolean;
  /** Days of nothing but failures after which it is paused; 0: never. Default: 0. */
  readonly webhook_pause_after_days?: number;
  /** Whether to send the end_of_dunning event too. Default: false. */
  readonly end_of_dunning?: boolean;
};

export type TestEndpointBody = {
  /** Which of the merchant's two addresses. */
  readonly endpoint: 'webhook' | 'retry_status';
};

export type ListMonthlyStatementsAnswer = {
  readonly items: readonly StatedMonthJson[];
};

export type ShowMonthlyStatementQuery = {
  /** In place of an Accept header, for links. */
  readonly format?: 'json' | 'csv' | 'pdf';
};
