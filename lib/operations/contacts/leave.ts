import type { ConsentSource } from '../../domain/access/consent-source.ts';
import type { SuppressionService } from '../service.ts';

/** How a contact leaves or comes back: by whom, and with what text on the page. */
export type LeavingAct = {
  source: ConsentSource;
  text?: string | undefined;
  /** The keyed hash of the address to which the message was sent. Left out, it is that of the address on file. */
  hash?: string | undefined;
  /** The message whose link was used. */
  messageId?: string | undefined;
};

export declare function leaveByContact(
  service: SuppressionService,
  teamId: string,
  contactId: string,
  act: LeavingAct,
): Promise<'left' | 'unknown'>;
export declare function returnByContact(
  service: SuppressionService,
  teamId: string,
  contactId: string,
  act: LeavingAct,
): Promise<'returned' | 'listed' | 'unknown'>;
