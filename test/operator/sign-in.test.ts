import { describe, expect, it, onTestFinished } from 'vitest';
import type { OperatorDeps } from '../../src/operator/operator-deps.ts';
import { createOidcProvider } from '../../src/operator/sign-in/oidc-provider.ts';
import type { SignInProvider, SignInResult } from '../../src/operator/sign-in/sign-in-provider.ts';
import { startOidcProvider } from '../kits/oidc-provider.ts';
import { operatorKit } from '../kits/operator-server.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';

const jane = { issuer: 'https://id.example', subject: 'sub_jane', email: 'Jane@Example.com' };

/** A provider at which everybody is `who`. */
function saying(who: () => SignInResult): Pick<OperatorDeps, 'signInProvider'> {
  const signInProvider: SignInProvider = {
    name: 'Example ID',
    begin: async ({ state }) => new URL(`https://id.example/authorize?state=${state}`),
    finish: async () => who(),
  };
  return { signInProvider };
}

const identity = (who: object = jane): SignInResult => ({
  kind: 'identity',
  identity: who as typeof jane,
});

async function begin(service: Pick<OperatorService, 'server'>, to = '/payments?status=x') {
  const url = `/api/sign-in/begin?to=${encodeURIComponent(to)}`;
  const { headers, statusCode } = await service.server.inject({ url });
  expect(statusCode).toBe(303);
  const cookie = String(headers['set-cookie']);
  return { cookie, location: String(headers.location), value: cookie.split(';')[0] ?? '' };
}

async function callback(
  service: Pick<OperatorService, 'server'>,
  cookie?: string,
  query = '?code=c',
) {
  const { statusCode, headers } = await service.server.inject({
    url: `/api/sign-in/callback${query}`,
    ...(cookie !== undefined && { headers: { cookie } }),
  });
  expect(statusCode).toBe(303);
  return {
    location: String(headers.location),
    cookies: [headers['set-cookie']].flat().map(String),
  };
}

const signInWith = async (service: OperatorService, to?: string) =>
  callback(service, (await begin(service, to)).value);

async function addJane(service: OperatorService): Promise<string> {
  const { json } = await service.ask('POST', '/api/operators', {
    name: 'Jane',
    email: 'jane@example.com',
    role: 'disputes',
  });
  return json.id;
}

