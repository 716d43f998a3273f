import * as z from 'zod';
import { decrypt, encrypt } from './encryption.ts';

/**
 * What a link in a message is for. It is sealed with the secret of the stack: it cannot be made, changed or read
 * without it, and nothing of it has to be stored. A link to unsubscribe never expires.
 */
export type MailLink = {
  purpose: 'verify' | 'unsubscribe';
  teamId: string;
  contactId: string;
  /** The keyed hash of the address to which the message was sent. */
  hash: string;
  /** The id of the message; of a verification, its id. */
  messageId: string;
  /** The campaign of the message, whose look the page has. Empty if it has none. */
  templateId: string;
  /** The language of the message: BCP 47, or empty. */
  language: string;
};

const purpose = 'mail link';
/** Mail programs leave punctuation at the end out of a link, so it ends in a letter. */
const end = 'x';

const sealed = z.tuple([z.enum(['v', 'u']), z.string(), z.string(), z.string(), z.string(), z.string(), z.string()]);
const letters = { v: 'verify', u: 'unsubscribe' } as const;

export function sealMailLink(secret: string, link: MailLink): string {
  const ids = [link.teamId, link.contactId, link.hash, link.messageId, link.templateId].map(packed);
  const text = encrypt(secretsOf(secret), purpose, JSON.stringify([link.purpose[0], ...ids, link.language]));
  return `${text.slice(text.indexOf('.') + 1)}${end}`;
}

/** @returns `undefined` if the token was not made with this secret */
export function openMailLink(secret: string, token: string): MailLink | undefined {
  const text = token.replace(/[^A-Za-z0-9]+$/, '');
  if (!text.endsWith(end)) return undefined;
  const value = decrypt(secretsOf(secret), purpose, `1.${text.slice(0, -end.length)}`);
  if (value === undefined) return undefined;
  const [letter, team, contact, hash, message, template, language] = sealed.parse(JSON.parse(value));
  return {
    ...{ purpose: letters[letter], teamId: uuidOf(team), contactId: uuidOf(contact) },
    ...{ hash: hexOf(hash), messageId: uuidOf(message) },
    ...{ templateId: uuidOf(template), language },
  };
}

/** The path of the page that a link opens. */
export const mailLinkPath = (token: string): string => `/m/${token}`;

const secretsOf = (secret: string) => [{ id: 1, secret }] as const;
const packed = (hex: string): string => Buffer.from(hex.replaceAll('-', ''), 'hex').toString('base64url');
const hexOf = (text: string): string => Buffer.from(text, 'base64url').toString('hex');
const uuidOf = (text: string): string => hexOf(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
