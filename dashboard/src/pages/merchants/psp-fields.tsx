import { useState } from 'react';
import type { SupportedPspJson } from '../../api/generated/psp-connections.ts';
import { Choice } from '../../parts/choice.tsx';
import { pspTitle } from '../../parts/psp-name.ts';

const prefix = 'psp_';

/** A processor, and the credentials that a connection to it needs, as its own pages call them. */
export function PspFields({ psps }: { readonly psps: readonly SupportedPspJson[] }) {
  const [chosen, setChosen] = useState(psps[0]?.psp ?? '');
  const credentials = psps.find(({ psp }) => psp === chosen)?.credentials ?? [];
  return (
    <fieldset className="fields">
      <legend>Processor</legend>
      <Choice
        label="Charges go through"
        form="above"
        name="psp"
        value={chosen}
        options={psps.map(({ psp }) => ({ value: psp, label: pspTitle(psp) }))}
        onChange={setChosen}
      />
      {credentials.length === 0 && <p className="muted">It needs no credentials.</p>}
      {credentials.map(({ name, label, required, secret, meaning }) => (
        <label key={`${chosen} ${name}`}>
          <span>
            {label}
            {required ? '' : ' (optional)'}
          </span>
          <input
            name={`${prefix}${name}`}
            type={secret ? 'password' : 'text'}
            required={required}
            autoComplete="off"
            aria-description={meaning}
          />
          <span className="muted small">{meaning}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The connection of a form, credentials that were left empty left out. */
export function pspOf(fields: FormData): Readonly<Record<string, string>> {
  const given = [...fields.entries()].flatMap(([name, value]) => {
    const text = String(value).trim();
    const isCredential = name.startsWith(prefix) && text !== '';
    return isCredential ? [[name.slice(prefix.length), text] as const] : [];
  });
  return { psp: String(fields.get('psp')), ...Object.fromEntries(given) };
}
