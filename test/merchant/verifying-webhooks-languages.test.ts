import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** The samples of docs/verifying-webhooks.md, run by their own languages on the page's test vector. */

const run = promisify(execFile);
const page = readFileSync(new URL('../../docs/verifying-webhooks.md', import.meta.url), 'utf8');
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(page)?.[1] ?? '';
const row = (name: string): string =>
  new RegExp(`^\\| ${name} \\| \`([^\`]+)\` \\|$`, 'm').exec(page)?.[1] ?? '';

const body = block('json');
const secret = row('signing secret');
const signature = row('`X-Service-Webhook-Signature`');
const expiration = Number(row('`X-Service-Webhook-Expiration`'));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recoup-samples-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Whether the sample is right in each case: genuine, late, changed, by another secret, badly signed. */
const verdicts = 'true false false false false';

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
  await writeFile(join(folder, 'body.json'), body);
  const env = { ...process.env, GOTOOLCHAIN: 'local', GOPROXY: 'off' };
  const { stdout } = await run(command, [...args, path], { cwd: folder, env });
  return stdout.trim().toLowerCase();
}

const has = {
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
  const libraries = ['crypto/hmac', 'crypto/sha256', 'encoding/hex', 'strconv', 'fmt', 'os'];
  const stale = '{{if .Stale}}{{.ImportPath}}{{end}}';
  const { stdout } = await run('go', ['list', '-deps', '-f', stale, ...libraries]);
  return stdout.trim() === '';
}
const isGoReady = has.go && (await isGoCompiled());

/** The name of a test that says why it is skipped. */
const named = (command: keyof typeof has) =>
  has[command] ? command : `${command} (not on this machine: skipped)`;

const goName = has.go && !isGoReady ? 'go (not compiled: run go build std; skipped)' : named('go');

describe('the samples verify the test vector', () => {
  test.skipIf(!has.python3)(named('python3'), async () => {
    const program = `${block('python')}
b = open("body.json", "rb").read()
e, s, k = "${expiration}", "${signature}", ["another", "${secret}"]
print(is_genuine(b, e, s, k, ${expiration}), is_genuine(b, e, s, k, ${expiration + 1}),
      is_genuine(b + b" ", e, s, k, 0), is_genuine(b, e, s, ["another"], 0), is_genuine(b, e, "", k, 0))
`;
    expect(await execute('python3', 'sample.py', program)).toBe(verdicts);
  });

  test.skipIf(!isGoReady)(goName, async () => {
    const program = `${block('go').replace('package webhooks', 'package main').replace('import (', 'import (\n\t"fmt"\n\t"os"')}
func main() {
	b, _ := os.ReadFile("body.json")
	e, s, k := "${expiration}", "${signature}", []string{"another", "${secret}"}
	at := time.Unix(${expiration}, 0)
	fmt.Println(IsGenuine(b, e, s, k, at), IsGenuine(b, e, s, k, at.Add(time.Second)),
		IsGenuine(append(b, ' '), e, s, k, at), IsGenuine(b, e, s, k[:1], at), IsGenuine(b, e, "", k, at))
}
`;
    expect(await execute('go', 'sample.go', program, ['run'])).toBe(verdicts);
  });

  // These two read the machine's clock, so they are given a fresh signature by the vector's secret.
  test.skipIf(!has.php)(named('php'), async () => {
    const program = `<?php
${block('php')}
$b = file_get_contents('body.json');
$e = (string) (time() + 300);
$k = ['another', '${secret}'];
$s = hash_hmac('sha256', $b . $e, '${secret}');
foreach ([is_genuine($b, $e, $s, $k), is_genuine($b, '${expiration}', '${signature}', $k),
  is_genuine($b . ' ', $e, $s, $k), is_genuine($b, $e, $s, ['another']), is_genuine($b, $e, '', $k)] as $v)
  echo $v ? 'true ' : 'false ';
`;
    expect(await execute('php', 'sample.php', program)).toBe(verdicts);
  });

  test.skipIf(!has.ruby)(named('ruby'), async () => {
    const program = `${block('ruby')}
b = File.binread("body.json")
e = (Time.now.to_i + 300).to_s
k = ["another", "${secret}"]
s = OpenSSL::HMAC.hexdigest("SHA256", "${secret}", b + e)
puts [genuine?(b, e, s, k), genuine?(b, "${expiration}", "${signature}", k), genuine?(b + " ", e, s, k),
      genuine?(b, e, s, ["another"]), genuine?(b, e, "", k)].join(" ")
`;
    expect(await execute('ruby', 'sample.rb', program)).toBe(verdicts);
  });

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
