import { formatCount } from '../../parts/count.ts';
import { shortTime, span } from '../../parts/format-time.ts';
import { formatShare } from '../../parts/percent.ts';
import { capital, wordsOf } from './audit-words.ts';

type Values = Readonly<Record<string, unknown>>;

/** One value of an act by its name in words; what it was before where it was changed. */
export interface AuditValue {
  readonly name: string;
  /** Absent where there was none before, or none is compared. */
  readonly before?: string;
  readonly after: string;
}

/**
 * The values of an act for who reads them: those inside others by the names of both, those that stayed the same
 * beside a change left out.
 */
export function auditValues({
  detail,
  before = {},
  after = {},
}: {
  readonly detail: Values;
  readonly before?: Values | undefined;
  readonly after?: Values | undefined;
}): readonly AuditValue[] {
  const changed = new Set([...Object.keys(before), ...Object.keys(after)]);
  // What was changed is named below with its values.
  const stated = Object.entries(detail).filter(
    ([name]) => !changed.has(name) && (name !== 'changed' || changed.size === 0),
  );
  return [
    ...[...leaves(Object.fromEntries(stated))].map(([name, after]) => ({ name, after })),
    ...changes(leaves(before), leaves(after)),
  ];
}

function changes(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly AuditValue[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    if (old === now) return [];
    return [{ name, after: now ?? nothing, ...(old !== undefined && { before: old }) }];
  });
}

const nothing = 'none';

/** Every value inside, by the names on the way to it: `Policy: window days`. */
function leaves(values: Values, path: readonly string[] = []): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(values)) {
    const names = [...path, wordsOf(name)];
    if (isObject(value)) {
      for (const leaf of leaves(value, names)) found.set(...leaf);
    } else found.set(capital(names.join(': ')), textOf(name, value));
  }
  return found;
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return nothing;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return numberOf(name, value);
  if (Array.isArray(value)) {
    return value.map((each) => textOf(name, each)).join(isList(value) ? ', ' : '; ') || nothing;
  }
  if (isObject(value)) {
    return [...leaves(value)].map(([leaf, text]) => `${leaf.toLowerCase()} ${text}`).join(', ');
  }
  const text = String(value);
  if (name === 'changed') return wordsOf(text);
  if (coded.has(name)) return text.replaceAll('_', ' ');
  return instant.test(text) ? shortTime(new Date(text)) : text;
}

/** Values that are words of ours, such as `api_key`, and no id or text of somebody's. */
const coded = new Set(['auth', 'kind', 'status', 'state', 'stage', 'outcome', 'result', 'role']);

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Whether a comma between them says where each ends. */
function isList(values: readonly unknown[]): boolean {
  return !values.some(isObject);
}

function numberOf(name: string, value: number): string {
  if (/(_ms|Ms)$/.test(name)) return span(value);
  if (/share$/i.test(name) && value >= 0 && value <= 1) return formatShare(value, 1);
  return formatCount(value);
}
