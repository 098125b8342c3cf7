import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/domain/errors.ts';
import {
  createPeopleApi,
  type PeopleDeps,
} from '../../../src/recovery/people/create-people-api.ts';
import type { PeopleStore } from '../../../src/recovery/people/people-store.ts';

const machineNow = new Date('2026-06-01T12:00:00Z');
const serviceNow = new Date('2027-01-01T00:00:00Z');
const ann = { issuer: 'https://id.example', subject: 's-1' };
const signedIn = { operatorId: 'op_1', role: 'viewer' } as const;

/** The use cases on a store that answers as told and notes what it is asked. */
function people(
  answers: Partial<Record<keyof PeopleStore, unknown>> = {},
  change: Partial<PeopleDeps> = {},
) {
  const calls: unknown[][] = [];
  const store = new Proxy({} as PeopleStore, {
    get:
      (_, name: keyof PeopleStore) =>
      async (...given: unknown[]) => {
        calls.push([name, ...given]);
        const answer = answers[name];
        return Array.isArray(answer) ? answer.shift() : answer;
      },
  });
  const api = createPeopleApi({
    store,
    machine: { now: () => machineNow },
    clock: { now: () => serviceNow },
    random: { bytes: (count) => new Uint8Array(count).fill(7) },
    hashCredential: (text) => `hash of ${text}`,
    keyMode: 'test',
    ...change,
  });
  return { api, calls };
}

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error) => (error instanceof AppError ? `${error.code}: ${error.detail}` : error),
  );

describe('an operator', () => {
  it('is added with an address in small letters, by the machine’s clock', async () => {
    const { api, calls } = people({ add: 'added' });
    const added = await api.add({ name: 'Ann', email: 'Ann@Example.com', role: 'viewer' });
    const operatorId = expect.stringMatching(/^op_/);
    expect(added).toEqual({
      name: 'Ann',
      email: 'ann@example.com',
      role: 'viewer',
      operatorId,
      createdAt: machineNow,
    });
    expect(calls).toEqual([['add', added, serviceNow]]);
    expect(
      await people({ add: 'added' }).api.add({ name: 'Bob', role: 'viewer' }),
    ).not.toHaveProperty('email');
  });

  it('is not added or changed for what is not there, or another’s', async () => {
    const bob = { name: 'Bob', role: 'viewer' } as const;
    expect(await faultOf(people({ add: 'email_taken' }).api.add(bob))).toBe(
      'conflict: Another operator has this e-mail address.',
    );
    const missing = 'not_found: One of these ids is not that of a merchant.';
    expect(await faultOf(people({ add: 'no_merchant' }).api.add(bob))).toBe(missing);
    expect(await faultOf(people({ change: 'no_merchant' }).api.change('op_1', {}))).toBe(missing);
    expect(await people({}).api.change('op_1', {})).toBeUndefined();
  });

  it('is removed by the machine’s clock, with the service’s time for the audit log', async () => {
    const { api, calls } = people({ remove: true, revokeToken: false });
    expect(await api.remove('op_1')).toBe(true);
    expect(await api.revokeToken('op_1', 'tok_1')).toBe(false);
    expect(calls).toEqual([
      [
        'remove',
        {
          operatorId: 'op_1',
          hashEmail: expect.any(Function),
          removedAt: machineNow,
          at: serviceNow,
        },
      ],
      [
        'revokeToken',
        { operatorId: 'op_1', tokenId: 'tok_1', revokedAt: machineNow, at: serviceNow },
      ],
    ]);
  });
});

