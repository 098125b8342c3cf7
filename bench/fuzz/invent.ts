import type { ApiOperation } from '../../test/kits/open-api.ts';
import type { Seeded } from '../../test/kits/seeded.ts';
import type { Sent } from '../../test/kits/sent-as-is.ts';
import type { Remembered } from './remembered.ts';

export interface InventInput {
  readonly operation: ApiOperation;
  readonly credentials: Readonly<Record<string, string>>;
  readonly remembered: Remembered;
}

/** What no field expects, and some that they do. */
const strange: readonly [unknown, ...unknown[]] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  'x',
  'x'.repeat(300),
  'x'.repeat(5000),
  '\u0000',
  '\ud800',
  '💸‮\u200b',
  "'; --",
  '../../etc/passwd',
  '%00',
  '4111111111111111',
  'P1D',
  'PT1S',
  '2026-02-31',
  '2026-06-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00Z',
  'EUR',
  'stripe',
  'sandbox',
  'https://[::1]/',
  'http://127.0.0.1:1/',
  '9'.repeat(30),
  [],
  {},
  [[[]]],
  { __proto__x: 1 },
];
const types = [
  'application/json; charset=utf-16',
  'text/plain',
  'application/xml',
  ';',
  '',
] as const;

/** A request of an operation: its example with ids that were seen, and now and then something strange. */
export function invent(random: Seeded, input: InventInput): Sent {
  const { operation, credentials } = input;
  const headers: Record<string, string> = { ...credentials };
  const { method } = operation;
  const path = pathOf(random, input) + queryOf(random, input);
  if (random.chance(0.1)) headers['idempotency-key'] = `key_${random.int(1, 50)}`;
  if (random.chance(0.02)) headers.accept = 'image/png';
  if (random.chance(0.02)) Object.assign(headers, wrongCredentials(headers));
  if (operation.body === undefined) return { method, path, headers };
  headers['content-type'] = random.chance(0.03) ? random.pick(types) : operation.body.mediaType;
  return { method, path, headers, body: bodyOf(random, input) };
}

function wrongCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name === 'authorization' || name === 'x-api-key')
      .map(([name, value]) => [name, `${value}x`]),
  );
}

function pathOf(random: Seeded, { operation, remembered }: InventInput): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const known = remembered.recall(random, nameOf(operation.path, name));
    if (known !== undefined && random.chance(0.85)) return encodeURIComponent(known);
    const text = textOf(random.pick(strange));
    return text === '' ? 'unknown_1' : encodeURIComponent(text.toWellFormed());
  });
}

/** `{id}` is of whatever the path is about. */
function nameOf(path: string, name: string): string {
  if (name !== 'id') return name;
  const about = /\/(\w+?)s\/\{id\}/.exec(path)?.[1];
  return about === undefined ? name : `${about}_id`;
}

function queryOf(random: Seeded, { operation, remembered }: InventInput): string {
  const pairs = new URLSearchParams(operation.requiredQuery);
  for (const name of operation.queryNames) {
    if (!random.chance(0.3)) continue;
    const known = remembered.recall(random, name);
    const isKnown = known !== undefined && random.chance(0.7);
    pairs.set(name, isKnown ? known : textOf(random.pick(strange)).toWellFormed());
  }
  if (random.chance(0.02)) pairs.append('nothing', 'x');
  return pairs.size === 0 ? '' : `?${pairs}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function bodyOf(random: Seeded, { operation, remembered }: InventInput): string | Buffer {
  const { examples = [] } = operation.body ?? {};
  if (random.chance(0.02)) return Buffer.from(Array.from({ length: 40 }, () => random.int(0, 255)));
  if (random.chance(0.02)) return JSON.stringify(random.pick(strange));
  const example = examples[random.int(0, Math.max(0, examples.length - 1))]?.value ?? {};
  const text = JSON.stringify(example, (name, value: unknown) => {
    if (name === '') return value;
    if (random.chance(0.03)) return random.pick(strange);
    if (random.chance(0.02)) return undefined;
    if (typeof value !== 'string') return value;
    const known = remembered.recall(random, name);
    if (known !== undefined && random.chance(0.4)) return known;
    // New things in a small world, so that some meet again.
    return name === 'id' && random.chance(0.5) ? `${value}_${random.int(1, 3000)}` : value;
  });
  return random.chance(0.01) ? text.slice(0, random.int(0, text.length)) : text;
}
