import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mailerTo } from '../kits/message-world.ts';
import { startSmtpInbox } from '../kits/smtp-inbox.ts';

const mail = {
  messageId: 'cmg_4c1vbz7p0x9k2m5n8q3r6t0w',
  from: 'Käse & Co <billing@acme.example>',
  to: 'jane@customers.example',
  subject: 'Ihre Zahlung',
  text: 'Bitte.',
  stopUrl: 'https://api.recoup.example/unsubscribe/a.b',
};

/** A mail server that says these lines, one to each of ours, and then hangs up. */
async function scripted(...answers: readonly string[]): Promise<{ readonly port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const left = [...answers];
    const say = (): void => {
      const line = left.shift();
      if (line === undefined) socket.destroy();
      else socket.write(`${line}\r\n`);
    };
    let isInBody = false;
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        if (isInBody && line !== '.') continue;
        isInBody = line === 'DATA' && left[0]?.startsWith('354') === true;
        say();
      }
    });
    say();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { port: (server.address() as AddressInfo).port };
}

const hello = ['220 mx', '250 mx'];

describe('a mail server', () => {
  it('that takes a message has sent it', async () => {
    const inbox = await startSmtpInbox();
    onTestFinished(() => inbox.close());
    expect(await mailerTo(inbox)(mail)).toEqual({ kind: 'sent' });
    expect(inbox.mails).toMatchObject([
      { from: 'bounces+cmg_4c1vbz7p0x9k2m5n8q3r6t0w@recoup.example', to: [mail.to] },
    ]);
  });

  it.each([
    [{ from: 'Acme (Germany) <billing@acme.example>' }, /^From: "Acme \(Germany\)" <billing@/m],
    [{ from: 'Acme: Billing <billing@acme.example>' }, /^From: "Acme: Billing" <billing@/m],
    [{ replyTo: 'Help; all <help@acme.example>' }, /^Reply-To: "Help; all" <help@/m],
    [{ to: 'jane@bücher.example' }, /^To: jane@xn--bcher-kva\.example$/m],
  ])('is told of %j as it stands', async (change, header) => {
    const inbox = await startSmtpInbox();
    onTestFinished(() => inbox.close());
    expect(await mailerTo(inbox)({ ...mail, ...change })).toEqual({ kind: 'sent' });
    expect(inbox.mails[0]?.source.replaceAll('\r\n', '\n')).toMatch(header);
  });

  it('is never given another address than the one that is known', async () => {
    const inbox = await startSmtpInbox();
    onTestFinished(() => inbox.close());
    await mailerTo(inbox)({ ...mail, to: 'jane(old)@customers.example' });
    expect(inbox.mails.flatMap(({ to }) => to)).toEqual(['"jane(old)"@customers.example']);
  });

  it.each([
    ['refused', [...hello, '250 ok', '550 5.1.1 no such user']],
    ['refused', [...hello, '250 ok', '553 no']],
    ['later', [...hello, '250 ok', '550 5.7.1 blocked by policy']],
    ['later', [...hello, '250 ok', '450 4.2.1 mailbox busy']],
    ['later', [...hello, '550 5.7.1 sender refused']],
    ['later', [...hello, '250 ok', '250 ok', '354 go', '554 5.6.0 no thanks']],
    ['later', ['421 too busy']],
    ['unclear', [...hello, '250 ok', '250 ok', '354 go']],
  ])('says %s by %j', async (kind, lines) => {
    const outcome = await mailerTo(await scripted(...lines), 2_000)(mail);
    expect(outcome.kind).toBe(kind);
    expect(JSON.stringify(outcome)).not.toContain('jane');
  });

  it('that is not there has taken nothing', async () => {
    const gone = await startSmtpInbox();
    await gone.close();
    expect((await mailerTo(gone, 2_000)(mail)).kind).toBe('later');
  });

  it('that never says a word has taken nothing', async () => {
    const mute = createServer(() => undefined);
    mute.listen(0, '127.0.0.1');
    await once(mute, 'listening');
    onTestFinished(() => void mute.close());
    const { port } = mute.address() as AddressInfo;
    expect((await mailerTo({ port }, 300)(mail)).kind).toBe('later');
  });
});
