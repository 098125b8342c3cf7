import { Panel } from '../../parts/panel.tsx';

const colours = [
  'ground',
  'surface',
  'raised',
  'line',
  'ink',
  'ink-soft',
  'accent',
  'danger',
  'recovered',
  'scheduled',
  'attempting',
  'waiting',
  'stopped',
  'exhausted',
  'unknown',
];
const spaces = [1, 2, 3, 4, 5, 6];

/** Colour, space and type, as styles/tokens.css has them. */
export function Tokens() {
  return (
    <Panel title="Tokens">
      <ul className="design-row">
        {colours.map((name) => (
          <li key={name} className="design-token">
            <span className="design-colour" style={{ background: `var(--${name})` }} />
            <code>--{name}</code>
          </li>
        ))}
      </ul>
      <ul className="design-row">
        {spaces.map((step) => (
          <li key={step} className="design-token">
            <span className="design-space" style={{ width: `var(--space-${step})` }} />
            <code>--space-{step}</code>
          </li>
        ))}
      </ul>
      <p className="figure-value">$24,571.47 a figure</p>
      <p>
        Body text, with <code>code</code>, a <kbd>key</kbd> and muted words.
      </p>
      <p className="muted small">Small and muted.</p>
    </Panel>
  );
}
