/** Stands in a merchant's address for the signed name of a payment. */
export const tokenPlace = '{token}';

/** Whether an address may be kept as a merchant's page for customers: https, and one place for the token. */
export function isCustomerPageUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  const [, ...rest] = text.split(tokenPlace);
  if (rest.length !== 1 || url.hostname.includes('token')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isOwnMachine(url.hostname));
}

/** A page that is being built: no customer reaches it. */
function isOwnMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
