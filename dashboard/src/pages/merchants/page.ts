import { type Page, route } from '../../state/page.ts';

export const merchantsPage: Page = {
  name: 'Merchants',
  group: 'Settings',
  icon: 'merchants',
  path: '/merchants',
  routes: [
    route('/merchants', async () => (await import('./merchant-list.tsx')).MerchantList),
    route(
      '/merchants/new',
      async () => (await import('./new-merchant.tsx')).NewMerchant,
      'New merchant',
    ),
    route('/merchants/:merchantId', async () => (await import('./one-merchant.tsx')).OneMerchant),
  ],
};
