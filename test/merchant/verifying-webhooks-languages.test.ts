import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signWebhook } from '../../src/merchant/signature.ts';

/** The samples of docs/verifying-webhooks.md, run by their own languages. */

const run = promisify(execFile);
const page = readFileSync(new URL('../../docs/verifying-webhooks.md', import.meta.url), 'utf8');
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(page)?.[1] ?? '';
const row = (name: string): string =>
  new RegExp(`^\\| ${name} \\| \`([^\`]+)\` \\|$`, 'm').exec(page)?.[1] ?? '';

const body = block('json');
const secret = row('signing secret');
const signature = row('`X-Service-Webhook-Signature`');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recoup-samples-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Case {
  readonly body: string;
  /** Null: the header is absent. */
  readonly expiration: string | null;
  readonly signature: string | null;
  readonly secrets: readonly string[];
}

const nowUnix = Math.floor(Date.now() / 1000);
const lasting = nowUnix + 3600;

/** A webhook as the service signs it, with what an attacker or a proxy made of it. */
function caseOf(over: Partial<Case> = {}, signedWith = secret, expiresAtUnix = lasting): Case {
  return {
    body,
    expiration: `${expiresAtUnix}`,
    signature: signWebhook({ secret: signedWith, body: over.body ?? body, expiresAtUnix }),
    secrets: ['another', secret],
    ...over,
  };
}

const genuine: Readonly<Record<string, Case>> = {
  'by the last secret': caseOf(),
  'by the first secret': caseOf({ secrets: [secret, 'another'] }),
  'in letters of any script': caseOf({ body: '{"a":"Ünï-発票"}', secrets: ['clé-🔑'] }, 'clé-🔑'),
};
const refused: Readonly<Record<string, Case>> = {
  'a body with a blank more': caseOf({ body: `${body} `, signature: caseOf().signature }),
  'a later expiration': caseOf({ expiration: `${lasting + 1}` }),
  'an old signature': caseOf({}, secret, nowUnix - 1),
  'the test vector, long expired': caseOf({
    expiration: row('`X-Service-Webhook-Expiration`'),
    signature,
  }),
  'another secret': caseOf({}, 'a third one'),
  'no secret': caseOf({ secrets: [] }),
  'no signature': caseOf({ signature: '' }),
  'half a signature': caseOf({ signature: caseOf().signature?.slice(0, 32) ?? '' }),
  'the signature absent': caseOf({ signature: null }),
  'the expiration absent': caseOf({ expiration: null }),
  'both headers absent': caseOf({ expiration: null, signature: null }),
  'a signature that is no hex': caseOf({ signature: 'é'.repeat(64) }),
  'no expiration': caseOf({ expiration: '' }),
  'a line after the expiration': caseOf({ expiration: `${lasting}\n` }),
  'a sign before the expiration': caseOf({ expiration: `+${lasting}` }),
  'digits of another script': caseOf({ expiration: '١٧٧٢٣٦٦٧٠٠' }),
  'more digits than a number has': caseOf({ expiration: '9'.repeat(5000) }),
};
const cases = { ...genuine, ...refused };

/** Of what the program printed, a verdict for each case. */
function verdictsIn(printed: string): Readonly<Record<string, string | undefined>> {
  const verdicts = printed.split(/\s+/);
  return Object.fromEntries(Object.keys(cases).map((name, index) => [name, verdicts[index]]));
}
const right = Object.fromEntries(
  Object.keys(cases).map((name) => [name, name in genuine ? 'true' : 'false']),
);

async function isThere(command: string, args: readonly string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}

async function execute(
  command: string,
  file: string,
  program: string,
  args: readonly string[] = [],
): Promise<string> {
  const path = join(folder, file);
  await writeFile(path, program);
  await writeFile(join(folder, 'cases.json'), JSON.stringify(Object.values(cases)));
  const env = { ...process.env, GOTOOLCHAIN: 'local', GOPROXY: 'off' };
  const { stdout } = await run(command, [...args, path], { cwd: folder, env });
  return stdout.trim().toLowerCase();
}

