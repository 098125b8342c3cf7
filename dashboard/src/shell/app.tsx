import { CSPProvider } from '@base-ui/react/csp-provider';
import { useEffect, useState } from 'react';
import { Router } from 'wouter';
import { useSession } from '../api/session.ts';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { Tips } from '../parts/tip.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { isOfThisPortal, Portal, portalBase } from '../state/portal.ts';
import { ServiceTime } from '../state/service-time.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { LoginPage } from './login-page.tsx';
import { PortalEntry } from './portal-entry.tsx';

/**
 * The dashboard: the sign-in page, or the frame with the page that the address names. Below `/portal` it is that
 * of one merchant's own people, and shown to nobody else.
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
  if (session.data === undefined) {
    return session.error === null ? (
      <Loading what="the dashboard" />
    ) : (
      <main className="alone">
        <h1>Recoup</h1>
        <Failed what="the service" error={session.error} retry={() => void session.refetch()} />
      </main>
    );
  }
  const portal = session.data?.portal;
  if (portalBase === '' && (session.data === null || portal !== undefined)) return <LoginPage />;
  const isHere = portal !== undefined && isOfThisPortal(portal);
  if (session.data === null || (portalBase !== '' && !(isHere && isEntered))) {
    const isOperator = session.data !== null && portal === undefined;
    const token = isEntered ? undefined : portalToken;
    return <PortalEntry token={token} isOperator={isOperator} onEntered={() => setEntered(true)} />;
  }
  if (!isLoaded) return <Loading what="the dashboard" />;
  return (
    <ErrorBoundary>
      {/* The page's policy lets no style element in; what they would say stands in controls.css. */}
      <CSPProvider disableStyleElements>
        <ServiceTime aheadMs={session.data.aheadMs}>
          <Portal value={portal}>
            <Router base={portalBase}>
              <Toasts>
                <Frame sandbox={session.data.sandbox} />
                <Tips />
              </Toasts>
            </Router>
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
