import { type Page, route } from '../../state/page.ts';

export const policyPage: Page = {
  name: 'Policy',
  group: 'Recovery',
  icon: 'policy',
  path: '/policy',
  routes: [
    route('/policy', async () => (await import('./policy.tsx')).Policy),
    route('/policy/models', async () => (await import('./models.tsx')).Models, 'Models'),
    route(
      '/policy/what-if',
      async () => (await import('./what-if/what-if.tsx')).WhatIf,
      'Backtest',
    ),
  ],
};
