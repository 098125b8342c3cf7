/** What each kind of credential is for. */
export const kindLabels: Readonly<Record<string, string>> = {
  recovery_api_key: 'Recovery API',
  disputes_password: 'Disputes API',
  signing_secret: 'Webhook signatures',
};

/** What each scope lets a key do. */
export const scopeLabels = {
  intake: 'Report payments, methods and analytics records',
  read: 'Read what is kept',
  act: 'Retry, stop, send webhooks again, submit evidence',
} as const;

export function scopesText(scopes: readonly (keyof typeof scopeLabels)[] | undefined): string {
  if (scopes === undefined) return 'sign';
  if (scopes.length === Object.keys(scopeLabels).length) return 'everything';
  return scopes.join(', ');
}
