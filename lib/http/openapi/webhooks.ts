import * as z from 'zod';
import { eventTypes, serviceEvent } from '../../domain/events/event.ts';
import type { JsonSchema, SchemaWriter } from './schemas.ts';

const delivery = z
  .object({
    type: z.enum(eventTypes).describe('What happened'),
    timestamp: z.iso.datetime().describe('When it happened'),
    data: serviceEvent.describe('The event'),
  })
  .meta({ id: 'WebhookDelivery', description: 'An event, as a webhook receives it' });

const header = (name: string, description: string): JsonSchema => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string' },
});

const headers = [
  header('webhook-id', 'Id of the event: the same in every repeat'),
  header('webhook-timestamp', 'When this attempt was sent: seconds since 1970'),
  header('webhook-signature', 'Signatures (Standard Webhooks 1.0), separated by spaces: `v1,` and Base64'),
];

/** What subscribers receive, one operation for each type of event (contract, section 12). */
export function webhooksOf({ schemaOf }: SchemaWriter): Record<string, JsonSchema> {
  const schema = schemaOf(delivery, 'output');
  const operations = eventTypes.map((type) => {
    const post = {
      operationId: `on${type.replace(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase())}`,
      tags: ['Events'],
      summary: `The event \`${type}\``,
      security: [],
      parameters: headers,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'Received. Every other response is a reason to send the event again' },
        410: { description: 'Removes the subscription' },
      },
    };
    return [type, { post }];
  });
  return Object.fromEntries(operations);
}
