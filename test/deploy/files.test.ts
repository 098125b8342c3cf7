import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { parseConfig } from '../../src/config.ts';
import { type SettingKey, settings } from '../../src/settings.ts';
import { renderTemplate } from '../kits/render-template.ts';
import { listFiles, readText } from '../kits/source-files.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Yaml = any;

const known = new Set(Object.values(settings).map(({ env }) => env as string));
const secrets = ['DATABASE_URL', 'ENCRYPTION_KEY', 'OPERATOR_TOKEN'];
const ours = (names: readonly string[]) => names.filter((name) => !/^(NODE_|POSTGRES_)/.test(name));

/** Whether a process would start with these settings, and how long it may take to end. */
function configOf(env: Readonly<Record<string, string>>) {
  return parseConfig({
    DATABASE_URL: 'postgresql://recoup@database/recoup',
    ENCRYPTION_KEY: '07'.repeat(32),
    OPERATOR_TOKEN: 'operator-token-of-the-test',
    ...env,
  });
}

it('every YAML file of the repository is read without a warning', () => {
  const files = [
    ...listFiles('deploy', '.yaml').filter((path) => !path.includes('/templates/')),
    ...listFiles('.github', '.yml'),
  ];
  expect(files.length).toBeGreaterThan(5);
  for (const path of files) {
    for (const document of parseAllDocuments(readText(path), { merge: true })) {
      expect(
        [...('errors' in document ? document.errors : []), ...document.warnings],
        path,
      ).toEqual([]);
    }
  }
});

describe('compose', () => {
  const compose: Yaml = parse(readText('deploy/compose.yaml'), { merge: true });

  it('runs each role with settings that are known, after the schema', () => {
    const { database, migrate, ...roles } = compose.services;
    expect(Object.keys(roles)).toEqual(['api', 'worker', 'operator']);
    expect(database.image).toMatch(/^postgres:1[5-9]$/);
    expect(migrate.command).toEqual(['node', 'src/cli/recoup.ts', 'migrate']);
    for (const [role, service] of Object.entries<Yaml>(roles)) {
      const names = Object.keys(service.environment);
      expect(names.filter((name) => !known.has(name))).toEqual([]);
      expect(names).toEqual(expect.arrayContaining(secrets));
      expect(service.environment.ROLES).toBe(role);
      expect(service.depends_on.migrate.condition).toBe('service_completed_successfully');
      const { ALLOWED_HOSTS, MIGRATE_ON_START, ROLES } = service.environment;
      const { drainTimeMs } = configOf({ ALLOWED_HOSTS, MIGRATE_ON_START, ROLES });
      expect(Number.parseInt(service.stop_grace_period, 10) * 1000).toBeGreaterThan(drainTimeMs);
    }
  });
});

