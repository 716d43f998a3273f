import {
  newWebhook,
  rotatedWebhook,
  webhookDetails,
  webhookList,
  webhookTest,
} from '../../domain/events/webhook-responses.ts';
import { responses } from '../contract.ts';

export const listWebhooks = responses({ 200: { description: 'The webhooks of the team', schema: webhookList } });
export const getWebhook = responses({ 200: { description: 'The webhook', schema: webhookDetails } });
export const createWebhook = responses({ 201: { description: 'The new webhook', schema: newWebhook } });
export const deleteWebhook = responses({ 204: { description: 'The webhook is removed' } });
export const rotateWebhook = responses({ 200: { description: 'The new secret', schema: rotatedWebhook } });
export const testWebhook = responses({ 200: { description: 'What the receiver responded', schema: webhookTest } });
