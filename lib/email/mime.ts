import MailComposer from 'nodemailer/lib/mail-composer';
import { type OutgoingMail, RefusedForGood } from './sender.ts';

/** The MIME text of a message, and its envelope: addresses with their domains in ASCII. */
export type Mime = { source: Buffer; from: string; to: string };

/** One address, without a name, a second address or anything else that could be read as a header. */
const single = /^[^\s<>()[\],;:\\"@\p{C}]+@[^\s<>()[\],;:\\"@\p{C}]+$/u;

/** What comes from a campaign or from a contact stays one line of text. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** @throws RefusedForGood if an address is none */
export async function mimeOf({ from, to, replyTo, subject, html, text, headers, tags }: OutgoingMail): Promise<Mime> {
  for (const address of [from.address, to, ...(replyTo === undefined ? [] : [replyTo])]) {
    if (!single.test(address)) throw new RefusedForGood('an address is not one address');
  }
  const composed = new MailComposer({
    from: { name: oneLine(from.name), address: from.address },
    to: { name: '', address: to },
    ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
    subject: oneLine(subject),
    ...{ html, text },
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, oneLine(value)])),
    messageId: `<${tags.message}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    // A message has nothing from files or from the network.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  }).compile();
  const envelope = composed.getEnvelope();
  const [recipient] = envelope.to;
  if (!envelope.from || recipient === undefined) throw new RefusedForGood('an address is not one address');
  return { source: await composed.build(), from: envelope.from, to: recipient };
}
