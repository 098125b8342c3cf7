import { type Page, route } from '../../state/page.ts';

export const peoplePage: Page = {
  name: 'Team',
  group: 'Settings',
  icon: 'people',
  path: '/audit',
  routes: [
    route('/audit', async () => (await import('./audit-log.tsx')).AuditLog, 'Audit log'),
    route('/operators', async () => (await import('./operators.tsx')).Operators, 'Operators'),
  ],
};
