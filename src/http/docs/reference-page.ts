/** A document as the page offers it. */
export interface PageDocument {
  readonly title: string;
  /** Path of its JSON on the same server. */
  readonly path: string;
}

/**
 * What the reference page may load: from its own server only, and no script but the two files. Its
 * library writes styles into the page, so those cannot be forbidden.
 */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Starts the library with what the page says; a file of its own, since inline scripts are forbidden. */
export const startScript = `const place = document.getElementById('reference');
Scalar.createApiReference(place, JSON.parse(place.dataset.configuration));
`;

/** What a reference page is made of; with several documents, the reader switches between them. */
export interface ReferencePage {
  readonly title: string;
  readonly documents: readonly PageDocument[];
  /** The name of the security scheme that the page offers to fill in. */
  readonly securityScheme: string;
}

/** The HTML of a reference page. */
export function referencePage({ title, documents, securityScheme }: ReferencePage): string {
  const sources = documents.map((document) => ({
    title: document.title,
    slug: document.path.replace(/^.*\/|\.json$/g, ''),
    url: document.path,
  }));
  const configuration = {
    sources,
    // Nothing of the library's maker: no fonts, no counting, no links to its other products.
    withDefaultFonts: false,
    telemetry: false,
    showDeveloperTools: 'never',
    hideClientButton: true,
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    authentication: { preferredSecurityScheme: securityScheme },
    persistAuth: false,
    defaultOpenAllTags: true,
    documentDownloadType: 'direct',
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="alternate" type="text/plain" href="/llms.txt" title="For assistants">
</head>
<body>
<div id="reference" data-configuration="${escaped(JSON.stringify(configuration))}"></div>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
