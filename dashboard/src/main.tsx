import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { pages } from './pages/pages.ts';
import { App } from './shell/app.tsx';
import { openPage } from './shell/open-page.ts';
import { mendLanguage } from './state/mend-language.ts';
import { openFurtherLinks, pagePath, takePortalToken } from './state/portal.ts';
import { applyTheme, readTheme } from './state/theme.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/controls.css';
import './styles/parts.css';
import './styles/heat.css';
import './styles/overview.css';
import './styles/story.css';
import './styles/tables.css';
import './styles/design.css';
import './styles/disputes.css';
import './styles/incidents.css';
import './styles/limits.css';
import './styles/merchants.css';
import './styles/people.css';
import './styles/policy.css';
import './styles/sandbox.css';
import './styles/print.css';

mendLanguage(navigator);
applyTheme(readTheme());
const portalToken = takePortalToken();
openFurtherLinks();
// Beside the question whose session this is, and not after its answer.
const begun = openPage(pages, pagePath())?.route.begin();
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <App portalToken={portalToken} begun={begun} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
