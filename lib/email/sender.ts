/** A message as it is handed to a provider. */
export type OutgoingMail = {
  from: { name: string; address: string };
  to: string;
  replyTo?: string | undefined;
  subject: string;
  html: string;
  text: string;
  /** Further headers, for example `List-Unsubscribe`. */
  headers: Readonly<Record<string, string>>;
  /** What the provider's reports name. They hold no data of a person: the address is a keyed hash. */
  tags: MailTags;
};

/** `message`: its id. `address`: the keyed hash of the address. `team`: its id. */
export type MailTags = { message: string; address: string; team: string };

/** Hands a message to a provider, in one attempt. It takes at most five seconds. */
export interface Sender {
  /**
   * @throws RefusedForGood, TryLater or UnknownOutcome
   */
  send(mail: OutgoingMail): Promise<{ providerId: string }>;
}

/** The provider takes this message neither now nor later. */
export class RefusedForGood extends Error {
  override readonly name = 'RefusedForGood';
  /** `bounced`: the receiving server refused it. `isAddress`: it refused the address, so nothing more is sent to it. */
  readonly refusal: { bounced: boolean; isAddress: boolean };

  constructor(message: string, refusal = { bounced: false, isAddress: false }, options?: ErrorOptions) {
    super(message, options);
    this.refusal = refusal;
  }
}

/** The provider has not got the message, and may take it later. */
export class TryLater extends Error {
  override readonly name = 'TryLater';
}

/** Whether the provider has got the message is not known, so it must not be sent again. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
}
