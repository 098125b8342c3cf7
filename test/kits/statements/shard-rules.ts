import { statementsOf } from '../../../src/store/migrating/statements-of.ts';

/**
 * What Citus refuses, or takes for something else, where the tables of a cell are shards. It says so only where it runs,
 * so these rules are read from the texts.
 */

/** A function that a trigger runs, or that such a function calls. */
export interface TriggerFunction {
  readonly name: string;
  readonly body: string;
  /** Of the triggers that run it. */
  readonly transitionTables: readonly string[];
}

interface Catalog {
  readonly tables: ReadonlySet<string>;
  /** Functions that read or write tables. */
  readonly readers: ReadonlySet<string>;
}

export function faultsOfFunction(of: TriggerFunction, { tables, readers }: Catalog): string[] {
  const body = withoutComments(of.body);
  const faults: string[] = [];
  for (const query of queriesOf(body)) {
    const sources = [...query.matchAll(/\b(?:from|join|into)\s+(\w+)/g)].map(([, name]) => name);
    const transition = sources.find((name) => of.transitionTables.includes(name ?? ''));
    if (transition !== undefined) {
      const called = [...query.matchAll(/\b(\w+)\s*\(/g)].map(([, name]) => name);
      const beside =
        sources.find((name) => tables.has(name ?? '')) ??
        called.find((name) => readers.has(name ?? ''));
      if (beside !== undefined) faults.push(`${of.name} reads ${transition} beside ${beside}`);
    }
    if (/\binsert\s+into\b[\s\S]*\bselect\b/.test(query)) {
      faults.push(`${of.name} inserts what it selects`);
    }
  }
  const whole = /\b(\w+)\s*\((?:[^()]*,)?\s*(new|old)\s*[,)]/.exec(body);
  if (whole !== null) faults.push(`${of.name} hands ${whole[2]} to ${whole[1]}`);
  if (/\btg_table_name\s*(?:=|in\b|<>)/.test(body)) {
    faults.push(`${of.name} takes its table for the one of that name`);
  }
  return faults;
}

export function faultsOfStatement(
  name: string,
  text: string,
  tables: ReadonlySet<string>,
): string[] {
  const clean = withoutComments(text).replace(/'(?:[^']|'')*'/g, "''");
  const parts = partsOf(clean);
  const top = atTopOf(clean);
  const faults: string[] = [];
  for (const part of parts) {
    if (/\bfor (?:no key |key )?(?:update|share)\b/.test(atTopOf(part))) {
      faults.push(`${name} locks rows in a part itself, not in a query within it`);
    }
  }
  const writes = parts.some((part) => /^\s*(?:insert|update|delete)\b/.test(part));
  if (writes && /\binsert into\b.*\bselect\b/s.test(top)) {
    faults.push(`${name} is an insert … select over parts that write`);
  }
  const beside = writes ? undefined : readBesideValues(clean, tables);
  if (beside !== undefined) {
    faults.push(`${name} inserts what it reads of ${beside} beside the values of a function`);
  }
  // Told by its values that it changes nothing, Citus leaves out the parts as well.
  const change = /\)\s*(?:update|delete from)\b[\s\S]*?\bwhere\b([\s\S]*)$/.exec(top)?.[1] ?? '';
  if (writes && /\$\d+(?:::\w+)? is (?:not )?null/.test(change)) {
    faults.push(`${name} makes its parts depend on a parameter`);
  }
  const named = new Set([...clean.matchAll(/\b(\w+) as (?:\w+ )?\(/g)].map((found) => found[1]));
  for (const part of parts) {
    if (!/^\s*insert into\b/.test(part)) continue;
    const read = [...part.slice(part.indexOf('into') + 4).matchAll(/\b(?:from|join)\s+(\w+)/g)]
      .map((found) => found[1] ?? '')
      .find((source) => tables.has(source) && !named.has(source));
    if (read !== undefined) faults.push(`${name} reads ${read} in a part that inserts`);
  }
  if (
    /\b(?:insert into|update|delete from)\b/.test(clean) &&
    /\bcase\s+(?!when\b)[\w.$:"]+\s+when\b/.test(clean)
  ) {
    faults.push(`${name} compares by case … when`);
  }
  return faults;
}

/** The table that an insert … select reads beside a function of its parameters, such as unnest. Sums are no fault. */
function readBesideValues(text: string, tables: ReadonlySet<string>): string | undefined {
  if (!/\binsert into\b.*\bselect\b/s.test(text) || /\bgroup by\b/.test(atTopOf(text))) {
    return undefined;
  }
  const sources = [...text.matchAll(/\b(?:from|join)\s+(?:lateral\s+)?(\w+)(\s*\()?/g)];
  if (!sources.some(([, , called]) => called !== undefined)) return undefined;
  return sources.find(([, name, called]) => called === undefined && tables.has(name ?? ''))?.[1];
}

/** Of a migration, to tables that are shards by then; what it makes functions of is run later. */
export function faultsOfMigration(sql: string): string[] {
  const faults: string[] = [];
  for (const statement of statementsOf(sql)) {
    if (/^create (?:or replace )?function\b/.test(statement)) continue;
    const change = /\balter table\b[\s\S]*/.exec(statement)?.[0] ?? '';
    if (/\balter (?:column )?\w+ (?:re)?set \(/.test(change))
      faults.push('sets an option of a column');
    if (/\badd column\b[^,]*\b(?:check|unique|primary key|references)\b/.test(change)) {
      faults.push('adds a column with a constraint');
    }
    if (
      /\bconstraint\b/.test(change) &&
      /,\s*(?:add|drop|alter|validate)\b/.test(atTopOf(change))
    ) {
      faults.push('changes a constraint and something else at once');
    }
  }
  return faults;
}

/** What stands between semicolons, or before a word that ends a query in PL/pgSQL. */
function queriesOf(body: string): readonly string[] {
  return body.split(/;|\bloop\b|\bthen\b|\bbegin\b/);
}

/** The texts of common table expressions. */
function partsOf(text: string): readonly string[] {
  return [...text.matchAll(/\b\w+ as (?:not materialized |materialized )?\(/g)].map((found) => {
    const begin = found.index + found[0].length;
    let depth = 1;
    let end = begin;
    for (; depth > 0 && end < text.length; end += 1) {
      if (text[end] === '(') depth += 1;
      if (text[end] === ')') depth -= 1;
    }
    return text.slice(begin, end - 1);
  });
}

/** What stands in no parentheses. */
function atTopOf(text: string): string {
  let depth = 0;
  let top = '';
  for (const letter of text) {
    if (letter === ')') depth -= 1;
    if (depth === 0) top += letter;
    if (letter === '(') depth += 1;
  }
  return top;
}

function withoutComments(text: string): string {
  return text.replace(/--.*$/gm, '');
}