describe('the chart', () => {
  const values: Yaml = parse(readText('deploy/helm/recoup/values.yaml'));
  const objectsOf = (given: Yaml): readonly Yaml[] =>
    listFiles('deploy/helm/recoup/templates', '.yaml').flatMap((path) =>
      parseAllDocuments(
        renderTemplate(readText(path), { Values: given, Release: { Name: 'pay' } }),
        {
          merge: true,
        },
      ).map((document) => {
        if (!('toJS' in document)) throw new Error(`${path} is empty`);
        expect(document.errors, path).toEqual([]);
        return document.toJS();
      }),
    );
  const objects = objectsOf(values);
  const ofKind = (kind: string, of = objects) => of.filter((object) => object.kind === kind);

  it('has settings that a process starts with', () => {
    const [{ data }] = ofKind('ConfigMap').filter(
      ({ metadata }) => metadata.name === 'pay-settings',
    );
    expect(Object.keys(data).filter((name) => !known.has(name))).toEqual([]);
    expect(Object.values(data).filter((value) => typeof value !== 'string')).toEqual([]);
    const { drainTimeMs } = configOf(data);
    expect(values.terminationGracePeriodSeconds * 1000).toBeGreaterThan(drainTimeMs);
  });

  it('deploys each role as nobody, probed where every process is', () => {
    const roles = ofKind('Deployment').map((object) => {
      const { containers, ...pod } = object.spec.template.spec;
      const [container] = containers;
      const env = Object.fromEntries(container.env.map(({ name, value }: Yaml) => [name, value]));
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65534 });
      expect(pod.terminationGracePeriodSeconds).toBe(values.terminationGracePeriodSeconds);
      expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'probes' });
      expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'probes' });
      expect(container.ports).toContainEqual({
        name: 'probes',
        containerPort: Number(env.PROBE_PORT),
      });
      expect(container.resources).toEqual(values[env.ROLES].resources);
      expect(object.spec.selector.matchLabels).toEqual(object.spec.template.metadata.labels);
      expect(object.metadata.name).toBe(`pay-${env.ROLES}`);
      return env.ROLES;
    });
    expect(roles.toSorted()).toEqual(['api', 'operator', 'worker']);
  });

  it('gives no process variables of services beside it, which may be called as ours are', () => {
    const pods = [...ofKind('Deployment'), ...ofKind('Job')].map(({ spec }) => spec.template.spec);
    expect(pods.map(({ enableServiceLinks }) => enableServiceLinks)).toEqual(pods.map(() => false));
    expect(pods.length).toBe(4);
  });

  it('has services whose ports the pods have, by the default ports', () => {
    const ports = ofKind('Service').flatMap(({ metadata, spec }) => {
      const deployment = ofKind('Deployment').find(
        ({ metadata: { name } }) => name === metadata.name,
      );
      expect(spec.selector).toEqual(deployment.spec.selector.matchLabels);
      const [{ ports: open }] = deployment.spec.template.spec.containers;
      return spec.ports.map(({ port, targetPort }: Yaml) => {
        expect(open).toContainEqual({ name: targetPort, containerPort: port });
        return port;
      });
    });
    const wanted: readonly SettingKey[] = ['recoveryPort', 'disputesPort', 'operatorPort'];
    const config = parseConfig({});
    expect(ports).toEqual(wanted.map((key) => config[key]));
  });

  it('starts its processes anew where their settings are others', () => {
    const podsOf = (of: readonly Yaml[]) =>
      ofKind('Deployment', of).map(({ spec }) => spec.template.metadata.annotations);
    const changed = { ...values, settings: { ...values.settings, LOG_LEVEL: 'debug' } };
    const [before, after] = [podsOf(objects), podsOf(objectsOf(changed))];
    expect(before.length).toBe(3);
    for (const [index, annotations] of before.entries())
      expect(after[index]).not.toEqual(annotations);
  });

  it('migrates before an upgrade, and the cell that the settings name', () => {
    const cell = { ...values, settings: { ...values.settings, DATABASE_SCHEMA: 'cell_1' } };
    const inCell = objectsOf(cell);
    const [job] = ofKind('Job', inCell);
    expect(job.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    const [container] = job.spec.template.spec.containers;
    expect(container.command).toEqual(['node', 'src/cli/recoup.ts', 'migrate']);
    const [{ configMapRef }] = container.envFrom;
    const [given] = ofKind('ConfigMap', inCell).filter(
      ({ metadata }) => metadata.name === configMapRef.name,
    );
    expect(given.data.DATABASE_SCHEMA).toBe('cell_1');
    // The release's own comes after this hook; this one comes before the job.
    expect(given.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(Number(given.metadata.annotations['helm.sh/hook-weight'])).toBeLessThan(0);
  });
});

describe('the units of systemd', () => {
  const unit = (name: string) => readText(`deploy/systemd/${name}.service`);
  const entry = (text: string, key: string) =>
    new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1] ?? '';

  it.each(['recoup@', 'recoup-migrate'])('%s starts what is there, as nobody', (name) => {
    const text = unit(name);
    const [, script = ''] = /node (src\/\S+\.ts)/.exec(entry(text, 'ExecStart')) ?? [];
    expect(existsSync(script)).toBe(true);
    expect(entry(text, 'DynamicUser')).toBe('yes');
    for (const line of text.split('\n')) expect(line).toMatch(/^$|^#|^\[\w+\]$|^[A-Z]\w+=.*$/);
  });

  it('leave a process the time that it may take to end', () => {
    const text = unit('recoup@');
    expect(Number(entry(text, 'TimeoutStopSec')) * 1000).toBeGreaterThan(
      parseConfig({}).drainTimeMs,
    );
    const names = [...entry(text, 'Environment').matchAll(/(\w+)=/g)].map(([, key = '']) => key);
    expect(ours(names).filter((key) => !known.has(key))).toEqual([]);
  });
});
