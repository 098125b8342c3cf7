import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { byTcp } from '../../kits/by-tcp.ts';
import { serverPid, sql, World } from './world.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.end());

const isBySocket = 'select inet_client_addr() is null as is_by_socket';

function socketFolderOf(connectionString: string): string | null {
  return new URL(connectionString).searchParams.get('host');
}

/** Random bytes of which the port is made first. */
const bytesOfPort = (port: number) => {
  const offset = port - 20_000;
  return (count: number) =>
    count === 2 ? Uint8Array.of(offset >> 8, offset & 0xff) : new Uint8Array(count).fill(7);
};

describe('an embedded server', () => {
  it('is reached by a socket file in a folder that its user alone may enter, and by TCP', async () => {
    const dataDir = await world.dataDir();
    const { connectionString, dataPath } = await world.start({ dataDir });
    const folder = join(dataDir, 'database', 'sockets');
    expect(socketFolderOf(connectionString)).toBe(folder);
    expect(await sql(connectionString, isBySocket)).toEqual([{ is_by_socket: true }]);
    const { mode, uid } = await stat(folder);
    expect([mode & 0o777, uid]).toEqual([0o700, (await stat(dataPath)).uid]);

    expect(await sql(byTcp(connectionString), isBySocket)).toEqual([{ is_by_socket: false }]);
  });

  const byTcpAlone = 'host all recoup 127.0.0.1/32 scram-sha-256\n';
  const ofEarlier = { rules: byTcpAlone, added: 'local all recoup scram-sha-256\n' };
  it.each([
    ['that an earlier version wrote', ofEarlier, true],
    [
      'that somebody wrote for others by TCP',
      { rules: 'host all all 127.0.0.1/32 scram-sha-256\n', added: '' },
      false,
    ],
    [
      'that let another role come by a socket file',
      { rules: `local all postgres peer\n${byTcpAlone}`, added: '' },
      false,
    ],
    [
      'that let every role come by a socket file',
      { rules: `${byTcpAlone}local all all scram-sha-256\n`, added: '' },
      true,
    ],
  ])(
    'keeps rules of access %s, and is reached by what they let in',
    async (_, { rules, added }, isBySocketFile) => {
      const dataDir = await world.folder();
      await (await world.start({ dataDir })).stop();
      const file = join(dataDir, 'database', 'pg_hba.conf');
      await writeFile(file, rules);
      const { connectionString } = await world.start({ dataDir });
      expect(await sql(connectionString, isBySocket)).toEqual([{ is_by_socket: isBySocketFile }]);
      expect(await readFile(file, 'utf8')).toBe(`${rules}${added}`);
    },
  );

  it('replaces the socket file of a server that was killed', async () => {
    const dataDir = await world.dataDir();
    const child = world.child({ dataDir });
    const left = await child.answer();
    process.kill(await serverPid(left.dataPath), 'SIGKILL');
    child.process.kill('SIGKILL');
    await child.ended;

    const { connectionString } = await world.start({ dataDir });
    expect(connectionString).toBe(left.connectionString);
    expect(await sql(connectionString, isBySocket)).toEqual([{ is_by_socket: true }]);
    expect(await readdir(join(dataDir, 'database', 'sockets'))).toHaveLength(2);
  });

  it.each([
    ['is too long for a socket file', 'a-folder-with-a-name-that-is-long-'.repeat(2)],
    ['has a sign in it that PostgreSQL reads as the end of a folder', 'one,two'],
  ])('whose path %s is reached by TCP', async (_, name) => {
    const dataDir = join(await world.folder(), name);
    await mkdir(dataDir);
    const { connectionString } = await world.start({ dataDir });
    expect(socketFolderOf(connectionString)).toBeNull();
    expect(await sql(connectionString, isBySocket)).toEqual([{ is_by_socket: false }]);
  });

  it('in a place that takes no socket file is reached by TCP, and says so', async () => {
    const dataDir = await world.dataDir();
    const port = 24_321;
    // What stands in a socket file's place cannot be bound to, as on disks that know no such files.
    const folder = join(dataDir, 'database', 'sockets');
    await mkdir(join(folder, `.s.PGSQL.${port}`), { recursive: true });
    const server = await world.start({ dataDir }, world.deps(bytesOfPort(port)));
    expect(socketFolderOf(server.connectionString)).toBeNull();
    expect(await sql(server.connectionString, isBySocket)).toEqual([{ is_by_socket: false }]);
    expect(world.messages.join('\n')).toContain(`No socket file can be in ${folder}`);
  });
});
