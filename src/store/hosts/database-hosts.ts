/** A server that a database may be on. */
export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

/** What an address says of its servers. */
export interface DatabaseHosts {
  /** The address of one of them, for what no driver knows of several. */
  urlOf(host: DatabaseHost): string;
  readonly hosts: readonly DatabaseHost[];
  /** Whether one that takes no writes is none of them. */
  readonly needsWrites: boolean;
}

const shape = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]+)([^?#]*)(?:\?([^#]*))?$/;
const hostShape = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;
const usualPort = 5432;

/** Session attributes as libpq has them. The others tell standbys apart, of which Recoup has no use. */
const attributes: Readonly<Record<string, { readonly needsWrites: boolean }>> = {
  any: { needsWrites: false },
  'read-write': { needsWrites: true },
  primary: { needsWrites: true },
};

/**
 * The servers of `postgresql://a:5432,b:5433/db?target_session_attrs=read-write`; undefined where it is
 * none. Of several, without the attribute, one that takes writes is meant.
 */
export function databaseHosts(url: string): DatabaseHosts | undefined {
  const [, start = '', list = '', path = '', query = ''] = shape.exec(url) ?? [];
  const hosts = list.split(',').map(hostOf);
  const parameters = new URLSearchParams(query);
  const wanted =
    parameters.get('target_session_attrs') ?? (hosts.length > 1 ? 'read-write' : 'any');
  const attribute = attributes[wanted];
  if (attribute === undefined || !isWhole(hosts)) return undefined;
  parameters.delete('target_session_attrs');
  const rest = parameters.size === 0 ? path : `${path}?${parameters}`;
  const urlOf = ({ host, port }: DatabaseHost) =>
    `${start}${host.includes(':') ? `[${host}]` : host}:${port}${rest}`;
  return URL.canParse(urlOf(hosts[0] as DatabaseHost)) ? { urlOf, hosts, ...attribute } : undefined;
}

function hostOf(text: string): DatabaseHost | undefined {
  const [, host, port] = hostShape.exec(text) ?? [];
  if (host === undefined || Number(port ?? usualPort) > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? usualPort) };
}

function isWhole(hosts: readonly (DatabaseHost | undefined)[]): hosts is readonly DatabaseHost[] {
  return hosts.every((host) => host !== undefined);
}
