import { type Page, route } from '../../state/page.ts';

export const alertsPage: Page = {
  name: 'Alerts',
  group: 'Operations',
  icon: 'alerts',
  path: '/alerts',
  routes: [
    route('/alerts', async () => (await import('./alert-list.tsx')).AlertList, 'Alerts'),
    route('/alerts/sent', async () => (await import('./sent-list.tsx')).SentList, 'Sent alerts'),
    route(
      '/alerts/channels',
      async () => (await import('./channel-list.tsx')).ChannelList,
      'Alert channels',
    ),
  ],
};
