import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { timestamp } from '../domain/values/timestamp.ts';
import { mimeOf } from './mime.ts';
import type { OutboxMail } from './outbox-mail.ts';
import type { OutgoingMail, Sender } from './sender.ts';

/** Keeps messages in a folder, for the local service. It sends nothing. */
export class OutboxSender implements Sender {
  readonly #folder: string;
  readonly #now: () => number;

  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  async send(mail: OutgoingMail): Promise<{ providerId: string }> {
    const { source } = await mimeOf(mail);
    const { to, subject, html, text, tags } = mail;
    const { message: id } = tags;
    const kept: OutboxMail = {
      ...{ id, channel: 'email', to, subject, sent_at: timestamp(this.#now()), state: 'sent' },
      ...{ html, text, headers: headersOf(source.toString('utf8')), source: source.toString('utf8'), tags },
    };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // A list of the folder has whole files only.
    const path = join(this.#folder, `${id}.json`);
    await writeFile(`${path}.new`, JSON.stringify(kept), { mode: 0o600 });
    await rename(`${path}.new`, path);
    return { providerId: id };
  }
}

/** The headers of a MIME text by their lower-case names, with folded lines joined. */
export function headersOf(source: string): Record<string, string> {
  const [head = ''] = source.split(/\r?\n\r?\n/, 1);
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
