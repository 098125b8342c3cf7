import type { AuditLineJson } from '../../api/generated/audit-log.ts';

/** What was done, to what, and which values it changed. */
export function AuditDetail({ line }: { readonly line: AuditLineJson }) {
  const { action, detail, before = {}, after = {} } = line;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  // What was set is shown once, as the new value.
  const unchanged = Object.entries(detail).filter(([name]) => !names.includes(name));
  return (
    <div className="act">
      <strong>{action}</strong>
      <ul>
        {unchanged.map(([name, value]) => (
          <li key={name}>
            <span className="muted">{name}</span> {textOf(value)}
          </li>
        ))}
        {names.map((name) => (
          <li key={`changed ${name}`}>
            <span className="muted">{name}</span>{' '}
            {before[name] !== undefined && (
              <>
                <del>{textOf(before[name])}</del> <span aria-hidden="true">→</span>{' '}
              </>
            )}
            {after[name] === undefined ? 'nothing' : <ins>{textOf(after[name])}</ins>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function textOf(value: unknown): string {
  if (value === null) return 'nothing';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
