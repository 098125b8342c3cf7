/** What each kind of credential is for. */
export const kindLabels: Readonly<Record<string, string>> = {
  recovery_api_key: 'Recovery API',
  disputes_password: 'Disputes API',
  signing_secret: 'Webhook signatures',
};

/** What each scope lets a key do. */
export const scopeLabels = { intake: 'report', read: 'read', act: 'act' } as const;

export function scopesText(scopes: readonly (keyof typeof scopeLabels)[] | undefined): string {
  if (scopes === undefined) return 'sign';
  if (scopes.length === Object.keys(scopeLabels).length) return 'everything';
  return scopes.map((scope) => scopeLabels[scope]).join(', ');
}
