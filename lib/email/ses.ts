import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mimeOf } from './mime.ts';
import { type OutgoingMail, RefusedForGood, type Sender, TryLater, UnknownOutcome } from './sender.ts';

/** The client of a turn: one attempt, on connections of its own, because an idle one can break in the middle. */
export const sesClient = (config: ConstructorParameters<typeof SESv2Client>[0] = {}): SESv2Client =>
  new SESv2Client({
    ...{ maxAttempts: 1, ...config },
    requestHandler: { connectionTimeout: 1000, requestTimeout: 4500, socketTimeout: 4500, throwOnRequestTimeout: true },
  });

/** SES has not taken the message, and would not take it later either. */
const refusals = ['MessageRejected', 'MailFromDomainNotVerifiedException', 'BadRequestException', 'NotFoundException'];
/** SES has not taken the message: it throttles, or the account may not send now. */
const refusedNow = [
  ...['TooManyRequestsException', 'LimitExceededException', 'SendingPausedException', 'AccountSuspendedException'],
  ...['ThrottlingException', 'Throttling', 'AccessDeniedException', 'ExpiredTokenException'],
];
/** Errors of the connection before anything was sent. */
const notConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Amazon SES, version 2 of its API, with the configuration set of the stack. */
export class SesSender implements Sender {
  readonly #client: SESv2Client;
  readonly #configurationSet: string;

  constructor(client: SESv2Client, configurationSet: string) {
    this.#client = client;
    this.#configurationSet = configurationSet;
  }

  async send(mail: OutgoingMail): Promise<{ providerId: string }> {
    const { source, from, to } = await mimeOf(mail);
    const command = new SendEmailCommand({
      ...{ FromEmailAddress: from, Destination: { ToAddresses: [to] }, Content: { Raw: { Data: source } } },
      ConfigurationSetName: this.#configurationSet,
      EmailTags: Object.entries(mail.tags).map(([Name, Value]) => ({ Name, Value })),
    });
    try {
      const { MessageId: providerId = '' } = await this.#client.send(command);
      return { providerId };
    } catch (error) {
      throw outcomeOf(error);
    }
  }
}

/** SES names the address in its messages, so only the name of the error is kept. */
function outcomeOf(error: unknown): Error {
  const { name, code = '' } = error as Error & { code?: string };
  if (refusals.includes(name)) return new RefusedForGood(`SES refused the message: ${name}`);
  if (refusedNow.includes(name) || notConnected.includes(code))
    return new TryLater(`SES took nothing: ${name} ${code}`);
  return new UnknownOutcome(`SES did not answer: ${name} ${code}`);
}
