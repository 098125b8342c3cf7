import type { PspConnection, PspCredentialField, SupportedPsps } from '../operator-api.ts';

/** Longest secret of others: PSP keys, even whole RSA keys, stay below. */
export const secretLength = 8192;

/** What a list of connections cannot be. */
export function pspFaults(
  connections: readonly PspConnection[],
  supported: SupportedPsps,
): string[] {
  if (connections.length === 0) return ['psps must name at least one PSP.'];
  const seen = new Set<string>();
  return connections.flatMap((connection, index) => {
    const field = `psps[${index}]`;
    const known = supported[connection.psp];
    if (known === undefined) {
      const names = Object.keys(supported).join(', ');
      return [`${field}.psp must be one of ${names}.`];
    }
    if (seen.has(connection.psp)) return [`${field}.psp names ${connection.psp} twice.`];
    seen.add(connection.psp);
    return credentialFaults(field, connection, known);
  });
}

function credentialFaults(
  field: string,
  { psp, credentials }: PspConnection,
  known: readonly PspCredentialField[],
): string[] {
  const names = known.map((credential) => credential.name);
  const required = known.filter((credential) => credential.required);
  const missing = required
    .map((credential) => credential.name)
    .filter((name) => !Object.hasOwn(credentials, name));
  const extra = Object.keys(credentials).filter((name) => !names.includes(name));
  const given = names.filter((name) => Object.hasOwn(credentials, name));
  return [
    ...missing.map((name) => `${field}.${name} is required by ${psp}.`),
    // Their names come from outside and may hold anything, a misplaced secret too.
    ...(extra.length > 0 ? [`${field} has fields that ${psp} does not use.`] : []),
    ...given
      .filter((name) => !isSecretText(credentials[name]))
      .map((name) => `${field}.${name} must be 1 to ${secretLength} characters.`),
  ];
}

function isSecretText(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= secretLength &&
    !value.includes('\0')
  );
}
