/** Headers of an endpoint's own: as many, and as long, as a server reads without being asked to. */
const maxHeaders = 20;
const maxNameLength = 100;
const maxValueLength = 1000;

/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const visibleAscii = /^[!-~](?:[ -~]*[!-~])?$/;

/** What HTTP needs for itself, what we say of the request, and what proves whose it is. */
const ours = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'keep-alive',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const ourPrefixes = ['x-service-webhook-', 'webhook-', 'proxy-', 'sec-'];
/** Sent by an endpoint's credentials, where it has some. */
const ofAuth: Readonly<Record<string, string>> = { api_key: 'x-api-key', basic: 'authorization' };

/** The headers by lower-case names, in which no two are the same, or what is wrong with them. */
export function readWebhookHeaders(
  given: Readonly<Record<string, string>>,
  authType: string,
): { readonly headers: Readonly<Record<string, string>> } | { readonly faults: readonly string[] } {
  const entries = Object.entries(given).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const faults = entries.flatMap(([name, value]) => headerFaults(name, value, authType));
  if (entries.length > maxHeaders) faults.push(`headers may hold ${maxHeaders} at most.`);
  if (new Set(entries.map(([name]) => name)).size < entries.length) {
    faults.push('headers must not hold the same header twice.');
  }
  return faults.length > 0 ? { faults } : { headers: Object.fromEntries(entries) };
}

/** The value is repeated nowhere: it may open something. */
function headerFaults(name: string, value: string, authType: string): string[] {
  if (!token.test(name) || name.length > maxNameLength) {
    return [
      `headers must have names such as x-team: 1 to ${maxNameLength} letters, digits, hyphens or underscores.`,
    ];
  }
  if (ours.has(name) || ourPrefixes.some((prefix) => name.startsWith(prefix))) {
    return [`headers must not hold ${name}, which Recoup or HTTP sets.`];
  }
  if (ofAuth[authType] === name) return [`headers must not hold ${name}, which auth sets.`];
  if (!visibleAscii.test(value) || value.length > maxValueLength) {
    return [`headers.${name} must be 1 to ${maxValueLength} visible ASCII characters.`];
  }
  return [];
}
