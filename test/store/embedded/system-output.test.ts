import { describe, expect, it } from 'vitest';
import { parsePostmasterFile } from '../../../src/store/embedded/postmaster-file.ts';
import { serverSettings, settingArguments } from '../../../src/store/embedded/server-settings.ts';
import { canReach, parsePasswd } from '../../../src/store/embedded/system/os-user.ts';
import { complaintIn, runProgram } from '../../../src/store/embedded/system/run-program.ts';
import { isRoot, nobody, World } from './world.ts';

describe('what the system and PostgreSQL write', () => {
  it.each([
    // A server of a version that made no socket file.
    ['4711\n/d\n1\n20001\n\n127.0.0.1\n1 1\nready   \n', { pid: 4711, port: 20001, isReady: true }],
    [
      '4711\n/d\n1\n20001\n/d/sockets\n127.0.0.1\n1 1\nready   \n',
      { pid: 4711, port: 20001, socketFolder: '/d/sockets', isReady: true },
    ],
    [
      '4711\n/d\n1\n20001\n\n127.0.0.1\n1 1\nstarting\n',
      { pid: 4711, port: 20001, isReady: false },
    ],
    ['-4711\n/d\n1\n0\n', { pid: 4711, port: undefined, isReady: false }],
    ['4711\n', { pid: 4711, port: undefined, isReady: false }],
    ['', undefined],
    ['\0\0\0\0', undefined],
  ])('postmaster.pid %j', (content, expected) => {
    expect(parsePostmasterFile(content)).toEqual(expected);
  });

  it('users of /etc/passwd, without root and without negative ids', () => {
    const users = parsePasswd(
      'root:x:0:0:root:/root:/bin/sh\nnobody:*:-2:-2::/:/bin/false\n#\n\npostgres:x:101:104:::\n',
    );
    expect([...users.values()]).toEqual([{ name: 'postgres', uid: 101, gid: 104 }]);
  });

  it.each([
    [
      'initdb: error: could not write: No space left\ninitdb: removing',
      'could not write: No space left.',
    ],
    ['2026 LOG:  starting\n2026 FATAL:  lock file is empty\n2026 HINT:  x', 'lock file is empty.'],
    [
      'postgres: error while loading shared libraries: liby.so: no such file\nIt ended with status 127.',
      'error while loading shared libraries: liby.so: no such file.',
    ],
    [
      '1 FATAL:  the database system is starting up\n2 FATAL:  the database system is not yet accepting connections\n3 FATAL:  could not write to file "pg_wal/xlogtemp.3": No space left on device\n',
      'could not write to file "pg_wal/xlogtemp.3": No space left on device.',
    ],
    ['spawn /x ENOENT', 'spawn /x ENOENT.'],
    ['', 'It said nothing.'],
  ])('the complaint in %j', (output, words) => {
    expect(complaintIn(output)).toBe(words);
  });

  it('a program that does not exist, or fails, is an outcome', async () => {
    const options = { user: undefined, cwd: '/' };
    const missing = await runProgram('/nowhere/program', [], options);
    expect([missing.ok, missing.output.trim()]).toEqual([false, 'spawn /nowhere/program ENOENT']);
    const failing = await runProgram(process.execPath, ['-e', 'process.exit(3)'], options);
    expect([failing.ok, failing.output.trim()]).toEqual([false, 'It ended with status 3.']);
  });

  it('settings become arguments', () => {
    expect(settingArguments({ jit: 'off', port: '1' })).toEqual(['-c', 'jit=off', '-c', 'port=1']);
    expect(serverSettings).toMatchObject({ listen_addresses: '127.0.0.1', fsync: 'on' });
  });

  it.runIf(isRoot)('a folder is reached by whom every folder above lets through', async () => {
    const world = new World();
    try {
      expect(await canReach(await world.folder(0o755), nobody)).toBe(true);
      expect(await canReach(await world.folder(0o711), nobody)).toBe(true);
      expect(await canReach(await world.folder(0o750), nobody)).toBe(false);
      expect(await canReach(await world.folder(0o750), { ...nobody, gid: 0 })).toBe(true);
      expect(await canReach(await world.folder(0o705), { ...nobody, gid: 0 })).toBe(false);
    } finally {
      await world.end();
    }
  });
});
