import { useState } from 'react';
import { Choice } from '../../parts/choice.tsx';

/** How calls to the merchant's server are authenticated; secrets are typed anew, never shown. */
export function AuthFields({ standing }: { readonly standing?: string }) {
  const [type, setType] = useState(standing === undefined ? 'none' : 'keep');
  return (
    <fieldset className="fields">
      <legend>Our calls authenticate with</legend>
      <Choice
        label="Authentication"
        form="above"
        name="auth_type"
        value={type}
        onChange={setType}
        options={[
          ...(standing === undefined
            ? []
            : [{ value: 'keep', label: `as it is (${words[standing] ?? standing})` }]),
          ...Object.entries(words).map(([value, label]) => ({ value, label })),
        ]}
      />
      {type === 'api_key' && (
        <label>
          The key, sent in x-api-key
          <input name="api_key" type="password" required autoComplete="off" />
        </label>
      )}
      {type === 'basic' && (
        <>
          <label>
            User name
            <input name="username" required autoComplete="off" />
          </label>
          <label>
            Password
            <input name="password" type="password" required autoComplete="off" />
          </label>
        </>
      )}
    </fieldset>
  );
}

const words: Readonly<Record<string, string>> = {
  none: 'the signature alone',
  api_key: 'an API key',
  basic: 'a user name and a password',
};

/** The `auth` of a body; nothing where it stays as it is. */
export function authOf(fields: FormData): object {
  const type = text(fields, 'auth_type');
  switch (type) {
    case 'api_key':
      return { auth: { type, api_key: text(fields, 'api_key') } };
    case 'basic':
      return {
        auth: { type, username: text(fields, 'username'), password: text(fields, 'password') },
      };
    case 'none':
      return { auth: { type } };
    default:
      return {};
  }
}

function text(fields: FormData, name: string): string {
  return String(fields.get(name) ?? '').trim();
}
