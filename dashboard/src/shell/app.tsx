import { CSPProvider } from '@base-ui/react/csp-provider';
import { Activity, useEffect, useState } from 'react';
import { Router } from 'wouter';
import { type SessionView, useSession } from '../api/session.ts';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { Tips } from '../parts/tip.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { isOfThisPortal, Portal, portalBase } from '../state/portal.ts';
import { SeesAll } from '../state/sees-all.ts';
import { ServiceTime } from '../state/service-time.tsx';
import { reloadOnSignOut } from '../state/sign-outs.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { LoginPage } from './login-page.tsx';
import { PortalEntry } from './portal-entry.tsx';

/**
 * The dashboard: the sign-in page, or the frame with the page that the address names. Below `/portal` it is that
 * of one merchant's own people, and shown to nobody else. A session that ends hides the frame and keeps it, with
 * what was typed there, for whoever it was of.
 */
export function App({
  portalToken,
  begun,
}: {
  readonly portalToken: string | undefined;
  /** Resolves when the page that the address names is loaded, or cannot be. */
  readonly begun: Promise<void> | undefined;
}) {
  const session = useSession();
  const isLoaded = useIsLoaded(begun);
  const [isEntered, setEntered] = useState(portalToken === undefined);
  const [shown, setShown] = useState<SessionView>();
  useEffect(reloadOnSignOut, []);
  const { data } = session;
  if (data === undefined) {
    return session.error === null ? (
      <Loading what="the dashboard" />
    ) : (
      <main className="alone">
        <h1>Recoup</h1>
        <Failed what="the service" error={session.error} retry={() => void session.refetch()} />
      </main>
    );
  }
  const isIn = data !== null && isEntered && isForHere(data);
  if (isIn && data !== shown) setShown(data);
  if (isIn && !isLoaded) return <Loading what="the dashboard" />;
  const framed = isIn ? data : shown;
  return (
    <>
      {!isIn && portalBase === '' && <LoginPage hasEnded={shown !== undefined} />}
      {!isIn && portalBase !== '' && (
        <PortalEntry
          token={isEntered ? undefined : portalToken}
          isOperator={data !== null && data.portal === undefined}
          onEntered={() => setEntered(true)}
        />
      )}
      {framed !== undefined && (
        <Activity key={framed.viewer} mode={isIn ? 'visible' : 'hidden'}>
          <Inside session={framed} />
        </Activity>
      )}
    </>
  );
}

/** Whether who is signed in is shown what stands at this address. */
function isForHere({ portal }: SessionView): boolean {
  if (portalBase === '') return portal === undefined;
  return portal !== undefined && isOfThisPortal(portal);
}

function Inside({ session }: { readonly session: SessionView }) {
  return (
    <ErrorBoundary>
      {/* The page's policy lets no style element in; what they would say stands in controls.css. */}
      <CSPProvider disableStyleElements>
        <ServiceTime aheadMs={session.aheadMs}>
          <Portal value={session.portal}>
            <SeesAll value={session.seesAll}>
              <Router base={portalBase}>
                <Toasts>
                  <Frame sandbox={session.sandbox} />
                  <Tips />
                </Toasts>
              </Router>
            </SeesAll>
          </Portal>
        </ServiceTime>
      </CSPProvider>
    </ErrorBoundary>
  );
}

/** The frame comes with its page: without it the page would be three tenths of a second late (`atOnce`). */
function useIsLoaded(begun: Promise<void> | undefined): boolean {
  const [isLoaded, setLoaded] = useState(begun === undefined);
  useEffect(() => {
    void begun?.then(() => setLoaded(true));
  }, [begun]);
  return isLoaded;
}
