import { isIP } from 'node:net';
import { secondMs } from '../../domain/clock.ts';
import { readAllowList } from './allow-list.ts';
import { type Failure, failureOf, OutboundError } from './failure.ts';
import { createResolver, type Resolve } from './resolve.ts';
import { specialRangeOf } from './special-ranges.ts';

export interface GuardSettings {
  /** Exempt from the https, port and public-address rules: see readAllowList. */
  readonly allow: readonly string[];
  /** Default: name servers, then the hosts file. */
  readonly resolve?: Resolve;
  /** How long a name may take to resolve. Default 5 s; for the client, its whole deadline. */
  readonly resolveTimeoutMs?: number;
}

/** Where a connection goes. `hostname` is as a URL gives it, without the brackets of IPv6. */
export interface Target {
  readonly hostname: string;
  readonly port: number;
  readonly secure: boolean;
}

export type UrlReading =
  | { readonly kind: 'ok'; readonly url: URL; readonly target: Target }
  | { readonly kind: 'refused'; readonly detail: string };

export type Resolution =
  | { readonly kind: 'resolved'; readonly addresses: readonly string[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface AddressGuard {
  /** Judges all that can be judged without the network. */
  readUrl(text: string): UrlReading;
  /** The addresses of a target, every one of them checked. */
  resolve(target: Target): Promise<Resolution>;
  /** Why an address may not be connected to for this target; undefined when it may. */
  refusalOf(target: Target, address: string): string | undefined;
}

/** Ports that a merchant's server may listen on without being allow-listed. */
const publicPorts: ReadonlySet<number> = new Set([443, 8443]);
const defaultResolveTimeoutMs = 5 * secondMs;
// A stored address of 2048 characters with an invoice id of 255, each of three bytes, encoded.
const maxUrlLength = 2048 + 255 * 9;

/**
 * The rules for addresses that merchants give us, so that none of them can make us call what is
 * inside our own network: https, no userinfo, known ports, and public addresses only. A name is
 * refused when any of its addresses is not public: a mixed answer is never an honest server's.
 */
export function createAddressGuard(settings: GuardSettings): AddressGuard {
  const allowed = readAllowList(settings.allow);
  const resolveName = settings.resolve ?? createResolver();
  const timeoutMs = settings.resolveTimeoutMs ?? defaultResolveTimeoutMs;

  function refusalOf(target: Target, address: string): string | undefined {
    const { hostname, port } = target;
    if (allowed.hasHost(hostname, port) || allowed.hasAddress(address)) return undefined;
    const range = specialRangeOf(address);
    if (range !== undefined) {
      const subject = address === hostname ? address : `${hostname} is at ${address}, which`;
      return `${subject} is not a public address (${range}).`;
    }
    return publicRuleOf(target);
  }

  function readUrl(text: string): UrlReading {
    const reading = readText(text);
    if (reading.kind === 'refused') return reading;
    const { target } = reading;
    if (isIP(target.hostname) !== 0) {
      const detail = refusalOf(target, target.hostname);
      return detail === undefined ? reading : { kind: 'refused', detail };
    }
    // With networks on the list, an exempt address may stand behind the name: resolving decides.
    if (allowed.hasNetworks || allowed.hasHost(target.hostname, target.port)) return reading;
    const detail = publicRuleOf(target);
    return detail === undefined ? reading : { kind: 'refused', detail };
  }

  async function resolve(target: Target): Promise<Resolution> {
    const { hostname } = target;
    try {
      const addresses =
        isIP(hostname) === 0 ? await withDeadline(resolveName, hostname, timeoutMs) : [hostname];
      const detail = addresses.length === 0 ? undefined : firstRefusal(target, addresses);
      if (detail !== undefined) {
        return { kind: 'failed', failure: { cause: 'address_refused', detail } };
      }
      if (addresses.length > 0) return { kind: 'resolved', addresses };
      const failure: Failure = {
        cause: 'connection_failed',
        detail: `${hostname} has no address.`,
      };
      return { kind: 'failed', failure };
    } catch (error) {
      return { kind: 'failed', failure: resolveFailure(hostname, error) };
    }
  }

  function firstRefusal(target: Target, addresses: readonly string[]): string | undefined {
    for (const address of addresses) {
      const detail = refusalOf(target, address);
      if (detail !== undefined) return detail;
    }
    return undefined;
  }

  return { readUrl, resolve, refusalOf };
}

/** The target of a URL, without the brackets of an IPv6 address. */
export function targetOf(parts: { hostname: string; port: string; protocol: string }): Target {
  const secure = parts.protocol === 'https:';
  return {
    hostname: parts.hostname.replace(/^\[|\]$/g, ''),
    port: parts.port === '' ? (secure ? 443 : 80) : Number(parts.port),
    secure,
  };
}

function readText(text: string): UrlReading {
  // The URL parser drops tabs, line breaks and outer blanks; an address with any is a mistake.
  if (text.length > maxUrlLength || /[\s\p{Cc}]/u.test(text)) {
    return {
      kind: 'refused',
      detail: 'The address is too long or contains whitespace or control characters.',
    };
  }
  const url = URL.parse(text);
  if (url === null) return { kind: 'refused', detail: 'The address is not a valid URL.' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse(url, 'must use https');
  if (url.username !== '' || url.password !== '') {
    return refuse(url, 'may not carry a user name or password; give Basic credentials instead');
  }
  if (text.includes('#')) return refuse(url, 'has a fragment (#), which is never sent');
  // The parser passes braces in a host, so a placeholder there would choose the server.
  if (!/^(\[[0-9a-f:]+\]|[a-z0-9._-]+)$/.test(url.hostname)) {
    return refuse(url, 'has a host name that no server can have');
  }
  return { kind: 'ok', url, target: targetOf(url) };
}

function refuse(url: URL, why: string): UrlReading {
  return { kind: 'refused', detail: `The address of ${url.hostname || 'this URL'} ${why}.` };
}

/** The rule that an address on the public internet breaks, in a sentence. */
function publicRuleOf(target: Target): string | undefined {
  if (!target.secure) return `The address of ${target.hostname} must use https.`;
  if (publicPorts.has(target.port)) return undefined;
  return `Port ${target.port} of ${target.hostname} is not allowed; use 443 or 8443.`;
}

async function withDeadline(
  resolve: Resolve,
  hostname: string,
  timeoutMs: number,
): Promise<readonly string[]> {
  const deadline = new AbortController();
  const expired = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const detail = `The name ${hostname} did not resolve in time.`;
    expired.reject(new OutboundError({ cause: 'timeout', detail }));
    deadline.abort();
  }, timeoutMs);
  try {
    return await Promise.race([resolve(hostname, deadline.signal), expired.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function resolveFailure(hostname: string, error: unknown): Failure {
  if (error instanceof OutboundError) return error.failure;
  const failure = failureOf(error);
  if (failure.cause === 'timeout') {
    return { cause: 'timeout', detail: `The name ${hostname} did not resolve in time.` };
  }
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return { cause: 'connection_failed', detail: `The name ${hostname} did not resolve${code}.` };
}
