/**
 * All that somebody at a merchant's portal may ask, as the dashboard's pages need it. What is not named here is
 * refused, whatever role it needs: an endpoint that is added later too. Each of these is about the merchant
 * that its path or query names, so that `permit` lets none of another through.
 */
export const portalEndpoints: readonly string[] = [
  'GET /api/session',
  'DELETE /api/session',
  'GET /api/overview',
  'GET /api/payments',
  'GET /api/merchants/{id}/payments/{invoice_id}',
  'GET /api/merchants/{id}/payments/{invoice_id}/timeline',
  'GET /api/merchants/{id}/customers/{customer_id}',
  'GET /api/endpoints',
  'GET /api/merchants/{id}/webhook-endpoints/{endpoint_id}/success',
  'GET /api/merchants/{id}/deliveries',
  'GET /api/merchants/{id}/deliveries/{event_id}',
  'GET /api/disputes',
  'GET /api/disputes/{id}',
  'GET /api/dispute-outcomes',
  'GET /api/merchants/{id}/monthly-statements',
  'GET /api/merchants/{id}/monthly-statements/{month}',
  'GET /api/export/payments',
  'GET /api/export/merchants/{id}/customers/{customer_id}/payments',
  'GET /api/export/merchants/{id}/customers/{customer_id}/methods',
  'GET /api/export/merchants/{id}/customers/{customer_id}/attempts',
  'GET /api/export/merchants/{id}/customers/{customer_id}/disputes',
  'GET /api/export/endpoints',
  'GET /api/export/merchants/{id}/deliveries',
  'GET /api/export/disputes',
  'GET /api/export/dispute-outcomes',
  'GET /api/export/merchants/{id}/monthly-statements',
];

const allowed: ReadonlySet<string> = new Set(portalEndpoints);

/** Whether a route, such as `GET /api/payments`, is part of the portal. */
export function isPortalEndpoint(route: string): boolean {
  return allowed.has(route);
}
