import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StatementError, verifyStatements } from '../../sdk/src/index.ts';
import { canonicalJson, type JsonValue } from '../../src/domain/json/canonical-json.ts';
import { statementExample } from '../../src/http/recovery/statements/statement-example.ts';
import { firstPreviousHash, statementJson } from '../../src/recovery/accounting/statement.ts';

type Statement = Record<string, JsonValue>;

const dayOf = (n: number) => new Date(Date.UTC(2026, 1, 25 + n)).toISOString().slice(0, 10);

/** A chain as the service makes it. */
function chain(counts: readonly number[], merchantId = 'mer_a'): Statement[] {
  let previousHash = firstPreviousHash;
  return counts.map((count, index) => {
    const day = dayOf(index);
    const account = { day, psp: 'stripe', connectionVersion: 1, currency: 'USD' };
    const body = statementJson({
      merchantId,
      day,
      previousHash,
      sums: [
        { ...account, kind: 'charged', count, amountMinor: 100 * count },
        {
          day,
          psp: '',
          connectionVersion: 0,
          currency: '',
          kind: 'created',
          count,
          amountMinor: 0,
        },
      ],
    });
    previousHash = createHash('sha256').update(body).digest('hex');
    return { ...JSON.parse(body), hash: previousHash };
  });
}

async function faultOf(verifying: Promise<unknown>): Promise<string> {
  const error = await verifying.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StatementError)) throw new Error('no StatementError');
  expect(error.action.length).toBeGreaterThan(20);
  return error.reason;
}

/** Every place in a value where something stands that is no list and no object. */
function leaves(value: JsonValue, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, member]) =>
    leaves(member as JsonValue, [...path, key]),
  );
}

function changed(value: JsonValue, [key, ...rest]: readonly string[], to: JsonValue): JsonValue {
  if (key === undefined) return to;
  const copy = structuredClone(value) as Record<string, JsonValue>;
  copy[key] = changed(copy[key] as JsonValue, rest, to);
  return copy;
}

const counts = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 6 });

describe('a chain of statements', () => {
  test('holds as it was made, as objects and as texts, whole and in parts', async () => {
    await fc.assert(
      fc.asyncProperty(counts, fc.nat(5), async (given, at) => {
        const statements = chain(given);
        const last = statements.at(-1);
        const mark = { day: last?.day, hash: last?.hash };
        expect(await verifyStatements(statements)).toEqual({
          count: given.length,
          last: mark,
          isAnchored: true,
        });
        const texts = statements.map((statement) => JSON.stringify(statement, null, 2));
        expect(await verifyStatements(texts)).toMatchObject({ last: mark });
        const cut = at % given.length;
        const first = await verifyStatements(statements.slice(0, cut));
        const after = first.last === undefined ? {} : { after: first.last };
        expect(await verifyStatements(statements.slice(cut), after)).toMatchObject({
          last: mark,
          isAnchored: true,
        });
      }),
    );
  });

  test('is refused after any change of any figure, name or hash', async () => {
    await fc.assert(
      fc.asyncProperty(counts, fc.nat(), fc.nat(), fc.nat(), async (given, a, b, c) => {
        const statements = chain(given);
        const index = a % statements.length;
        const statement = statements[index] as Statement;
        const places = leaves(statement);
        const place = places[b % places.length] ?? [];
        const old = place.reduce<JsonValue>(
          (v, key) => (v as Statement)[key] as JsonValue,
          statement,
        );
        const to: JsonValue =
          typeof old === 'number'
            ? old + 1 + (c % 9)
            : `${'abcdef'[c % 6]}${String(old).slice(1)}x`;
        const other = changed(statement, place, to) as Statement;
        const all = statements.with(index, other);
        expect(await faultOf(verifyStatements(all))).not.toBe('');
      }),
    );
  });

  test('is refused with a day left out, put twice, exchanged, or made anew', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 3, maxLength: 6 }),
        fc.nat(),
        async (given, at) => {
          const statements = chain(given);
          const index = 1 + (at % (given.length - 2));
          const own = statements[index] as Statement;
          const next = statements[index + 1] as Statement;
          expect(await faultOf(verifyStatements(statements.toSpliced(index, 1)))).toBe(
            'day_missing',
          );
          expect(await faultOf(verifyStatements(statements.toSpliced(index, 0, own)))).toBe(
            'day_missing',
          );
          expect(await faultOf(verifyStatements(statements.toSpliced(index, 2, next, own)))).toBe(
            'day_missing',
          );
          const anew = chain(given.with(index, 10))[index] as Statement;
          expect(await faultOf(verifyStatements(statements.with(index, anew)))).toBe(
            'broken_chain',
          );
          const foreign = chain(given, 'mer_b')[index] as Statement;
          expect(await faultOf(verifyStatements(statements.with(index, foreign)))).toBe(
            'other_merchant',
          );
        },
      ),
    );
  });

  test('that was made anew from its start does not follow on the hash that was kept', async () => {
    const [first, second] = chain([1, 2]) as [Statement, Statement];
    const forged = chain([9, 2])[1] as Statement;
    const after = { day: String(first.day), hash: String(first.hash) };
    expect(await verifyStatements([second], { after })).toMatchObject({ isAnchored: true });
    expect(await faultOf(verifyStatements([forged], { after }))).toBe('broken_chain');
    expect(await verifyStatements([second])).toMatchObject({ isAnchored: false });
  });
});

test.each([
  ['nothing', undefined],
  ['a list', []],
  ['a text that is no JSON', '{'],
  ['no day', { ...statementExample, day: 'today' }],
  ['no hash', { ...statementExample, hash: undefined }],
  ['no merchant', { ...statementExample, merchant_id: 1 }],
  ['a fraction', { ...statementExample, version: 1.5 }],
])('%s is no statement', async (_, statement) => {
  expect(await faultOf(verifyStatements([statement]))).toBe('not_a_statement');
});

test('nothing given verifies nothing', async () => {
  expect(await verifyStatements([])).toEqual({ count: 0, isAnchored: false });
});

test("the documentation's example has the hash of its own text", async () => {
  const { hash, ...stated } = statementExample;
  expect(createHash('sha256').update(canonicalJson(stated)).digest('hex')).toBe(hash);
  expect(await verifyStatements([statementExample])).toMatchObject({ count: 1, isAnchored: true });
});
