/** What a migration does to tables that were there before it, while others write to them. */
export function findBlocking(sql: string): readonly string[] {
  const text = sql.replace(/^\s*--.*$/gm, '').toLowerCase();
  // What functions do is done when they are called.
  const statements = text.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$$').split(';');
  const made = new Set(
    [...text.matchAll(/create table (?:if not exists )?(\w+)/g)].map(([, name]) => name),
  );
  const marks = {
    contracts: /^-- contract\b/m.test(sql),
    isAlone: /^-- outside a transaction\b/m.test(sql),
  };
  return statements.flatMap((statement) => {
    const words = statement.replace(/\s+/g, ' ').trim();
    return made.has(tableOf(words)) ? [] : faultsOf(words, tableOf(words), marks);
  });
}

/** A table of some rows of the service's own, whatever its merchants do. */
const isSmall = (table: string | undefined): boolean => table === 'rollup_progress';

function tableOf(statement: string): string | undefined {
  return (
    /^create (?:unique )?index .*?\bon (?:only )?(\w+)/.exec(statement)?.[1] ??
    /^(?:alter table|drop table|update|delete from)(?: if exists)?(?: only)? (\w+)/.exec(
      statement,
    )?.[1]
  );
}

function faultsOf(
  statement: string,
  table: string | undefined,
  marks: { readonly contracts: boolean; readonly isAlone: boolean },
): string[] {
  if (/^create (unique )?index/.test(statement))
    return indexFaults(statement, table, marks.isAlone);
  const faults: string[] = [];
  if (/^(update|delete from) /.test(statement) && !isSmall(table)) {
    faults.push('rows filled by the migration');
  }
  if (
    /^drop (table|view)|^alter table .*\b(drop column|rename)\b/.test(statement) &&
    !marks.contracts
  ) {
    faults.push('taken away without -- contract');
  }
  if (statement.startsWith('alter table')) {
    for (const action of actionsOf(statement)) faults.push(...actionFaults(action, table));
  }
  return faults;
}

function indexFaults(statement: string, table: string | undefined, isAlone: boolean): string[] {
  if (!/index concurrently/.test(statement))
    return [`an index of ${table} built while its writers wait`];
  if (!isAlone) return ['concurrently, within a transaction'];
  return /concurrently if not exists/.test(statement) ? [] : ['not to be run twice'];
}

/** The parts of `alter table`, between the commas that no parenthesis holds. */
function actionsOf(statement: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of statement.replace(/^alter table( only)? \w+ /, '')) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else part += character;
  }
  return [...parts, part.trim()];
}

function actionFaults(action: string, table: string | undefined): string[] {
  if (/^alter (column )?\w+ (set data )?type /.test(action))
    return [`another type of a column of ${table}`];
  if (/^alter (column )?\w+ set not null/.test(action)) return [`${table} read from end to end`];
  if (/^add (constraint \w+ )?(primary key|unique)\b(?! using index)/.test(action)) {
    return [`an index of ${table} built while its writers wait`];
  }
  if (/^add (constraint \w+ )?(check|foreign key|exclude)\b/.test(action)) {
    return action.endsWith('not valid') ? [] : [`${table} read from end to end`];
  }
  return /^add (column )?/.test(action) && !/^add constraint/.test(action)
    ? columnFaults(action, table)
    : [];
}

function columnFaults(action: string, table: string | undefined): string[] {
  const faults: string[] = [];
  if (/ check\b/.test(action) || / references .* default |default .* references /.test(action))
    faults.push(`${table} read from end to end`);
  if (/ (unique|primary key)\b/.test(action))
    faults.push(`an index of ${table} built while its writers wait`);
  if (/ default .*\(|generated (always|by default)/.test(action))
    faults.push(`${table} written from end to end`);
  if (/ not null/.test(action) && !/ default /.test(action)) {
    faults.push(`a column of ${table} that the release before does not fill`);
  }
  return faults;
}
