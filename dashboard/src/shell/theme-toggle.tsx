import { useState } from 'react';
import { applyTheme, readTheme, type Theme, themes } from '../state/theme.ts';

const names: Readonly<Record<Theme, string>> = { system: 'Auto', light: 'Light', dark: 'Dark' };

export function ThemeToggle() {
  const [theme, setTheme] = useState(readTheme);
  return (
    <label className="field">
      <span className="field-name">Colours</span>
      <select
        value={theme}
        onChange={(event) => {
          const next = themes.find((each) => each === event.target.value) ?? 'system';
          applyTheme(next);
          setTheme(next);
        }}
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {names[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
