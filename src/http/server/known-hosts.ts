import { isIP } from 'node:net';

/** Names by which every machine calls itself. */
const loopback = /^(?:[^.]+\.)*localhost$/;

/**
 * Which names in a Host header are ours: those of loopback, those given (`*.` at the beginning stands for
 * any subdomain), and every address in digits. A page whose own name was made to lead to this machine
 * (DNS rebinding) sends that name, as its browser knows it; it cannot send an address in digits without having
 * been loaded from there, so that probes and load balancers, which ask by address, need no setting.
 */
export function createKnownHosts(names: readonly string[]): (host: string) => boolean {
  const given = names.map((name) => plainName(name));
  const exact = new Set(given.filter((name) => !name.startsWith('*.')));
  const endings = given.filter((name) => name.startsWith('*.')).map((name) => name.slice(1));
  return (host) => {
    const name = nameOf(host);
    if (name === undefined) return false;
    if (exact.has(name) || loopback.test(name) || isIP(name) !== 0) return true;
    return endings.some((ending) => name.length > ending.length && name.endsWith(ending));
  };
}

/** The name without its port; undefined for what is no host at all. */
function nameOf(host: string): string | undefined {
  const parts = /^(?:\[([0-9a-f:.]+)\]|([^\s:@/\\?#[\]]+))(?::\d{0,5})?$/i.exec(host);
  const name = parts?.[1] ?? parts?.[2];
  return name === undefined ? undefined : plainName(name);
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
