import { type Page, route } from '../../state/page.ts';

export const policyPage: Page = {
  name: 'Policy',
  path: '/policy',
  routes: [route('/policy', async () => (await import('./policy.tsx')).Policy)],
};
