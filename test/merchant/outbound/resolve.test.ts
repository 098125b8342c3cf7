import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAddressGuard } from '../../../src/merchant/outbound/address-guard.ts';
import { createResolver } from '../../../src/merchant/outbound/resolve.ts';

type Records = (queryNumber: number) => readonly string[] | 'refuse' | 'silence';

/** A name server on loopback: IPv4 answers by `records`, no IPv6 address for any name, or no answer about it. */
async function startNameServer(
  records: Records,
  ipv6: 'none' | 'silence' = 'none',
): Promise<string> {
  const socket = createSocket('udp4');
  let queries = 0;
  socket.on('message', (query, peer) => {
    if (ipv6 === 'silence' && !isIpv4Question(query)) return;
    const answer = answerTo(query, () => {
      queries += 1;
      return records(queries);
    });
    if (answer !== undefined) socket.send(answer, peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => new Promise((closed) => socket.close(closed)));
  return `127.0.0.1:${socket.address().port}`;
}

function questionEnd(query: Buffer): number {
  let end = 12;
  while (query[end] !== 0) end += (query[end] ?? 0) + 1;
  return end;
}

function isIpv4Question(query: Buffer): boolean {
  return query.readUInt16BE(questionEnd(query) + 1) === 1;
}

/** RFC 1035: the header and question come back, with A records behind them. */
function answerTo(query: Buffer, records: () => ReturnType<Records>): Buffer | undefined {
  const end = questionEnd(query);
  const found = isIpv4Question(query) ? records() : [];
  if (found === 'silence') return undefined;
  const addresses = found === 'refuse' ? [] : found;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(found === 'refuse' ? 0x8182 : 0x8180, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const answers = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, query.subarray(12, end + 5), ...answers]);
}

const never = new AbortController().signal;

describe('the resolver', () => {
  it('gives every address that the name servers know', async () => {
    const server = await startNameServer(() => ['93.184.216.34', '10.0.0.1']);
    const addresses = await createResolver([server])('merchant.example', never);
    expect(addresses.toSorted()).toEqual(['10.0.0.1', '93.184.216.34']);
  });

  it('gives the addresses of one family where nothing is said of the other', async () => {
    const server = await startNameServer(() => ['93.184.216.34'], 'silence');
    // As long as a webhook may take altogether is too long.
    const resolve = createResolver([server]);
    const guard = createAddressGuard({ allow: [], resolve, resolveTimeoutMs: 5000 });
    const target = { hostname: 'merchant.example', port: 443, secure: true };
    expect(await guard.resolve(target)).toEqual({
      kind: 'resolved',
      addresses: ['93.184.216.34'],
    });
  });

  it('asks the system for a name without a dot', async () => {
    const addresses = await createResolver(['127.0.0.1:1'])('localhost', never);
    expect(addresses.every((each) => each === '::1' || each.startsWith('127.'))).toBe(true);
    expect(addresses.length).toBeGreaterThan(0);
  });

  it('rejects when the name servers fail', async () => {
    const server = await startNameServer(() => 'refuse');
    await expect(createResolver([server])('merchant.example', never)).rejects.toThrow();
  });

  it('stops asking when it is told to', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await startNameServer(() => {
      asked.resolve();
      return 'silence';
    });
    const abort = new AbortController();
    const addresses = createResolver([server])('merchant.example', abort.signal);
    await asked.promise;
    abort.abort();
    await expect(addresses).rejects.toThrow();
  });

  it('cannot be led inside by a name server that changes its answer', async () => {
    const server = await startNameServer((query) => [query === 1 ? '93.184.216.34' : '127.0.0.1']);
    const guard = createAddressGuard({ allow: [], resolve: createResolver([server]) });
    const target = { hostname: 'rebind.example', port: 443, secure: true };
    expect(await guard.resolve(target)).toEqual({
      kind: 'resolved',
      addresses: ['93.184.216.34'],
    });
    expect(await guard.resolve(target)).toMatchObject({ failure: { cause: 'address_refused' } });
  });
});
