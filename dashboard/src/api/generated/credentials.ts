// Generated from openapi/operator.json by npm run generate; do not edit.

export type CredentialJson = {
  /** The credential's id. */
  readonly id: string;
  /** What it opens or signs. */
  readonly kind: CredentialKindJson;
  /** The first and last characters, to recognise it by. */
  readonly hint: string;
  /** What a key or a password may be used for. A signing secret has none. */
  readonly scopes?: readonly CredentialScopeJson[];
  /** Which system holds it. */
  readonly name?: string;
  /** When it was issued. */
  readonly created_at: string;
  /** When it ends, or ended. */
  readonly expires_at?: string;
  /** When it was revoked. */
  readonly revoked_at?: string;
  /** When it was last used, to about a minute. */
  readonly last_used_at?: string;
};

/** What it opens or signs. */
export type CredentialKindJson = 'recovery_api_key' | 'disputes_password' | 'signing_secret';

/** `intake`: submit reports. `read`: read. `act`: make changes. */
export type CredentialScopeJson = 'intake' | 'read' | 'act';

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
  /** What it may be used for. Default: everything; in a rotation, what the replaced one allows. */
  readonly scopes?: readonly CredentialScopeJson[];
  /** The system that will use it. */
  readonly name?: string;
  /** When it ends by itself, as an ISO 8601 duration from PT1H to P1825D. Default: never. */
  readonly valid_for?: string;
};

export type RotateCredentialBody = {
  /** What it opens or signs. */
  readonly kind: CredentialKindJson;
  /** What it may be used for. Default: everything; in a rotation, what the replaced one allows. */
  readonly scopes?: readonly CredentialScopeJson[];
  /** The system that will use it. */
  readonly name?: string;
  /** When it ends by itself, as an ISO 8601 duration from PT1H to P1825D. Default: never. */
  readonly valid_for?: string;
  /** The one to end. Default: all of the kind. Not for signing secrets. */
  readonly credential_id?: string;
  /** How long existing ones stay valid, as an ISO 8601 duration: PT0S ends them at once, P90D is the most. Default: P1D. */
  readonly overlap?: string;
};
