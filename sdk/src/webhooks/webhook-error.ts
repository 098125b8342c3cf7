/** Why a webhook is not to be believed, each with what the receiver's engineer should do. */
export const webhookFaults = {
  no_secret: {
    message: 'There is no signing secret to verify the webhook with',
    action:
      'Give verifyWebhook the signing secret that Recoup issued, or a list of all valid ones.',
  },
  body_not_raw: {
    message: 'The body is not raw: it is neither a text nor bytes',
    action:
      'Take the body before any JSON parser does; an object that was parsed cannot be verified.',
  },
  missing_headers: {
    message: 'The webhook carries no signature',
    action:
      'Pass all headers of the request. If a proxy stands before this server, let it pass ' +
      'x-service-webhook-* and webhook-* on. A request that never had them is not from Recoup.',
  },
  malformed_header: {
    message: 'A signature header is not of the right form',
    action: 'Refuse the request. Look whether a proxy rewrites headers or sends them twice.',
  },
  expired: {
    message: 'The signature has expired',
    action:
      'Answer with a status other than 200: Recoup sends the event again, signed afresh. ' +
      'If it happens often, synchronise the clock of this server.',
  },
  wrong_signature: {
    message: 'The signature fits none of the secrets',
    action:
      'Check that the secret is the one of this endpoint, character by character, that a new one ' +
      'stands beside the old one during a rotation, and that the body is the raw one.',
  },
  malformed_body: {
    message: 'The body is genuine but no JSON object',
    action: 'Report it to the operator of the service.',
  },
} as const;

export type WebhookFault = keyof typeof webhookFaults;

/** A webhook that must not be acted on. Nothing of its body, headers or secret is in the text. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly reason: WebhookFault;
  /** What to do about it, for the engineer who reads the log. */
  readonly action: string;

  constructor(reason: WebhookFault) {
    super(`${webhookFaults[reason].message} [${reason}]`);
    this.reason = reason;
    this.action = webhookFaults[reason].action;
  }
}
