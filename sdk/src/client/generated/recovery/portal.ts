// Generated from openapi/recovery.json by npm run generate; do not edit.

/** The link. It cannot be read again. */
export type PortalLink = {
  /** Its name in the audit log. */
  readonly id: string;
  /** The address to open. What stands after its # opens the portal: give it to nobody else, and keep it out of logs. */
  readonly url: string;
  /** When it and the sessions that it opened end. */
  readonly expires_at: string;
  readonly embed_origin?: string;
};

export type CreatePortalLinkBody = {
  /** How long it opens the portal, and how long a session lasts that it opened. */
  readonly expires_in_seconds?: number;
  /** The one site that may show the portal in a frame. Default: none. */
  readonly embed_origin?: string;
};

export type RevokePortalLinksBody = {
};

export type RevokePortalLinksAnswer = {
  /** Links that were valid. */
  readonly revoked: number;
};
