import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { billingPeriods, fundingSources } from '../../../src/domain/payment-event.ts';
import { psps } from '../../../src/domain/psps.ts';
import { eventTypes } from '../../../src/domain/states.ts';
import { paymentFaults } from '../../../src/http/recovery/intake/payment-rules.ts';
import { paymentSchema } from '../../../src/http/recovery/intake/payment-schema.ts';
import { merchantOpenApi } from '../../../src/merchant/open-api/merchant-open-api.ts';
import {
  customerActionRequiredBody,
  customerActionRequiredExamples,
  customerActionResolvedBody,
  customerActionResolvedExamples,
  endOfDunningBody,
  endOfDunningExamples,
  incidentBody,
  incidentExamples,
  retryResultBody,
  retryResultExamples,
} from '../../../src/merchant/open-api/webhook-bodies.ts';
import { schemaFaults } from '../../kits/open-api.ts';

/** The guides that repeat a schema, held to it. */

const read = (page: string) => readFileSync(`${import.meta.dirname}/../../../docs/${page}`, 'utf8');
const blocks = (page: string): readonly unknown[] =>
  [...read(page).matchAll(/```json\n([\s\S]*?)\n```/g)].map(([, text = '']) => JSON.parse(text));

interface Node {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
}

/** Every field that holds something, by its place, and whether it is needed. */
function fieldsOf(node: Node, at = ''): readonly (readonly [string, string])[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const place = `${at}${name}`;
    const own = [[place, node.required?.includes(name) ? 'yes' : 'no']] as const;
    if (child.items !== undefined) return [...own, ...fieldsOf(child.items, `${place}[].`)];
    return child.properties === undefined ? own : fieldsOf(child, `${place}.`);
  });
}

/** The places at which a value holds something, named in the same way. */
function placesOf(value: unknown, at: string, known: ReadonlySet<string>): readonly string[] {
  if (known.has(at) && !Array.isArray(value)) return [at];
  if (Array.isArray(value))
    return [at, ...value.flatMap((each) => placesOf(each, `${at}[]`, known))];
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, child]) =>
    placesOf(child, at === '' ? name : `${at}.${name}`, known),
  );
}

const fields = fieldsOf(paymentSchema as TSchema as Node);
const page = 'what-to-report.md';

test('the list of what to report has each field, and says whether it is needed', () => {
  const rows = [...read(page).matchAll(/^\| `([^`]+)` \| [^|]+ \| (yes|no) \|/gm)];
  expect(rows.map(([, name, needed]) => [name, needed])).toEqual(fields);
});

test('its full body holds every field and is taken', () => {
  const [body] = blocks(page);
  const known = new Set(fields.map(([name]) => name));
  expect(new Set(placesOf(body, '', known))).toEqual(known);
  expect(schemaFaults({ ...paymentSchema }, body)).toEqual([]);
  expect(paymentFaults(body, { merchantId: 'mer_1', psps: ['sandbox'] })).toEqual([]);
});

test('the values that it names are those of the schema', () => {
  const rows = [
    ...read(page).matchAll(/^\| `([^`]+)` \| [^|]+ \| (?:yes|no) \| [^|]+ \| (`.+`) \|$/gm),
  ];
  const told = Object.fromEntries(
    rows.map(([, name = '', values = '']) => [
      name,
      [...values.matchAll(/`([^`]+)`/g)].map(([, value]) => value),
    ]),
  );
  expect(told).toEqual({
    'subscription.billing.period': billingPeriods,
    'transactions[].psp': psps,
    'transactions[].funding_source': fundingSources,
    'transactions[].outcome.response_type': ['soft_decline', 'hard_decline'],
  });
});

test('its shortest body has what is needed and nothing else', () => {
  const [, text = ''] = /-d '(\{[\s\S]*?\})'\n/.exec(read(page)) ?? [];
  const body: unknown = JSON.parse(text);
  expect(schemaFaults({ ...paymentSchema }, body)).toEqual([]);
  const needed = fields.filter(([, isNeeded]) => isNeeded === 'yes').map(([name]) => name);
  expect(new Set(placesOf(body, '', new Set(fields.map(([name]) => name))))).toEqual(
    new Set(needed),
  );
});

test('the bodies of webhooks are those of the reference', () => {
  const [paid, declined, ended, found, waits, expires, resolved, renewed, tested] =
    blocks('webhook-bodies.md');
  expect([paid, declined]).toEqual([retryResultExamples.paid, retryResultExamples.declined]);
  expect(schemaFaults({ ...retryResultBody }, paid)).toEqual([]);
  expect(ended).toEqual(endOfDunningExamples.recovered);
  expect(schemaFaults({ ...endOfDunningBody }, ended)).toEqual([]);
  expect(found).toEqual(incidentExamples.contradiction);
  expect(schemaFaults({ ...incidentBody }, found)).toEqual([]);
  expect(waits).toEqual(customerActionRequiredExamples.expired_card);
  expect(schemaFaults({ ...customerActionRequiredBody }, waits)).toEqual([]);
  expect(expires).toEqual(customerActionRequiredExamples.expiring_card);
  expect(schemaFaults({ ...customerActionRequiredBody }, expires)).toEqual([]);
  expect(renewed).toEqual(customerActionResolvedExamples.expiring_card);
  expect(schemaFaults({ ...customerActionResolvedBody }, renewed)).toEqual([]);
  expect(resolved).toEqual(customerActionResolvedExamples.new_card);
  expect(schemaFaults({ ...customerActionResolvedBody }, resolved)).toEqual([]);
  expect(Object.keys(tested as object)).toEqual(['type', 'timestamp', 'message']);
});

test('each field of a retry result is told, and whether it is always there', () => {
  const told = [...read('webhook-bodies.md').matchAll(/^\| (`[^|]+`) \| (yes|no) \|/gm)].flatMap(
    ([, names = '', always = '']) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, always] as const),
  );
  const expected = fieldsOf(retryResultBody as TSchema as Node);
  expect(new Map(told)).toEqual(new Map(expected));
});

test('every type of event has its body in the guide, in the reference and in the SDK', () => {
  const headings = [...read('webhook-bodies.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(headings.sort()).toEqual([...eventTypes, 'test'].sort());
  const { webhooks } = merchantOpenApi() as { readonly webhooks: object };
  expect(Object.keys(webhooks).sort()).toEqual([...eventTypes, 'test'].sort());
  const typed = [...read('../sdk/README.md').matchAll(/^\| `(\w+)` \| [^|]+ \|$/gm)].map(
    ([, name = '']) => name,
  );
  expect(typed).toEqual(expect.arrayContaining([...eventTypes]));
  const [, types = ''] =
    /`X-Service-Webhook-Type` \|([^|]+)\|/.exec(read('verifying-webhooks.md')) ?? [];
  for (const type of eventTypes) expect(types).toContain(`\`${type}\``);
});

test.each([
  ['recovery-api.md', 'recovery'],
  ['disputes-api.md', 'disputes'],
])('the table of %s has every call of the reference', (page, api) => {
  const document = JSON.parse(read(`../openapi/${api}.json`)) as {
    readonly paths: Readonly<Record<string, object>>;
  };
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const rows = [...read(page).matchAll(/^\| (`(?:GET|POST|DELETE) [^|]+) \|/gm)];
  const told = rows.flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z]+ [^`]+)`/g)].map(([, call = '']) => call),
  );
  expect([...told].sort()).toEqual([...calls].sort());
});
