import { expectStatus, operatorApi } from '../service-calls.ts';
import type { ServiceEntries } from '../service-entries.ts';
import type { PageName } from './page-names.ts';
import type { DashboardWorld } from './seed-dashboard.ts';

/** Where each page is in a seeded world. */
export async function pagesOf(
  service: ServiceEntries,
  { atlasId, northwindId }: DashboardWorld,
): Promise<Readonly<Record<PageName, string>>> {
  const api = operatorApi(service);
  const first = async (path: string) => (await expectStatus(api.get(path), 200)).items[0];
  const dispute = await first('/api/disputes?order=deadline');
  const incident = await first('/api/incidents');
  const delivery = await first(`/api/merchants/${northwindId}/deliveries?limit=1`);
  return {
    overview: '/overview',
    'overview of one': `/overview?merchant=${atlasId}`,
    payments: '/payments',
    payment: `/payments/${atlasId}/in_101150`,
    'payment recovered': `/payments/${atlasId}/in_101001`,
    'payment waiting': `/payments/${atlasId}/in_101183`,
    customer: `/customers/${atlasId}/cus_10191`,
    incidents: '/incidents',
    incident: `/incidents/${incident.id}`,
    alerts: '/alerts',
    'alert channels': '/alerts/channels',
    'alerts sent': '/alerts/sent',
    'set aside': '/set-aside',
    'ledger checks': '/invariants',
    'retry timing': '/retry-map',
    webhooks: '/webhooks',
    deliveries: `/webhooks?merchant=${northwindId}`,
    delivery: `/webhooks/${northwindId}/${delivery.event_id}`,
    disputes: '/disputes',
    dispute: `/disputes/${dispute.id}`,
    'dispute outcomes': '/disputes/outcomes?range=all',
    policy: '/policy',
    models: '/policy/models',
    backtest: `/policy/what-if?merchant=${atlasId}`,
    limits: `/limits?merchant=${atlasId}`,
    merchants: '/merchants',
    merchant: `/merchants/${atlasId}`,
    'new merchant': '/merchants/new',
    'audit log': '/audit',
    operators: '/operators',
    sandbox: '/sandbox',
    'first recovery': '/start',
    design: '/design',
  };
}
