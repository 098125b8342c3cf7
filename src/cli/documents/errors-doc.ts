import { errorRegistry } from '../../domain/errors.ts';

const head = `# Errors

Generated from \`src/domain/errors.ts\` by \`npm run generate\`; do not edit.

Every error of Recoup has a code that never changes its meaning. Messages end with it, as in
\`… [config_invalid]\`; the operator API gives it as \`error.code\`. The recovery API answers with the
bodies of its own contract instead.

| code | what it means | what to do |
|---|---|---|
`;

/** docs/errors.md: every code with its meaning and what to do about it. */
export function renderErrorsDoc(): string {
  const rows = Object.entries(errorRegistry)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { what, action }]) => `| \`${code}\` | ${what} | ${action} |\n`);
  return head + rows.join('');
}
