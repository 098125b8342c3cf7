import { createHash } from 'node:crypto';
import type { DashboardState } from './dashboard.ts';

const style = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { max-width: 60ch; margin: 15vh auto; padding: 0 16px; }
pre { overflow: auto; padding: 12px; border: 1px solid; }`;

/** What lets the page's own style through, and no other. */
export const plainPageStyle = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** A page without script for the time in which there is no dashboard; it reloads itself. */
export function plainPage(state: Exclude<DashboardState, { kind: 'ready' }>): string {
  switch (state.kind) {
    case 'building':
      return page(
        'The dashboard is being built',
        '<meta http-equiv="refresh" content="2">',
        '<p>This happens once after an update and takes a few seconds. The service itself is running; this page reloads by itself.</p>',
      );
    case 'failed':
      return page(
        'The dashboard could not be built',
        '',
        `<p>The service itself is running. What the build said:</p><pre>${escaped(state.message)}</pre>
<p>Run <code>npm ci &amp;&amp; npm run build</code> in Recoup's folder and start it again.</p>`,
      );
  }
}

function page(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} - Recoup</title>
<meta name="viewport" content="width=device-width">${head}<style>${style}</style></head>
<body><main><h1>${title}</h1>${body}</main></body></html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
