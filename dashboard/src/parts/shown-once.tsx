import { Copyable } from './copyable.tsx';
import { Panel } from './panel.tsx';

/** Secrets that cannot be read again. */
export function ShownOnce({
  items,
}: {
  readonly items: readonly (readonly [name: string, text: string])[];
}) {
  return (
    <Panel title="Keep these now">
      <div className="form">
        <p role="status">
          They are shown only once and cannot be read again. Copy them before you leave.
        </p>
        {items.map(([name, text]) => (
          <div key={name}>
            <h3>{name}</h3>
            <Copyable text={text} name={name} />
          </div>
        ))}
      </div>
    </Panel>
  );
}
