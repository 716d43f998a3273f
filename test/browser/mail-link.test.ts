import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { addressHash } from '../../lib/auth/address-hash.ts';
import { type MailLink, mailLinkPath, sealMailLink } from '../../lib/auth/mail-links.ts';
import { service } from '../support/service/service.ts';
import { axeFindings } from './axe.ts';
import { browserTest, open, phone } from './browser.ts';

const api = await service();
const secret = readFileSync(api.local.messages_secret_file, 'utf8');

describe('the page of a link in a message', () => {
  browserTest('unsubscribes and takes it back with a press each, and axe finds nothing, at 320 px', async () => {
    const team = await api.newTeam();
    const email = `${'long'.repeat(12)}@example.com`;
    const body = { unique_id: 'ann', email, email_opted_in: true };
    const { body: contact } = await api.request('POST', '/v1/contacts', { token: team.token, body });
    const hash = addressHash(secret, team.teamId, email)!;
    const of = { purpose: 'unsubscribe', teamId: team.teamId, contactId: contact.id, hash } as const;
    const link: MailLink = { ...of, messageId: randomUUID(), templateId: '', language: '' };
    const optedIn = async () =>
      (await api.request('GET', `/v1/contacts/${contact.id}`, { token: team.token })).body.email_opted_in;
    const { page } = await open({ ...phone, viewport: { width: 320, height: 640 } });
    const fits = () => page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth');
    await page.goto(api.baseUrl + mailLinkPath(sealMailLink(secret, link)));
    for (const [button, isIn] of [
      ['Unsubscribe', true],
      ['Subscribe again', false],
      ['Unsubscribe', true],
    ] as const) {
      const pressed = page.getByRole('button', { name: button });
      await pressed.waitFor();
      expect(await optedIn()).toBe(isIn);
      expect(await axeFindings(page)).toEqual([]);
      expect(await fits()).toBe(true);
      const box = await pressed.boundingBox();
      expect(Math.min(box!.width, box!.height)).toBeGreaterThanOrEqual(44);
      await pressed.click();
    }
  });
});
