import { type Page, route } from '../../state/page.ts';

export const policyPage: Page = {
  name: 'Policy',
  path: '/policy',
  routes: [
    route('/policy', async () => (await import('./policy.tsx')).Policy),
    route('/policy/models', async () => (await import('./models.tsx')).Models, 'Models'),
    route('/policy/what-if', async () => (await import('./what-if.tsx')).WhatIf, 'What if'),
  ],
};
