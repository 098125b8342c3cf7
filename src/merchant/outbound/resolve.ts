import { lookup, Resolver } from 'node:dns/promises';
import { secondMs } from '../../domain/clock.ts';

/** All addresses of a name, in the order in which they should be tried. Rejects for none. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

/** What name servers answer, or their absence, that leaves the question to the hosts file. */
const notInDns = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);
/**
 * How long addresses of one family wait for those of the other. Some name servers never answer what they do not
 * know, such as questions for IPv6 addresses (RFC 4074 section 4.1), and the library asks again for longer than
 * any call of ours may take.
 */
const otherFamilyMs = secondMs;

/**
 * Asks the name servers (the system's, unless `servers` names others as `address:port`), then the
 * system's own look-up, which knows the hosts file. The system's look-up comes second because it
 * holds one of four threads until its own time-outs end: a few merchants with dead name servers
 * would stop the look-ups, and the files, of everyone. A name without a dot (`localhost`, a
 * neighbour in a container network) is asked of the system alone.
 */
export function createResolver(servers?: readonly string[]): Resolve {
  return async (hostname, signal) => {
    if (hostname.replace(/\.$/, '').includes('.')) {
      const addresses = await askNameServers(hostname, signal, servers);
      if (addresses.length > 0) return addresses;
    }
    const found = await lookup(hostname, { all: true });
    return found.map((each) => each.address);
  };
}

/** The addresses in DNS; empty when there are none; rejects when the question stays open. */
async function askNameServers(
  hostname: string,
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<string[]> {
  const resolver = new Resolver();
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  let patience: NodeJS.Timeout | undefined;
  try {
    const questions = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
    const startPatience = (): void => {
      patience ??= setTimeout(cancel, otherFamilyMs);
    };
    for (const question of questions) void question.then(startPatience, () => {});
    const answers = await Promise.allSettled(questions);
    const addresses = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    if (addresses.length > 0) return addresses;
    const open = answers.find((each) => each.status === 'rejected' && !isAbsent(each.reason));
    if (open?.status === 'rejected') throw open.reason;
    return [];
  } finally {
    clearTimeout(patience);
    signal.removeEventListener('abort', cancel);
  }
}

function isAbsent(reason: unknown): boolean {
  return reason instanceof Error && 'code' in reason && notInDns.has(String(reason.code));
}
