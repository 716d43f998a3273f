import { uuidOf } from '../events/world.ts';

export const persons = ['a', 'b', 'c'];
/** One with messages of its own, and one that goes to everybody at a time. */
export const templateIds = [uuidOf(501), uuidOf(502)];

const message = (number: number, timing: object, transactional = false) => ({
  id: uuidOf(510 + number),
  ...timing,
  message: {
    ...{ id: uuidOf(520 + number), type: 'email', is_transactional: transactional },
    ...{ content_block_status: 'published', payload: { subject: 'Hello' } },
    content_blocks: [],
  },
});

/** Hours after a journey began at which its messages are due. */
export const offsets = new Map([
  [uuidOf(511), 0],
  [uuidOf(512), 0.01],
  [uuidOf(513), 0.02],
  [uuidOf(514), 30],
]);
export const waveId = uuidOf(515);

export const campaign = (scheduledAt: string, isMuted: boolean) => ({
  templates: [
    {
      ...{ id: templateIds[0], name: 'Steps', status: 'live', is_muted: isMuted },
      email_sender_address: 'hello@bank.example',
      template_messages: [...offsets].map(([id, send_offset_hours]) => {
        const number = Number(id.slice(-3)) - 510;
        return message(number, { send_offset_hours }, number === 2);
      }),
    },
    {
      ...{ id: templateIds[1], name: 'Wave', status: 'live', email_sender_address: 'hello@bank.example' },
      template_messages: [message(5, { scheduled_at: scheduledAt })],
    },
  ],
});
