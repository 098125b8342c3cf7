/**
 * SQL: a link to a portal with the API key that asked for it, where that key is valid by the service's time. A link of
 * an operator has none.
 */
export function withValidKey(link: string, serviceNow: string): string {
  return `left join credentials of_key
      on of_key.merchant_id = ${link}.merchant_id and of_key.credential_id = ${link}.credential_id
      and of_key.kind = 'recovery_api_key' and of_key.revoked_at is null
      and (of_key.expires_at is null or of_key.expires_at > ${serviceNow})`;
}

/** SQL, beside `withValidKey`: what a link that a key asked for is more than by its time. */
export function isOfValidKey(link: string): string {
  return `(${link}.credential_id is null or of_key.credential_id is not null)`;
}
