import type { AuditLineJson } from '../../api/generated/audit-log.ts';
import { auditValues } from './audit-values.ts';
import { actText } from './audit-words.ts';

/** What was done, to what, and which values it changed, before and after. */
export function AuditDetail({ line }: { readonly line: AuditLineJson }) {
  return (
    <div className="act">
      <strong>{actText(line.action)}</strong> <code className="muted small">{line.action}</code>
      <dl>
        {auditValues(line).map(({ name, before, after }) => (
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
    </div>
  );
}