describe('a personal token', () => {
  it('is shown once, kept as a hash, and ends by the machine’s clock', async () => {
    const { api, calls } = people({ addToken: 'added' });
    const issued = await api.issueToken('op_1', 60_000);
    expect(issued).toEqual({
      tokenId: expect.stringMatching(/^tok_/),
      operatorId: 'op_1',
      hint: expect.stringMatching(/^op_test_..….{4}$/),
      createdAt: machineNow,
      expiresAt: new Date(machineNow.getTime() + 60_000),
      text: expect.stringMatching(/^op_test_/),
    });
    const { text, ...token } = issued ?? { text: '' };
    expect(calls).toEqual([
      ['addToken', { ...token, hash: `hash of ${text}`, maxValid: 20, at: serviceNow }],
    ]);
  });

  it('is not issued to nobody, nor as a twenty-first', async () => {
    expect(await people({ addToken: 'no_operator' }).api.issueToken('op_1', 1)).toBeUndefined();
    expect(await faultOf(people({ addToken: 'too_many' }).api.issueToken('op_1', 1))).toBe(
      'conflict: The operator already has the maximum of 20 valid tokens. Revoke one first.',
    );
  });

  it('is looked for only where it can be one', async () => {
    const { api, calls } = people({ addToken: 'added', useToken: signedIn });
    const issued = await api.issueToken('op_1', 1);
    calls.length = 0;
    expect(await api.findByToken('op_test_invented')).toBeUndefined();
    expect(calls).toEqual([]);
    expect(await api.findByToken(issued?.text ?? '')).toEqual(signedIn);
    expect(calls).toEqual([
      ['useToken', { hash: `hash of ${issued?.text}`, at: machineNow, atMostEveryMs: 60_000 }],
    ]);
  });
});

describe('who signs in at a provider', () => {
  it('is found by the store, or is of another', async () => {
    const { api, calls } = people({ signInBy: signedIn });
    expect(await api.signInBy(ann)).toEqual(signedIn);
    expect(calls).toEqual([['signInBy', { identity: ann, linkedAt: machineNow, at: serviceNow }]]);
    expect(await people({ signInBy: 'of_another' }).api.signInBy(ann)).toBe('of_another');
  });

  it('who was removed is nobody, and is not added by a default role', async () => {
    const { api, calls } = people({ signInBy: 'removed' }, { defaultRole: 'viewer' });
    expect(await api.signInBy({ ...ann, email: 'Ann@Example.com' })).toBe('unknown');
    expect(calls).toMatchObject([
      ['signInBy', { emailHash: 'hash of operator address, v1\nann@example.com' }],
    ]);
  });

  it('is nobody without a default role or without an address', async () => {
    const email = 'Ann@Example.com';
    expect(await people({ signInBy: 'unknown' }).api.signInBy(ann)).toBe('no_email');
    const { api, calls } = people({ signInBy: 'unknown' });
    expect(await api.signInBy({ ...ann, email })).toBe('unknown');
    expect(calls).toHaveLength(1);
  });

  it.each([
    [
      { email: 'Ann@Example.com', name: ' Ann\u0007B ' },
      { name: 'Ann B', email: 'ann@example.com' },
    ],
    [{ email: 'Ann@Example.com' }, { name: 'Ann@Example.com', email: 'ann@example.com' }],
    [
      { email: 'a@b', name: 'n'.repeat(300) },
      { name: 'n'.repeat(200), email: 'a@b' },
    ],
  ])('is added first where there is a default role: %j', async (given, operator) => {
    const { api, calls } = people(
      { signInBy: ['unknown', signedIn], add: 'added' },
      { defaultRole: 'disputes' },
    );
    expect(await api.signInBy({ ...ann, ...given })).toEqual(signedIn);
    expect(calls[1]).toEqual([
      'add',
      {
        ...operator,
        role: 'disputes',
        operatorId: expect.stringMatching(/^op_/),
        createdAt: machineNow,
      },
      serviceNow,
    ]);
  });

  it.each([
    '',
    'a@',
    '@b',
    'a b@c',
    'a@b c',
    'ä@b',
    'a@b@c',
    `${'a'.repeat(251)}@b`,
    `a@${'b'.repeat(70)}`,
  ])('is not added with an address that cannot be kept: %j', async (email) => {
    const { api, calls } = people({ signInBy: 'unknown' }, { defaultRole: 'viewer' });
    expect(await api.signInBy({ ...ann, email })).toBe('unknown');
    expect(calls).toHaveLength(1);
  });
});
