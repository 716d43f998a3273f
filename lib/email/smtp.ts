import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { mimeOf } from './mime.ts';
import { type OutgoingMail, RefusedForGood, type Sender, TryLater, UnknownOutcome } from './sender.ts';

/** Milliseconds for all of it: a worker claims a message and then waits for this. */
const longest = 5000;

type SmtpError = Error & { code?: string; command?: string; responseCode?: number | false };

/**
 * Hands each message to an SMTP server on a connection of its own, in one attempt (contract, section 15, "Once"): what
 * fails before the data is handed over is tried again, and after what breaks later nobody knows.
 */
export class SmtpSender implements Sender {
  readonly #url: URL;
  readonly #longest: number;

  /** @param url `smtp://` or `smtps://`, with a user and a password if the server wants them */
  constructor(url: string, longestMilliseconds = longest) {
    this.#url = new URL(url);
    this.#longest = longestMilliseconds;
  }

  async send(mail: OutgoingMail): Promise<{ providerId: string }> {
    const { source, from, to } = await mimeOf(mail);
    let isHandedOver = false;
    // It is read from once the server has agreed to take the data.
    const data = new Readable({
      read() {
        isHandedOver = true;
        this.push(source);
        this.push(null);
      },
    });
    const connection = this.#connection();
    const timer = setTimeout(() => connection.close(), this.#longest);
    try {
      return await this.#talk(connection, { from, to, data });
    } catch (error) {
      throw outcomeOf(error as SmtpError, isHandedOver);
    } finally {
      clearTimeout(timer);
      connection.close();
    }
  }

  #connection() {
    const { hostname, port, protocol } = this.#url;
    const secure = protocol === 'smtps:';
    const timeouts = { connectionTimeout: this.#longest, greetingTimeout: this.#longest, socketTimeout: this.#longest };
    return new SMTPConnection({
      ...{ host: hostname, port: Number(port) || (secure ? 465 : 587), secure },
      ...{ ...timeouts, dnsTimeout: this.#longest, socketCloseTimeout: 0 },
    });
  }

  async #talk(
    connection: SMTPConnection,
    { from, to, data }: { from: string; to: string; data: Readable },
  ): Promise<{ providerId: string }> {
    const { username, password } = this.#url;
    const { promise, resolve, reject } = Promise.withResolvers<{ providerId: string }>();
    connection.once('error', reject);
    // A connection that ends tells it to nobody else.
    connection.once('end', () => reject(new Error('the connection ended')));
    const send = () =>
      connection.send({ from, to: [to] }, data, (error, info) =>
        error ? reject(error) : resolve({ providerId: info?.response ?? '' }),
      );
    connection.connect((error) => {
      if (error) return reject(error);
      if (username === '') return send();
      const credentials = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
      connection.login(credentials, (failure) => (failure ? reject(failure) : send()));
    });
    return promise;
  }
}

/** The reply of the server never gets into it: it can have the address. */
function outcomeOf({ command = '', responseCode: status }: SmtpError, isHandedOver: boolean): Error {
  const isReply = typeof status === 'number' && status >= 400;
  const isForGood = isReply && status >= 500 && !/^(CONN|EHLO|HELO|STARTTLS|AUTH)/.test(command);
  if (isForGood) {
    const refusal = { bounced: true, isAddress: command === 'RCPT TO' };
    return new RefusedForGood(`the SMTP server refused the message with ${status}`, refusal);
  }
  if (isHandedOver && !isReply)
    return new UnknownOutcome('the connection to the SMTP server broke while it took the data');
  return new TryLater('the SMTP server has not got the message');
}