describe('signing in at a provider', () => {
  it('opens a session of the operator with that address, and of that subject from then on', async () => {
    let who: SignInResult = identity();
    const service = await operatorService(saying(() => who));
    const id = await addJane(service);
    const { location, cookies } = await signInWith(service);
    expect(location).toBe('/payments?status=x');
    const cookie = cookies.find((each) => each.startsWith('recoup_session='));
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    const asked = await service.server.inject({
      url: '/api/session',
      headers: { cookie: cookie?.split(';')[0] ?? '' },
    });
    expect(asked.json().operator).toMatchObject({ id, role: 'disputes' });
    who = identity({ ...jane, email: 'jane.smith@example.com' });
    expect((await signInWith(service)).location).toBe('/payments?status=x');
    // Whoever is given the address afterwards is somebody else.
    who = identity({ ...jane, subject: 'sub_another' });
    expect((await signInWith(service)).location).toBe('/payments?status=x&sign_in=of_another');
    await service.ask('DELETE', `/api/operators/${id}`);
    who = identity();
    expect((await signInWith(service)).location).toContain('sign_in=unknown');
  });

  it.each([
    ['unknown', identity()],
    ['no_email', identity({ issuer: jane.issuer, subject: jane.subject })],
    ['refused', { kind: 'failed', failure: 'refused' }],
    ['unreachable', { kind: 'failed', failure: 'unreachable' }],
  ] as const)(
    'is refused as %s, which the audit log has without an address',
    async (failure, who) => {
      const service = await operatorService(saying(() => who));
      const { location, cookies } = await signInWith(service, '/');
      expect(location).toBe(`/?sign_in=${failure}`);
      expect(cookies.join()).not.toContain('recoup_session');
      const { rows } = await service.db.pool.query('select actor, action, detail from audit_log');
      const detail = { reason: failure };
      expect(rows).toEqual([{ actor: 'unknown', action: 'operator.sign_in_refused', detail }]);
    },
  );

  it('adds whom a default role lets in, once', async () => {
    const service = await operatorService(
      { ...saying(() => identity()) },
      { defaultRole: 'viewer' },
    );
    for (let n = 0; n < 2; n += 1) expect((await signInWith(service, '/')).location).toBe('/');
    const { items } = (await service.ask('GET', '/api/operators')).json;
    expect(items).toMatchObject([
      { name: 'Jane@Example.com', email: 'jane@example.com', role: 'viewer' },
    ]);
  });

  it('adds nobody anew who was removed, under whatever address or subject, until a person does', async () => {
    let who: SignInResult = identity();
    const service = await operatorService(
      saying(() => who),
      { defaultRole: 'viewer' },
    );
    const outcome = async (of: object) => {
      who = identity(of);
      return (await signInWith(service, '/')).location;
    };
    expect(await outcome(jane)).toBe('/');
    const { items } = (await service.ask('GET', '/api/operators')).json;
    await service.ask('DELETE', `/api/operators/${items[0].id}`);
    expect(await outcome(jane)).toBe('/?sign_in=unknown');
    expect(await outcome({ ...jane, email: 'jane.smith@example.com' })).toBe('/?sign_in=unknown');
    expect(await outcome({ ...jane, subject: 'sub_anew' })).toBe('/?sign_in=unknown');
    expect(await outcome({ ...jane, subject: 'sub_joe', email: 'joe@example.com' })).toBe('/');
    const id = await addJane(service);
    expect(await outcome({ ...jane, email: 'jane.smith@example.com' })).toBe('/?sign_in=unknown');
    expect(await outcome(jane)).toBe('/');
    expect(await outcome({ ...jane, email: 'jane.smith@example.com' })).toBe('/');
    const all = (await service.ask('GET', '/api/operators')).json.items;
    const there = all.filter(({ removed_at }: { removed_at?: string }) => removed_at === undefined);
    expect(there).toMatchObject([{ id, role: 'disputes' }, { role: 'viewer' }]);
  });

  it('ends only in the browser that began it, and in time', async () => {
    const machine = { at: new Date('2026-03-01T00:00:00Z'), now: () => machine.at };
    const service = await operatorService({ ...saying(() => identity()), machine });
    const { value } = await begin(service);
    expect((await callback(service)).location).toBe('/?sign_in=expired');
    expect((await callback(service, value.replace('=', '=A'))).location).toBe('/?sign_in=expired');
    machine.at = new Date('2026-03-01T00:15:01Z');
    expect((await callback(service, value)).location).toBe('/?sign_in=expired');
    // Nor is it longer for a clock that ran ahead when it began.
    machine.at = new Date('2026-02-28T00:00:00Z');
    expect((await callback(service, value)).location).toBe('/?sign_in=expired');
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:x', '/\r\nx'])(
    'comes back to no other page than ours, such as %j',
    async (to) => {
      const service = operatorKit(saying(() => ({ kind: 'failed', failure: 'refused' })));
      const { value } = await begin(service, to);
      expect((await callback(service, value)).location).toBe('/?sign_in=refused');
    },
  );

  it.each([
    '/.//evil.example/',
    '/payments/..//evil.example',
    '/%2e//evil.example',
    '/.\\\\evil.example',
  ])('leads to no other site by steps in the path, such as %j', async (to) => {
    const service = await operatorService(saying(() => identity()));
    await addJane(service);
    expect((await signInWith(service, to)).location).toBe('/');
  });

  it('is not there where no provider is set', async () => {
    const { server } = operatorKit();
    expect((await server.inject('/api/sign-in')).json()).toEqual({});
    expect((await server.inject('/api/sign-in/begin')).statusCode).toBe(404);
  });
});

describe('a real provider', () => {
  it('is asked with PKCE, state and nonce, and believed with the same state alone', async () => {
    const kit = await startOidcProvider();
    onTestFinished(() => kit.close());
    const errors: object[] = [];
    const service = await operatorService({
      signInProvider: createOidcProvider(
        { log: { error: (fields) => void errors.push(fields) } },
        { ...kit, emailClaim: 'email' },
      ),
    });
    const { location, cookie, value } = await begin(service);
    expect(cookie).toMatch(/; Path=\/api\/sign-in; HttpOnly; SameSite=Lax; Max-Age=900$/);
    const asked = new URL(location);
    expect([asked.origin, Object.fromEntries(asked.searchParams)]).toEqual([
      kit.issuer,
      {
        client_id: 'recoup',
        redirect_uri: 'http://127.0.0.1:8082/api/sign-in/callback',
        response_type: 'code',
        scope: 'openid email profile',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
      },
    ]);
    const iss = `&iss=${encodeURIComponent(kit.issuer)}`;
    const state = asked.searchParams.get('state');
    const back = async (query: string) => (await callback(service, value, query)).location;
    expect(await back(`?code=stolen&state=another${iss}`)).toContain('sign_in=invalid');
    expect(await back(`?code=invented&state=${state}${iss}`)).toContain('sign_in=invalid');
    expect(await back(`?error=access_denied&state=${state}${iss}`)).toContain('sign_in=refused');
    expect(JSON.stringify(errors)).not.toMatch(/stolen|invented|a-secret/);
  });

  it('that does not answer is said to, and asked again', async () => {
    const kit = await startOidcProvider();
    await kit.close();
    const service = operatorKit({
      signInProvider: createOidcProvider({ log: { error() {} } }, { ...kit, emailClaim: 'email' }),
    });
    const { location } = await begin(service, '/');
    expect(location).toBe('/?sign_in=unreachable');
  });
});
