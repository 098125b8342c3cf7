import { expect, it } from 'vitest';
import { connectionOptions } from '../../../src/store/hosts/connection-options.ts';
import { databaseHosts } from '../../../src/store/hosts/database-hosts.ts';

const read = (url: string) => {
  const known = databaseHosts(url);
  return known && { urls: known.hosts.map(known.urlOf), needsWrites: known.needsWrites };
};

it.each([
  ['postgres://a/db', ['postgres://a:5432/db'], false],
  [
    'postgresql://u:p@a:6000/db?sslmode=disable',
    ['postgresql://u:p@a:6000/db?sslmode=disable'],
    false,
  ],
  [
    'postgres://u:p%40@a,b:5433/db',
    ['postgres://u:p%40@a:5432/db', 'postgres://u:p%40@b:5433/db'],
    true,
  ],
  ['postgres://[::1]:1,b/db', ['postgres://[::1]:1/db', 'postgres://b:5432/db'], true],
  [
    'postgres://a,b/db?target_session_attrs=any',
    ['postgres://a:5432/db', 'postgres://b:5432/db'],
    false,
  ],
  [
    'postgres://a/db?target_session_attrs=read-write&sslmode=require',
    ['postgres://a:5432/db?sslmode=require'],
    true,
  ],
])('%s', (url, urls, needsWrites) => {
  expect(read(url)).toEqual({ urls, needsWrites });
});

it('one server without the attribute is left to the driver, as it was written', () => {
  const url = 'postgres://u:p@a/db?options=-c%20geqo%3Doff';
  expect(connectionOptions(url)).toEqual({ connectionString: url });
});

it.each([
  'mysql://a/db',
  'postgres:///db',
  'postgres://a,/db',
  'postgres://a:99999/db',
  'postgres://a,b/db?target_session_attrs=standby',
  'nonsense',
])('%s is none', (url) => {
  expect(read(url)).toBeUndefined();
});
