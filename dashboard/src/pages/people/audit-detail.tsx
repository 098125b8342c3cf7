import type { AuditLineJson } from '../../api/generated/audit-log.ts';
import { formatCount } from '../../parts/count.ts';
import { type AuditValue, auditValues } from './audit-values.ts';
import { actText } from './audit-words.ts';

/** What is stated of something new at a glance: of a merchant its name and addresses. */
const shownOfNew = 3;

/** What was done, to what, and which values it changed, before and after; of what is new, the first values. */
export function AuditDetail({ line }: { readonly line: AuditLineJson }) {
  const values = auditValues(line);
  const isNew = values.every(({ before }) => before === undefined);
  const shown = isNew && values.length > 2 * shownOfNew ? values.slice(0, shownOfNew) : values;
  const rest = values.slice(shown.length);
  return (
    <div className="act">
      <strong>{actText(line.action)}</strong> <code className="muted small">{line.action}</code>
      <Values values={shown} />
      {rest.length > 0 && (
        <details>
          <summary>{formatCount(rest.length)} more values</summary>
          <Values values={rest} />
        </details>
      )}
    </div>
  );
}

function Values({ values }: { readonly values: readonly AuditValue[] }) {
  return (
    <dl>
      {values.map(({ name, before, after }) => (
        <div key={name}>
          <dt className="muted">{name}</dt>
          <dd>
            {before !== undefined && (
              <>
                <del>{before}</del> <span aria-hidden="true">→</span>{' '}
              </>
            )}
            {before === undefined ? after : <ins>{after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
