import { useEndpoints } from '../../api/webhooks.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { useViewState } from '../../state/view-state.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { EndpointTable } from './endpoint-table.tsx';
import { OneEndpoint } from './one-endpoint.tsx';
import { SignatureTester } from './signature-tester.tsx';

/** How the endpoints do; of one merchant its deliveries too. */
export function Webhooks() {
  const { merchantId } = useViewState();
  const query = useEndpoints(merchantId);
  return (
    <>
      <div className="page-head">
        <h1>Webhooks</h1>
      </div>
      <QueryView query={query} what="the endpoints">
        {({ items }) => {
          const [endpoint] = items;
          if (merchantId === undefined) return <EndpointTable endpoints={items} />;
          return endpoint === undefined ? null : <OneEndpoint endpoint={endpoint} />;
        }}
      </QueryView>
      {merchantId !== undefined && (
        <>
          <DeliveryLog merchantId={merchantId} />
          <SignatureTester merchantId={merchantId} />
        </>
      )}
    </>
  );
}
