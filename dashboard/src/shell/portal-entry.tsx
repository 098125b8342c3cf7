import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { enterPortal, sessionKey, signOut } from '../api/session.ts';
import { ActButton } from '../parts/act-button.tsx';
import { FormError } from '../parts/form-error.tsx';
import { Loading } from '../parts/loading.tsx';
import { tellSignedOut } from '../state/sign-outs.ts';
import { useTitle } from './use-title.ts';

/** The way into a merchant's portal: its link opens it by itself; else what to do, and a key of the merchant's. */
export function PortalEntry({
  token,
  isOperator,
  onEntered,
}: {
  /** Of the link that was opened. */
  readonly token: string | undefined;
  /** An operator is signed in here, who is shown the dashboard and no portal. */
  readonly isOperator: boolean;
  readonly onEntered: () => void;
}) {
  useTitle('Payment recovery');
  const queries = useQueryClient();
  const enter = useMutation({
    mutationFn: enterPortal,
    onSuccess: async () => {
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey !== sessionKey });
      await queries.invalidateQueries({ queryKey: sessionKey });
      onEntered();
    },
  });
  const begin = useRef(enter.mutate);
  useEffect(() => {
    if (token !== undefined && !isOperator) begin.current({ portal_token: token });
  }, [token, isOperator]);
  if (isOperator) return <OperatorHere />;
  if (token !== undefined && enter.error === null) return <Loading what="the portal" />;
  return (
    <main className="alone">
      <h1>Payment recovery</h1>
      {enter.error === null ? (
        <p>
          You are not signed in, or your session has ended. Open the link that you were given; if it
          has expired, ask for a new one where you got it.
        </p>
      ) : (
        <FormError error={enter.error} />
      )}
      <KeyForm isBusy={enter.isPending} onKey={(key) => enter.mutate({ api_key: key })} />
    </main>
  );
}

function KeyForm({
  isBusy,
  onKey,
}: {
  readonly isBusy: boolean;
  readonly onKey: (key: string) => void;
}) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get('key') ?? '').trim();
    if (key !== '') onKey(key);
  };
  return (
    <form onSubmit={submit} className="login">
      <label htmlFor="key">Or enter one of your API keys with the scope “read”</label>
      <input
        id="key"
        name="key"
        type="password"
        autoComplete="off"
        required
        pattern=".*\S.*"
        title="An API key"
      />
      <ActButton type="submit" className="button primary" isBusy={isBusy}>
        {isBusy ? 'Opening…' : 'Open the portal'}
      </ActButton>
    </form>
  );
}

/** A portal is looked at as merchants see it, or not at all. */
function OperatorHere() {
  const leave = async (): Promise<void> => {
    await signOut();
    tellSignedOut();
    window.location.reload();
  };
  return (
    <main className="alone">
      <h1>Payment recovery</h1>
      <p>
        An operator is signed in to this browser. To look at the portal, open the link in a private
        window, or sign out first and open it again.
      </p>
      <p className="actions">
        <a className="button primary" href="/">
          To the dashboard
        </a>
        <button type="button" className="button" onClick={() => void leave()}>
          Sign out
        </button>
      </p>
    </main>
  );
}
