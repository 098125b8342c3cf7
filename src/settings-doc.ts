import { type Setting, settingGroups } from './setting.ts';
import { settings } from './settings.ts';

const head = `# Settings

Generated from \`src/settings.ts\` by \`npm run generate\`; do not edit.

Recoup is configured by environment variables, read once when it starts. A faulty one stops the start with a
single line that names every fault. An empty variable is a fault too, so that a slip such as
\`DATABASE_URL=\` does not start Recoup on another database; unset it instead. Durations carry their
unit: \`500ms\`, \`10s\`, \`2m\`, \`1h\`, \`1d\`. The values of secrets are never logged.

A variable whose name is all but a setting's (\`DATABASE_URI\`, \`RECOUP_HOST\`, \`PSP_TIMEOUT_MS\`) is ignored like any other
of the environment, and the log of the start warns of it, unless the setting itself is there too.

To choose the two secrets yourself: \`openssl rand -hex 32\`.
`;

/** docs/settings.md: every setting with its default, its type and its meaning. */
export function renderSettingsDoc(): string {
  const all: readonly Setting<unknown>[] = Object.values(settings);
  const tables = settingGroups.map((group) => {
    const rows = all.filter((setting) => setting.group === group).map(row);
    return `## ${group}\n\n| setting | default | value | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return [head, ...tables].join('\n');
}

function row(setting: Setting<unknown>): string {
  const { env, type, meaning } = setting;
  const standard = setting.defaultText ?? `\`${setting.default}\``;
  const notes = [
    setting.secret ? 'Secret.' : undefined,
    setting.requiredWithDatabaseUrl ? 'Required with DATABASE_URL.' : undefined,
  ].filter((note) => note !== undefined);
  return `| \`${env}\` | ${standard} | ${type.words} | ${[meaning, ...notes].join(' ')} |`;
}
