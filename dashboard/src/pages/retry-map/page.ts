import { type Page, route } from '../../state/page.ts';

export const retryMapPage: Page = {
  name: 'Retry timing',
  group: 'Recovery',
  icon: 'timing',
  path: '/retry-map',
  routes: [route('/retry-map', async () => (await import('./retry-map.tsx')).RetryMap)],
};
