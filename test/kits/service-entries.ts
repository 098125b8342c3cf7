/** Where a running service is reached, and with what: its APIs, the operator's token, the demo merchant's credentials. */
export interface ServiceEntries {
  readonly recoveryUrl: string;
  readonly disputesUrl: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  /** The demo merchant's credentials with Recoup. */
  readonly merchantId: string;
  readonly apiKey: string;
  readonly signingSecret: string;
}
