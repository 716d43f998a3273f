import type { VerificationService } from '../operations/messages/verify.ts';
import { consentService } from './consent.ts';
import { messageQueue, onLostWake, teamQueue } from './waiting-work.ts';

/** For the function that asks for links that verify addresses. */
export const verificationService = (): VerificationService => ({
  ...consentService(),
  queue: messageQueue() ?? teamQueue(),
  onLostWake,
});