const has = {
  node: true,
  bun: await isThere('bun', ['--version']),
  deno: await isThere('deno', ['--version']),
  python3: await isThere('python3', ['--version']),
  go: await isThere('go', ['version']),
  php: await isThere('php', ['--version']),
  ruby: await isThere('ruby', ['--version']),
  openssl: await isThere('openssl', ['version']),
};
/**
 * Go compiles its standard library at the first use, which takes a minute on a small machine; it is not
 * made to here.
 */
async function isGoCompiled(): Promise<boolean> {
  const own = ['encoding/json', 'fmt', 'os'];
  const libraries = ['crypto/hmac', 'crypto/sha256', 'encoding/hex', 'strconv', 'time', ...own];
  const stale = '{{if .Stale}}{{.ImportPath}}{{end}}';
  const { stdout } = await run('go', ['list', '-deps', '-f', stale, ...libraries]);
  return stdout.trim() === '';
}
const isGoReady = has.go && (await isGoCompiled());

/** The name of a test that says why it is skipped. */
const named = (command: keyof typeof has) =>
  has[command] ? command : `${command} (not on this machine: skipped)`;

const goName = has.go && !isGoReady ? 'go (not compiled: run go build std; skipped)' : named('go');

const readers = [
  ['node', []],
  ['bun', ['run']],
  ['deno', ['run', '--allow-read']],
] as const;

describe('the samples tell genuine webhooks from others', () => {
  for (const [command, args] of readers) {
    test.skipIf(!has[command])(named(command), async () => {
      const program = `${block('js')}
import { readFileSync } from 'node:fs';
for (const { body, expiration, signature, secrets } of JSON.parse(readFileSync('cases.json')))
  console.log(isGenuine(Buffer.from(body), expiration, signature, secrets));
`;
      expect(verdictsIn(await execute(command, 'sample.mjs', program, args))).toEqual(right);
    });
  }

  test.skipIf(!has.python3)(named('python3'), async () => {
    const program = `${block('python')}
import json
for c in json.load(open("cases.json", encoding="utf-8")):
    print(is_genuine(c["body"].encode(), c["expiration"], c["signature"], c["secrets"]))
`;
    expect(verdictsIn(await execute('python3', 'sample.py', program))).toEqual(right);
  });

  test.skipIf(!isGoReady)(goName, async () => {
    const imports = 'import (\n\t"encoding/json"\n\t"fmt"\n\t"os"';
    const program = `${block('go').replace('package webhooks', 'package main').replace('import (', imports)}
func main() {
	text, _ := os.ReadFile("cases.json")
	var cases []struct {
		Body, Expiration, Signature string
		Secrets                     []string
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	for _, c := range cases {
		fmt.Println(IsGenuine([]byte(c.Body), c.Expiration, c.Signature, c.Secrets, time.Now()))
	}
}
`;
    expect(verdictsIn(await execute('go', 'sample.go', program, ['run']))).toEqual(right);
  });

  test.skipIf(!has.php)(named('php'), async () => {
    const program = `<?php
${block('php')}
foreach (json_decode(file_get_contents('cases.json')) as $c)
  echo is_genuine($c->body, $c->expiration, $c->signature, $c->secrets) ? 'true ' : 'false ';
`;
    expect(verdictsIn(await execute('php', 'sample.php', program))).toEqual(right);
  });

  test.skipIf(!has.ruby)(named('ruby'), async () => {
    const program = `${block('ruby')}
require "json"
JSON.parse(File.read("cases.json", encoding: "UTF-8")).each do |c|
  puts genuine?(c["body"], c["expiration"], c["signature"], c["secrets"])
end
`;
    expect(verdictsIn(await execute('ruby', 'sample.rb', program))).toEqual(right);
  });
});

describe('the commands give the test vector', () => {
  test.skipIf(!has.openssl)(named('openssl'), async () => {
    const lines = (await execute('sh', 'sample.sh', block('sh'))).split('\n');
    const standard = row('`webhook-signature`').replace('v1,', '').toLowerCase();
    expect(lines.map((line) => line.replace(/^.*= /, ''))).toEqual([
      signature,
      row('`X-Service-Webhook-Deduplication-ID`'),
      standard,
    ]);
  });
});
