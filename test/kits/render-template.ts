import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

type Values = { readonly [name: string]: unknown };

/**
 * Renders a template of a chart as helm does, as far as its words are these: a path of values, `quote`,
 * `toYaml`, `nindent`, `sha256sum`. Any other word fails, so that the templates stay as simple as that.
 */
export function renderTemplate(text: string, values: Values): string {
  return text.replace(
    /(\s*)\{\{(-?) (.+?) \}\}/g,
    (_whole, before: string, trims, action: string) => {
      const [first = '', ...pipes] = action.split(' | ');
      const rendered = pipes.reduce(piped, startOf(first, values));
      return trims === '-' ? rendered : before + rendered;
    },
  );
}

function startOf(word: string, values: Values): string {
  const [, toYaml, path = ''] = /^(toYaml )?\.([\w.]+)$/.exec(word) ?? [];
  const value = path
    .split('.')
    .reduce<unknown>((of, name) => (of as Values | undefined)?.[name], values);
  if (value === undefined) throw new Error(`{{ ${word} }} is nothing that the chart has`);
  return toYaml === undefined ? String(value) : stringify(value).trimEnd();
}

function piped(text: string, word: string): string {
  const [, columns] = /^nindent (\d+)$/.exec(word) ?? [];
  if (columns !== undefined) return `\n${text.replace(/^/gm, ' '.repeat(Number(columns)))}`;
  if (word === 'quote') return JSON.stringify(text);
  if (word === 'sha256sum') return createHash('sha256').update(text).digest('hex');
  throw new Error(`${word} is a word that these templates do not use`);
}
