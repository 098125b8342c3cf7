import { useState } from 'react';
import { Choice } from '../parts/choice.tsx';
import { applyTheme, readTheme, themes } from '../state/theme.ts';

const options = [
  { value: 'system', label: 'System theme' },
  { value: 'light', label: 'Light theme' },
  { value: 'dark', label: 'Dark theme' },
];

export function ThemeToggle() {
  const [theme, setTheme] = useState(readTheme);
  return (
    <Choice
      label="Colours"
      form="unseen"
      value={theme}
      options={options}
      onChange={(value) => {
        const next = themes.find((each) => each === value) ?? 'system';
        applyTheme(next);
        setTheme(next);
      }}
    />
  );
}
