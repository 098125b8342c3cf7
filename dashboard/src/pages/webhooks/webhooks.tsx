import { useEndpoints } from '../../api/webhooks.ts';
import { ExportButton } from '../../parts/export-button.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { usePortal } from '../../state/portal.ts';
import { useViewState } from '../../state/view-state.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { EndpointChoice } from './endpoint-choice.tsx';
import { EndpointTable } from './endpoint-table.tsx';
import { OneEndpoint } from './one-endpoint.tsx';
import { SignatureTester } from './signature-tester.tsx';
import { SuccessChart } from './success-chart.tsx';

/** How the endpoints do; of one merchant its deliveries too. */
export function Webhooks() {
  const { merchantId, param } = useViewState();
  const isOperator = usePortal() === undefined;
  const chosen = param('endpoint') ?? 'primary';
  const query = useEndpoints(merchantId);
  return (
    <>
      <div className="page-head">
        <h1>Webhooks</h1>
        {merchantId === undefined && (
          <div className="filters">
            <ExportButton list="/api/endpoints" filters={{}} />
          </div>
        )}
      </div>
      <QueryView query={query} what="the endpoints">
        {({ items }) => {
          const endpoint = items.find(({ endpoint_id: id }) => id === chosen) ?? items[0];
          if (merchantId === undefined) return <EndpointTable endpoints={items} />;
          return endpoint === undefined ? null : (
            <>
              {items.length > 1 && <EndpointChoice endpoints={items} />}
              <OneEndpoint key={endpoint.endpoint_id} endpoint={endpoint} />
              <SuccessChart merchantId={endpoint.merchant_id} endpointId={endpoint.endpoint_id} />
            </>
          );
        }}
      </QueryView>
      {merchantId !== undefined && (
        <>
          <DeliveryLog merchantId={merchantId} endpointId={chosen} />
          {isOperator && <SignatureTester merchantId={merchantId} />}
        </>
      )}
    </>
  );
}
