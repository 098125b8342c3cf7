import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { ApiError } from '../api/request.ts';
import { sessionKey, signIn, useSignInWays } from '../api/session.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Mark } from '../parts/mark.tsx';
import { useTitle } from './use-title.ts';

/** Asks for the operator token, and says where it is found. `hasEnded`: somebody was signed in here before. */
export function LoginPage({ hasEnded }: { readonly hasEnded: boolean }) {
  useTitle('Sign in · Recoup');
  const queries = useQueryClient();
  const login = useMutation({
    mutationFn: signIn,
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionKey }),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget).get('token') ?? '').trim();
    if (token !== '') login.mutate(token);
  };
  return (
    <main className="alone">
      <h1 className="brand">
        <Mark /> Recoup
      </h1>
      {hasEnded && (
        <p role="alert">
          Your session has ended. Sign in again: the page is as you left it, with what you typed.
        </p>
      )}
      <ProviderSignIn />
      <form onSubmit={submit} className="login">
        <label htmlFor="token">Operator token</label>
        <input
          id="token"
          name="token"
          type="password"
          autoComplete="current-password"
          required
          pattern=".*\S.*"
          title="The operator token"
          // biome-ignore lint/a11y/noAutofocus: the page has one field, and nothing before it
          autoFocus
          aria-describedby="token-error token-help"
          {...(login.isError ? { 'aria-invalid': true } : {})}
        />
        <ActButton type="submit" className="button primary" isBusy={login.isPending}>
          {login.isPending ? 'Signing in…' : 'Sign in'}
        </ActButton>
        <p role="alert" id="token-error" className="login-error">
          {login.error !== null && textOf(login.error)}
        </p>
      </form>
      <div id="token-help" className="muted">
        <p>
          In the sandbox it is printed when Recoup starts, as “Operator token”. It is the setting
          OPERATOR_TOKEN; where nobody set it, Recoup keeps one in its data folder:
        </p>
        <Copyable text="cat data/operator-token" />
        <p>The browser does not store it. A session lasts 12 hours.</p>
      </div>
    </main>
  );
}

/** Signing in at the provider of the settings, and why it failed the last time. */
function ProviderSignIn() {
  const { provider } = useSignInWays().data ?? {};
  const { pathname, search } = window.location;
  const failure = new URLSearchParams(search).get('sign_in');
  const to = encodeURIComponent(pathname + search);
  return (
    <>
      {failure !== null && (
        <p role="alert" className="login-error">
          {signInFailures[failure] ?? signInFailures.invalid}
        </p>
      )}
      {provider !== undefined && (
        <p className="login">
          <a className="button primary" href={`/api/sign-in/begin?to=${to}`}>
            Sign in with {provider}
          </a>
        </p>
      )}
    </>
  );
}

const signInFailures: Readonly<Record<string, string>> = {
  expired: 'Signing in took too long, or was begun in another browser. Try again.',
  refused: 'The provider refused the sign-in, or you cancelled it.',
  unreachable: 'The provider does not answer. Try again, or use a token.',
  invalid: 'The provider’s answer could not be verified. Try again; Recoup’s log has details.',
  no_email: 'Your e-mail address is not verified at the provider. Have it verified there.',
  unknown: 'You are not an operator of Recoup. Ask an administrator to add your e-mail address.',
  of_another:
    'The operator with your e-mail address signs in with another account of the provider. Ask an administrator to remove and add them.',
};

/** The API's advice is for who calls it; who reads this page finds the better one below. */
function textOf(error: Error): string {
  const isWrong = error instanceof ApiError && error.code === 'operator_unauthorized';
  return isWrong
    ? 'This token is wrong, or is no longer valid. Where to find the operator token:'
    : error.message;
}
