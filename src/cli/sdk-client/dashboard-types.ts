import { apiTypes } from './api-types.ts';
import type { SourceText } from './sdk-client.ts';

/**
 * The types of what the operator API takes and answers, a file for each of its tags. The names of the
 * shapes end in `Json`: without it they are those of the dashboard's components.
 */
export function renderDashboardTypes(document: object): readonly SourceText[] {
  const banner = '// Generated from openapi/operator.json by npm run generate; do not edit.';
  const text = JSON.stringify(document, (key, value) => {
    // Exports are texts, asked for as their lists are.
    if (key.startsWith('/api/export/')) return undefined;
    return key === 'title' && typeof value === 'string' ? `${value}Json` : value;
  });
  const { files } = apiTypes(JSON.parse(text) as object, banner);
  return files.map((file) => ({ path: `${file.name}.ts`, text: file.text }));
}
