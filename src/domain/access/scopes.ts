/** What a merchant's key may be for: to report, to read, to have something done. */
export const credentialScopes = ['intake', 'read', 'act'] as const;
export type CredentialScope = (typeof credentialScopes)[number];

/** What an endpoint asks of a key; `any` of a valid one. */
export type NeededScope = CredentialScope | 'any';

/** In the order of the list, each once. */
export function inOrderOfScopes(scopes: readonly CredentialScope[]): readonly CredentialScope[] {
  return credentialScopes.filter((scope) => scopes.includes(scope));
}

/** Why a key of these scopes is refused, as a sentence; undefined where it is not. */
export function missingScope(
  scopes: readonly CredentialScope[],
  needed: NeededScope,
): string | undefined {
  if (needed === 'any' || scopes.includes(needed)) return undefined;
  return `This needs the scope ${needed}, and the key's are: ${scopes.join(', ')}.`;
}
