import { type Page, route } from '../../state/page.ts';

export const webhooksPage: Page = {
  name: 'Webhooks',
  group: 'Operations',
  icon: 'webhooks',
  path: '/webhooks',
  inPortal: true,
  routes: [
    route('/webhooks', async () => (await import('./webhooks.tsx')).Webhooks),
    route(
      '/webhooks/:merchantId/:eventId',
      async () => (await import('./one-delivery.tsx')).OneDelivery,
    ),
  ],
};
