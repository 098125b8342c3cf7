import { CSPProvider } from '@base-ui/react/csp-provider';
import { useSession } from '../api/session.ts';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { Tips } from '../parts/tip.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { ServiceTime } from '../state/service-time.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { LoginPage } from './login-page.tsx';

/** The dashboard: the sign-in page, or the frame with the page that the address names. */
export function App() {
  const session = useSession();
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
  if (session.data === null) return <LoginPage />;
  return (
    <ErrorBoundary>
      {/* The page's policy lets no style element in; what they would say stands in controls.css. */}
      <CSPProvider disableStyleElements>
        <ServiceTime aheadMs={session.data.aheadMs}>
          <Toasts>
            <Frame sandbox={session.data.sandbox} />
            <Tips />
          </Toasts>
        </ServiceTime>
      </CSPProvider>
    </ErrorBoundary>
  );
}
