import { BlockList, isIP } from 'node:net';

/** Whether a proxy of ours is at an address. */
export type IsTrusted = (address: string) => boolean;

const bits = { ipv4: 32, ipv6: 128 } as const;

/**
 * Addresses and networks (`10.0.0.7`, `10.1.0.0/16`, `fd00::/8`) as a question.
 *
 * @throws RangeError for a text that is neither
 */
export function trustedProxies(networks: readonly string[]): IsTrusted {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix, ...rest] = network.split('/');
    const family = familyOf(address);
    const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && rest.length === 0);
    if (family === undefined || !isPrefix || Number(prefix ?? 0) > bits[family]) {
      throw new RangeError(`${network} is no address and no network`);
    }
    list.addSubnet(address, Number(prefix ?? bits[family]), family);
  }
  return (address) => {
    const family = familyOf(address);
    return family !== undefined && list.check(address, family);
  };
}

function familyOf(address: string): keyof typeof bits | undefined {
  switch (isIP(address)) {
    case 4:
      return 'ipv4';
    case 6:
      return 'ipv6';
    default:
      return undefined;
  }
}
