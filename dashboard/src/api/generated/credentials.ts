// Generated from openapi/operator.json by npm run generate; do not edit.

export type CredentialJson = {
  /** The credential's id. */
  readonly id: string;
  /** What it opens or signs. */
  readonly kind: CredentialKindJson;
  /** The text's beginning and end, to recognise it by. */
  readonly hint: string;
  /** When it was issued. */
  readonly created_at: string;
  /** When it ends, or ended. */
  readonly expires_at?: string;
  /** When it was revoked. */
  readonly revoked_at?: string;
  /** When it was last seen, to the minute or so. */
  readonly last_used_at?: string;
};

/** What it opens or signs. */
export type CredentialKindJson = 'recovery_api_key' | 'disputes_password' | 'signing_secret';

/** The new credential. */
export type IssuedCredentialJson = CredentialJson & {
  /** The credential itself, in this answer alone. */
  readonly text: string;
};

export type ListCredentialsAnswer = {
  readonly items: readonly CredentialJson[];
};

export type IssueCredentialBody = {
  /** What it opens or signs. */
  readonly kind: CredentialKindJson;
};

export type RotateCredentialBody = {
  /** What it opens or signs. */
  readonly kind: CredentialKindJson;
  /** How long the present ones stay valid, as an ISO 8601 duration: PT0S ends them at once, P90D is the most. Default: P1D. */
  readonly overlap?: string;
};
