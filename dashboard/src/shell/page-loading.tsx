import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { useIsServiceAway } from '../state/service-away.ts';

/** What stands in the place of a page whose parts are on their way, also where they wait for a service that does not answer. */
export function PageLoading() {
  const isAway = useIsServiceAway();
  if (!isAway) return <Loading what="the page" />;
  return (
    <Failed
      what="the page"
      error="Recoup does not answer. The page opens by itself once it does."
    />
  );
}
