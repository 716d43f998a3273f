import { postponed, type SendRecord } from '../../domain/messages/record.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { type OutgoingMail, RefusedForGood, type Sender, TryLater } from '../../email/sender.ts';
import { sendWork, verificationWork, type WaitingMessage } from '../../store/messages/lane.ts';
import { type RecordPlace, recordWrites } from '../../store/messages/records.ts';
import type { Write } from '../../store/table/database.ts';
import type { Service, SuppressionService } from '../service.ts';
import { addCounts, type BrakeService } from './brake.ts';
import { listAddress } from './feedback.ts';
import { recordOutcome } from './record-outcome.ts';

/** Milliseconds in which a message is handed over after what decides it was read. */
const handOverWithin = 5000;

export type Claimed = {
  teamId: string;
  place: RecordPlace;
  work: WaitingMessage;
  claim: SendRecord;
  /** Of the record with the claim. */
  version: number;
  /** When what decides it was read, in milliseconds since the epoch. */
  readAt: number;
  mail: OutgoingMail;
};

/**
 * Hands a claimed message to the provider once, and records what became of it. If the worker dies in between, the message
 * is not sent again: nobody knows whether the provider has got it.
 * @returns `later` if the provider has not got it and the claim was given back
 */
export async function handOver(
  service: SuppressionService & BrakeService,
  sender: Sender,
  claimed: Claimed,
): Promise<'sent' | 'done' | 'later'> {
  const { teamId, place, mail } = claimed;
  const at = timestamp(service.now());
  if (service.now() - claimed.readAt > handOverWithin) {
    await giveBack(service, claimed);
    return 'done';
  }
  try {
    const { providerId } = await sender.send(mail);
    await recordOutcome(service, teamId, place, { state: 'sent', at, providerId });
    return 'sent';
  } catch (error) {
    if (error instanceof TryLater) {
      await giveBack(service, claimed);
      return 'later';
    }
    if (error instanceof RefusedForGood) {
      const { bounced, isAddress } = error.refusal;
      if (isAddress) await listAddress(service, teamId, place, { hash: mail.tags.address, reason: 'bounce' });
      await recordOutcome(service, teamId, place, { state: bounced ? 'bounced' : 'failed', at });
      if (bounced) await addCounts(service, teamId, { bounced: 1 });
      return 'sent';
    }
    // Unknown: it shows as unconfirmed, unless the provider reports it.
    return 'sent';
  }
}

/** The message waits in its lane again, unless the provider reported it meanwhile. */
async function giveBack(service: Service, { teamId, place, work, claim, version }: Claimed): Promise<void> {
  const { database, now } = service;
  const at = timestamp(now());
  await database.transact([
    ...recordWrites(teamId, place, postponed(claim, at, at, null), version),
    againOf(teamId, work),
  ]);
}

const againOf = (teamId: string, work: WaitingMessage): Write =>
  'journeyId' in work ? sendWork(teamId, work) : verificationWork(teamId, work);
