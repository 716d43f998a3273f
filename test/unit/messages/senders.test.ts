import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { OutboxSender } from '../../../lib/email/outbox.ts';
import { type OutgoingMail, RefusedForGood, TryLater, UnknownOutcome } from '../../../lib/email/sender.ts';
import { SesSender, sesClient } from '../../../lib/email/ses.ts';
import { SmtpSender } from '../../../lib/email/smtp.ts';

const leave =
  'https://onboarding.example.com/m/0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz01x';
const mail: OutgoingMail = {
  from: { name: 'First Bank', address: 'hello@bank.example.com' },
  to: 'ada@example.com',
  replyTo: 'help@bank.example.com',
  subject: 'Grüße, Ada',
  html: '<p>Grüße, <b>Ada</b></p>',
  text: 'Grüße, Ada',
  headers: { 'List-Unsubscribe': `<${leave}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  tags: { message: '6b1d5a3e-0000-5000-8000-000000000001', address: 'ab'.repeat(32), team: 'team' },
};

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** An SMTP server with these answers, and what it has taken. */
async function smtpServer(options: SMTPServerOptions = {}) {
  const taken: { source: string; to: string[] }[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'], logger: false },
    onData(stream, { envelope }, callback) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        taken.push({ source: Buffer.concat(parts).toString(), to: envelope.rcptTo.map(({ address }) => address) });
        callback(null);
      });
    },
    ...options,
  });
  // A connection that the client or a test breaks.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return { taken, url: `smtp://127.0.0.1:${port}` };
}
const replies = (responseCode: number) => Object.assign(new Error('No.'), { responseCode });

test('an SMTP server gets the message, and a mail program reads it as it was meant', async () => {
  const { url, taken } = await smtpServer();
  await new SmtpSender(url).send(mail);
  expect(taken).toMatchObject([{ to: ['ada@example.com'] }]);
  const read = await simpleParser(taken[0]!.source);
  expect(read).toMatchObject({ subject: mail.subject, html: mail.html });
  expect(read.text?.trim()).toBe(mail.text);
  expect(read.from?.value).toEqual([{ name: 'First Bank', address: 'hello@bank.example.com' }]);
  expect(read.replyTo?.value).toMatchObject([{ address: 'help@bank.example.com' }]);
  expect(taken[0]!.source).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
  expect(read.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line.replaceAll(/\s+/g, '')).toBe(
    `List-Unsubscribe:<${leave}>`,
  );
});

test('neither a name, a subject nor an address can add a header, a recipient or a line', async () => {
  const { url, taken } = await smtpServer();
  const evil = 'x\r\nBcc: eve@example.com\r\n\r\n<b>';
  await new SmtpSender(url).send({
    ...mail,
    from: { ...mail.from, name: `${evil}", <eve@example.com>` },
    subject: evil,
    headers: { 'List-Unsubscribe': `<https://a>${evil}` },
  });
  const read = await simpleParser(taken[0]!.source);
  expect(read.bcc).toBeUndefined();
  expect(read.from?.value).toMatchObject([{ address: 'hello@bank.example.com' }]);
  expect(read.subject).toBe('x Bcc: eve@example.com <b>');
  expect(taken[0]!.to).toEqual(['ada@example.com']);
  for (const address of [
    'a@b.example, eve@example.com',
    'a@b.example\r\nBcc: e@example.com',
    'Eve <e@e.example>',
    'a',
  ]) {
    for (const broken of [{ to: address }, { replyTo: address }, { from: { name: '', address } }]) {
      await expect(new SmtpSender(url).send({ ...mail, ...broken })).rejects.toThrow(RefusedForGood);
    }
  }
  expect(taken).toHaveLength(1);
});

describe('what an SMTP server answers decides whether the message may be sent again', () => {
  const bounced = (isAddress: boolean) => ({ name: 'RefusedForGood', refusal: { bounced: true, isAddress } });
  const later = { name: 'TryLater' };
  test.each<[string, SMTPServerOptions, object]>([
    ['is not there at the greeting', { onConnect: (_, callback) => callback(replies(421)) }, later],
    ['refuses the connection for good', { onConnect: (_, callback) => callback(replies(554)) }, later],
    ['refuses the sender for now', { onMailFrom: (_, __, callback) => callback(replies(451)) }, later],
    ['refuses the sender for good', { onMailFrom: (_, __, callback) => callback(replies(550)) }, bounced(false)],
    ['refuses the address for now', { onRcptTo: (_, __, callback) => callback(replies(450)) }, later],
    ['refuses the address for good', { onRcptTo: (_, __, callback) => callback(replies(550)) }, bounced(true)],
    [
      'refuses the data for now',
      { onData: (s, _, callback) => s.resume().on('end', () => callback(replies(451))) },
      later,
    ],
    [
      'refuses the data for good',
      { onData: (s, _, callback) => s.resume().on('end', () => callback(replies(554))) },
      bounced(false),
    ],
  ])('%s', async (_, options, expected) => {
    const { url } = await smtpServer(options);
    await expect(new SmtpSender(url).send(mail)).rejects.toMatchObject(expected);
  });

  test('a server that cannot be reached has not got it', async () => {
    await expect(new SmtpSender('smtp://127.0.0.1:1').send(mail)).rejects.toThrow(TryLater);
  });

  test('a connection that breaks before the data has not handed it over', async () => {
    const server = await smtpServer({
      onRcptTo: (_, session) => (session as unknown as { destroy?: () => void }).destroy?.(),
    });
    await expect(new SmtpSender(server.url, 300).send(mail)).rejects.toThrow(TryLater);
  });

  test('after one that breaks in or after the data, nobody knows', async () => {
    const silent = await smtpServer({ onData: (stream) => stream.resume() });
    await expect(new SmtpSender(silent.url, 300).send(mail)).rejects.toThrow(UnknownOutcome);
  });
});

describe('SES', () => {
  /** A server that answers as SES does, and what it was asked. */
  async function ses(status: number, body: object, hangs = false) {
    const asked: { path: string | undefined; body: string }[] = [];
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const part of request) text += part;
      asked.push({ path: request.url, body: text });
      if (hangs) {
        request.socket.destroy();
        return;
      }
      const name = (body as { __type?: string }).__type;
      response.writeHead(status, { 'content-type': 'application/json', ...(name ? { 'x-amzn-errortype': name } : {}) });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as AddressInfo;
    const client = sesClient({
      ...{ region: 'us-east-1', endpoint: `http://127.0.0.1:${port}` },
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    });
    closing.push(() => client.destroy());
    return { asked, sender: new SesSender(client, 'onboarding-messages') };
  }

  test('gets the MIME text, the configuration set, and tags without data of a person', async () => {
    const { asked, sender } = await ses(200, { MessageId: '0100' });
    expect(await sender.send({ ...mail, to: 'ada@bücher.example' })).toEqual({ providerId: '0100' });
    expect(asked).toMatchObject([{ path: '/v2/email/outbound-emails' }]);
    const body = JSON.parse(asked[0]!.body);
    expect(body).toMatchObject({
      ConfigurationSetName: 'onboarding-messages',
      FromEmailAddress: 'hello@bank.example.com',
      Destination: { ToAddresses: ['ada@xn--bcher-kva.example'] },
    });
    expect(body.EmailTags.map(({ Name, Value }: Record<string, string>) => [Name, Value])).toEqual(
      Object.entries(mail.tags),
    );
    const read = await simpleParser(Buffer.from(body.Content.Raw.Data, 'base64'));
    expect(read).toMatchObject({ subject: mail.subject, html: mail.html });
  });

  test.each([
    [400, { __type: 'MessageRejected', message: 'ada@example.com is bad' }, 'RefusedForGood'],
    [400, { __type: 'MailFromDomainNotVerifiedException' }, 'RefusedForGood'],
    [429, { __type: 'TooManyRequestsException' }, 'TryLater'],
    [400, { __type: 'SendingPausedException' }, 'TryLater'],
    [403, { __type: 'AccessDeniedException' }, 'TryLater'],
    [500, { __type: 'InternalServiceErrorException' }, 'UnknownOutcome'],
  ])('a %i %o is one attempt, and %s', async (status, body, name) => {
    const { asked, sender } = await ses(status, body);
    await expect(sender.send(mail)).rejects.toMatchObject({ name, message: expect.not.stringContaining('ada@') });
    expect(asked).toHaveLength(1);
  });

  test('a connection that breaks leaves it unknown, and one that is refused does not', async () => {
    const { asked, sender } = await ses(200, {}, true);
    await expect(sender.send(mail)).rejects.toThrow(UnknownOutcome);
    expect(asked).toHaveLength(1);
    const nobody = sesClient({
      ...{ region: 'us-east-1', endpoint: 'http://127.0.0.1:1' },
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    });
    await expect(new SesSender(nobody, 'x').send(mail)).rejects.toThrow(TryLater);
  });
});

test('the outbox keeps the message with its headers and its MIME text', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outbox-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  await new OutboxSender(folder, () => Date.UTC(2030, 0, 1)).send(mail);
  const kept = JSON.parse(readFileSync(join(folder, `${mail.tags.message}.json`), 'utf8'));
  expect(kept).toMatchObject({
    ...{ id: mail.tags.message, channel: 'email', to: mail.to, subject: mail.subject, state: 'sent', html: mail.html },
    ...{ text: mail.text, sent_at: '2030-01-01T00:00:00.000000Z' },
    headers: { 'list-unsubscribe': `<${leave}>`, 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' },
  });
  expect(await simpleParser(kept.source)).toMatchObject({ subject: mail.subject });
});
