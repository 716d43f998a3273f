import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedbackType } from '../../../lib/domain/messages/feedback.ts';
import { isUuid } from '../../../lib/domain/values/uuid.ts';
import type { OutboxMail } from '../../../lib/email/outbox-mail.ts';

/** Messages of the list. */
const listed = 200;

/** How far on each state is. A later report of an earlier one changes nothing. */
const rank = { sent: 0, delivered: 1, bounced: 2, complained: 3 } as const;

/** The messages in the folder of the outbox: a file for each, and one beside it for what was reported of it. */
export class OutboxFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The newest messages, newest first. */
  async newest(): Promise<OutboxMail[]> {
    const ids = (await this.#names()).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
    const times = await Promise.all(ids.map(async (id) => ({ id, at: await this.#timeOf(`${id}.json`) })));
    const newest = times.toSorted((a, b) => b.at - a.at).slice(0, listed);
    const mails = await Promise.all(newest.map(({ id }) => this.find(id)));
    // A message is stored a moment after it is sent.
    return mails.filter((mail) => mail !== undefined).toSorted((a, b) => b.sent_at.localeCompare(a.sent_at));
  }

  async find(id: string): Promise<OutboxMail | undefined> {
    if (!isUuid(id)) return undefined;
    const text = await readFile(join(this.#folder, `${id}.json`), 'utf8').catch(ifMissing);
    if (text === undefined) return undefined;
    return { ...(JSON.parse(text) as OutboxMail), state: await this.#stateOf(id) };
  }

  /** Keeps what was reported of the message. */
  async report(id: string, type: FeedbackType): Promise<void> {
    if (rank[type] < rank[await this.#stateOf(id)]) return;
    await writeFile(this.#statePath(id), type, { mode: 0o600 });
  }

  async clear(): Promise<void> {
    const names = (await this.#names()).filter((name) => /\.(?:json|state)$/.test(name));
    await Promise.all(names.map((name) => rm(join(this.#folder, name), { force: true })));
  }

  readonly #statePath = (id: string): string => join(this.#folder, `${id}.state`);

  /** What was reported of a message that was sent again since counts no longer. */
  async #stateOf(id: string): Promise<OutboxMail['state']> {
    const state = await readFile(this.#statePath(id), 'utf8').catch(ifMissing);
    if (state === undefined) return 'sent';
    const [sent, reported] = await Promise.all([this.#timeOf(`${id}.json`), this.#timeOf(`${id}.state`)]);
    return reported < sent ? 'sent' : (state as FeedbackType);
  }

  readonly #names = async (): Promise<string[]> => (await readdir(this.#folder).catch(ifMissing)) ?? [];

  readonly #timeOf = async (name: string): Promise<number> =>
    (await stat(join(this.#folder, name)).catch(ifMissing))?.mtimeMs ?? 0;
}

/** The outbox may be emptied at any time, and has no folder before its first message. */
function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
