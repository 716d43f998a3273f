import * as z from 'zod';
import { type ConsentSource, consentSource } from '../access/consent-source.ts';
import { type Contact, type FlagField, noDetails } from './contact.ts';

/** The consent to messages is evidence: each of its changes is kept (contract, section 15, "Consent is evidence"). */
export const consentFields = ['email_opted_in', 'email_verified'] as const satisfies readonly FlagField[];

const flag = z.boolean().nullable();
export const consentChange = z.object({
  at: z.string(),
  field: z.enum(consentFields),
  from: flag,
  to: flag,
  by: consentSource,
  /** What the page said to the person who pressed its button. */
  text: z.string().optional(),
});
export type ConsentChange = z.output<typeof consentChange>;

/** The changes of the consent by a write. */
export const consentChanges = (
  before: Contact | undefined,
  after: Contact,
  by: ConsentSource,
  text?: string,
): ConsentChange[] =>
  consentFields.flatMap((field) => {
    const [from, to] = [(before ?? noDetails)[field], after[field]];
    return from === to ? [] : [{ at: after.updated_at, field, from, to, by, ...(text === undefined ? {} : { text }) }];
  });

/** A link that was sent to verify the address with this hash. */
export const verification = z.object({
  id: z.string(),
  at: z.string(),
  hash: z.string(),
  used_at: z.string().optional(),
});
export type Verification = z.output<typeof verification>;

/** Milliseconds: for so long a link verifies, and the time in which at most so many are sent. */
export const verificationLifetime = 72 * 3_600_000;
export const verificationLimit = { most: 3, in: 24 * 3_600_000 } as const;

export type VerificationState = 'open' | 'used' | 'expired' | 'changed';

/** What became of a link: it works once, for 72 hours, and while the address on file is the one that it was sent to. */
export function stateOfVerification(
  sent: Verification | undefined,
  hashOnFile: string | undefined,
  now: number,
): VerificationState {
  if (!sent || Date.parse(sent.at) + verificationLifetime <= now) return 'expired';
  if (sent.used_at !== undefined) return 'used';
  return sent.hash === hashOnFile ? 'open' : 'changed';
}

/** The links that still work, or count for the limit, with another one. */
export const withVerification = (sent: readonly Verification[], added: Verification): Verification[] => [
  ...sent.filter(({ at }) => Date.parse(at) > Date.parse(added.at) - verificationLifetime),
  added,
];

/** Milliseconds until another link may be sent; 0 if it may be sent now. */
export function verificationWait(sentAt: readonly string[], now: number): number {
  const recent = sentAt.map(Date.parse).filter((at) => at > now - verificationLimit.in);
  const first = recent.sort((a, b) => b - a)[verificationLimit.most - 1];
  return first === undefined ? 0 : first + verificationLimit.in - now;
}
