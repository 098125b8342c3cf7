import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { expectSound, useDashboard } from '../kits/dashboard.ts';
import { type OidcKit, startOidcProvider } from '../kits/oidc-provider.ts';

let provider: OidcKit | undefined;
const dashboard = useDashboard(async () => {
  provider = await startOidcProvider();
  return {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: 'Example ID',
  };
});
afterAll(() => provider?.close());

/** Nobody signs in by it alone. */
async function addOperator(email: string): Promise<void> {
  const answer = await fetch(new URL('/api/operators', dashboard.service.operatorUrl), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${dashboard.operatorToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'Jane Doe', email, role: 'viewer' }),
  });
  expect(answer.status).toBe(201);
}

/** Through the provider's own pages. */
async function signInThere(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
  await page.getByPlaceholder('Enter any login').fill(email);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('signs in at the provider, and comes back to the page that was asked for', async () => {
  await addOperator('jane@example.com');
  const page = await dashboard.open('/payments?status=recovered', { signedIn: false });
  await page.getByRole('link', { name: 'Sign in with Example ID' }).waitFor();
  await expectSound(page, 'sign-in-provider');
  await signInThere(page, 'jane@example.com');
  await page.getByRole('heading', { name: 'Payments', exact: true }).waitFor();
  expect(page.url()).toContain('status=recovered');
  const session = await page.request.get(new URL('/api/session', page.url()).href);
  expect((await session.json()).operator).toMatchObject({ name: 'Jane Doe', role: 'viewer' });
  const { rows } = await dashboard.db.pool.query(
    "select actor, action, detail from audit_log where action like 'operator.%' order by line desc limit 2",
  );
  const id = (await session.json()).operator.id;
  expect(rows).toMatchObject([
    { actor: id, action: 'operator.signed_in', detail: { by: 'openid_connect' } },
    { action: 'operator.identity_linked', detail: { operator_id: id } },
  ]);
});

test('says in words why somebody is not let in', async () => {
  const page = await dashboard.open('/', { signedIn: false });
  await signInThere(page, 'nobody@example.com');
  await page.getByText('You are not an operator of Recoup.').waitFor();
  await expectSound(page, 'sign-in-refused');
});

test('believes no address that the provider has not verified', async () => {
  await addOperator('owner@example.com');
  provider?.unverified.add('owner@example.com');
  const page = await dashboard.open('/', { signedIn: false });
  await signInThere(page, 'owner@example.com');
  await page.getByText('Your e-mail address is not verified at the provider.').waitFor();
});
